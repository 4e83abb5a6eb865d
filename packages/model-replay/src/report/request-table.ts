/** The requests of a run as rows and as text, for verdicts and reports. */
import type { RecordedRequest } from '../serve/records.ts'

/** One request; token counts are 0 where the answer had none. JSON. */
export interface RequestRow {
  readonly number: number
  readonly model: string | null
  readonly conversation: string | null
  /** Number of the client's conversation, 1 for the first that came. */
  readonly run: number | null
  readonly turn: string | null
  readonly status: number | null
  readonly outcome: RecordedRequest['outcome']
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** When the request's head came, in milliseconds since the epoch. */
  readonly atMs: number
  /** Whole milliseconds from the request's head. */
  readonly firstByteMs: number | null
  readonly totalMs: number | null
}

/** One row for each request, in order of arrival. */
export function requestRows(requests: readonly RecordedRequest[]): RequestRow[] {
  return requests.map((request) => ({
    number: request.number,
    model: request.model ?? null,
    conversation: request.conversation ?? null,
    run: request.run ?? null,
    turn: request.turn ?? null,
    status: request.status ?? null,
    outcome: request.outcome,
    inputTokens: request.usage?.inputTokens ?? 0,
    cachedInputTokens: request.usage?.cachedInputTokens ?? 0,
    outputTokens: request.usage?.outputTokens ?? 0,
    reasoningTokens: request.usage?.reasoningTokens ?? 0,
    atMs: request.atMs,
    firstByteMs: request.firstByteMs === undefined ? null : Math.round(request.firstByteMs),
    totalMs: request.totalMs === undefined ? null : Math.round(request.totalMs),
  }))
}

/** The rows as a table of plain text with a header; empty without rows. */
export function requestTable(rows: readonly RequestRow[]): string {
  if (rows.length === 0) return ''
  const header = ['#', 'model', 'turn', 'status', 'outcome', 'in (cached)', 'out (reasoning)', 'first byte', 'total']
  const lines = rows.map((row) => [
    String(row.number),
    row.model ?? '-',
    row.turn === null ? '-' : `${row.conversation}/${row.turn}`,
    String(row.status ?? '-'),
    row.outcome,
    `${row.inputTokens} (${row.cachedInputTokens})`,
    `${row.outputTokens} (${row.reasoningTokens})`,
    row.firstByteMs === null ? '-' : `${row.firstByteMs} ms`,
    row.totalMs === null ? '-' : `${row.totalMs} ms`,
  ])
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => (line[column] ?? '').length)),
  )
  return [header, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
