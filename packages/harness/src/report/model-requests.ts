/** The model server's rows, as its service handed them over; read as strangers' data, since any service may call itself a model. Pure. */

/** One request that the model server answered. */
export interface ModelRequest {
  readonly number: number
  readonly model: string | null
  readonly status: number | null
  /** `answered`, `refused`, `faulted`, `abandoned` or `pending`. */
  readonly outcome: string
  /** Relative to the start of the bin; null when the server gave no time. */
  readonly startedMs: number | null
  readonly durationMs: number | null
  readonly inputTokens: number
  readonly outputTokens: number
}

type Fields = Readonly<Record<string, unknown>>

/** The requests in what a service reported; none when it reported something else. */
export function toModelRequests(facts: unknown, start: number): ModelRequest[] {
  const requests = isFields(facts) ? facts['requests'] : undefined
  if (!Array.isArray(requests)) return []
  return requests.filter(isFields).map((row, index) => {
    const atMs = numberIn(row, 'atMs')
    return {
      number: numberIn(row, 'number') ?? index + 1,
      model: textIn(row, 'model'),
      status: numberIn(row, 'status'),
      outcome: textIn(row, 'outcome') ?? 'pending',
      startedMs: atMs === null ? null : atMs - start,
      durationMs: numberIn(row, 'totalMs'),
      inputTokens: numberIn(row, 'inputTokens') ?? 0,
      outputTokens: numberIn(row, 'outputTokens') ?? 0,
    }
  })
}

function numberIn(row: Fields, name: string): number | null {
  const value = row[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function textIn(row: Fields, name: string): string | null {
  const value = row[name]
  return typeof value === 'string' ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
