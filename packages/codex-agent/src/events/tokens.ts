/** What a run has cost, out of the counts that the server keeps for the whole thread. Pure. */
import type { EventBody } from '@loader-smoke/agent-sdk'
import type { NotificationParams } from '../wire/messages.ts'

type Counts = Readonly<Partial<Record<keyof typeof names, unknown>>>

/** The server's names → ours. */
const names = {
  inputTokens: 'inputTokens',
  cachedInputTokens: 'cachedInputTokens',
  cacheWriteInputTokens: 'cacheWriteInputTokens',
  outputTokens: 'outputTokens',
  reasoningOutputTokens: 'reasoningTokens',
} as const

/** The thread's counts before the run's first model response, and now. */
export interface RunTokens {
  readonly before: Counts
  readonly now: Counts
}

/** `known` with a further update; the same update twice changes nothing. */
export function countTokens(
  known: RunTokens | null,
  { tokenUsage }: NotificationParams<'thread/tokenUsage/updated'>,
): RunTokens | null {
  const now: Counts | null | undefined = tokenUsage?.total
  if (!now) return known
  return { before: known?.before ?? difference(now, tokenUsage?.last ?? {}), now }
}

/** The event that tells a run's tokens. */
export function fromTokens({ before, now }: RunTokens): EventBody {
  const cost = difference(now, before)
  const counts = Object.entries(names).flatMap(([wire, ours]) =>
    wire in cost ? [[ours, cost[wire as keyof Counts]]] : [],
  )
  return { event: 'tokens', inputTokens: 0, outputTokens: 0, ...Object.fromEntries(counts) }
}

/** Field by field, of the fields that `left` has. */
function difference(left: Counts, right: Counts): Counts {
  const fields = Object.keys(names).filter((name) => name in left) as (keyof Counts)[]
  return Object.fromEntries(fields.map((name) => [name, Number(left[name] ?? 0) - Number(right[name] ?? 0)]))
}
