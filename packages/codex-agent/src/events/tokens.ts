/** What a run has cost, out of the counts that the server keeps for each thread: the chat's own, and each subagent's by itself. Pure. */
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

/** A thread's counts before its first model response within the run, and now. */
export interface ThreadTokens {
  readonly before: Counts
  readonly now: Counts
}

/** `known` with a further update; the same update twice changes nothing. */
export function countTokens(
  known: ThreadTokens | undefined,
  { tokenUsage }: NotificationParams<'thread/tokenUsage/updated'>,
): ThreadTokens | undefined {
  const now: Counts | null | undefined = tokenUsage?.total
  if (!now) return known
  return { before: known?.before ?? difference(now, tokenUsage?.last ?? {}), now }
}

/** The event that tells a run's tokens: the sum over its threads. */
export function fromTokens(threads: readonly ThreadTokens[]): EventBody {
  const costs = threads.map(({ before, now }) => difference(now, before))
  const counts = Object.entries(names).flatMap(([wire, ours]) => {
    const told = costs.flatMap((cost) => cost[wire as keyof Counts] ?? [])
    return told.length === 0 ? [] : [[ours, told.reduce((sum, count) => sum + count, 0)]]
  })
  return { event: 'tokens', inputTokens: 0, outputTokens: 0, ...Object.fromEntries(counts) }
}

/** Field by field, of the fields that `left` has. */
function difference(left: Counts, right: Counts): Readonly<Partial<Record<keyof typeof names, number>>> {
  const fields = Object.keys(names).filter((name) => name in left) as (keyof Counts)[]
  return Object.fromEntries(fields.map((name) => [name, Number(left[name] ?? 0) - Number(right[name] ?? 0)]))
}
