/** What happened when, drawn from a record: boot, first agent, turns, steps, tool calls, model requests, exit. Pure. */
import type { SmokeRecord } from './record.ts'

/** One line of the timeline, in milliseconds from the start of the bin. */
export interface TimelineEntry {
  readonly kind: 'boot' | 'agent' | 'turn' | 'step' | 'tool' | 'request' | 'exit'
  readonly name: string
  readonly atMs: number
  /** Null for a moment. */
  readonly durationMs: number | null
}

/** The entries in order of time; empty when nothing was started. What came without a time is left out. */
export function toTimeline(record: SmokeRecord): TimelineEntry[] {
  const { durationMs, turns, requests } = record
  if (durationMs === null) return []
  const entries: TimelineEntry[] = []
  const add = (kind: TimelineEntry['kind'], name: string, from: number | null, to?: number | null) => {
    if (from === null) return
    // Clocks of two processes and rounding may put a moment a millisecond outside the run.
    const atMs = Math.min(Math.max(0, from), durationMs)
    const end = to === undefined || to === null ? null : Math.min(Math.max(atMs, to), durationMs)
    entries.push({ kind, name, atMs: Math.round(atMs), durationMs: end === null ? null : Math.round(end - atMs) })
  }
  const agentMs = turns[0]?.startedMs ?? null
  add('boot', 'boot', 0, agentMs ?? durationMs)
  if (turns[0]?.state !== undefined && turns[0].reason?.includes('found 0') !== true)
    add('agent', 'first agent', agentMs)
  for (const { turn, startedMs, endedMs, steps, tools, state } of turns) {
    add('turn', `turn ${turn}${state === 'ended' ? '' : ` (${state})`}`, startedMs, endedMs ?? durationMs)
    for (const { step, startedMs: from, endedMs: to } of steps) add('step', `step ${step}`, from, to)
    for (const { name, atMs } of tools) add('tool', name, atMs)
  }
  for (const { number, model, startedMs, durationMs: took } of requests)
    add(
      'request',
      `request ${number}${model === null ? '' : ` to ${model}`}`,
      startedMs,
      startedMs === null ? null : startedMs + (took ?? 0),
    )
  add('exit', endOf(record), durationMs)
  return entries
    .map((entry, index) => ({ entry, index }))
    .toSorted((a, b) => a.entry.atMs - b.entry.atMs || a.index - b.index)
    .map(({ entry }) => entry)
}

/** How the process ended, in words. */
export function endOf({ exitCode, signal, timedOut }: SmokeRecord): string {
  const end = signal === null ? (exitCode === null ? 'not started' : `exit ${exitCode}`) : `killed by ${signal}`
  return timedOut ? `deadline, then ${end}` : end
}
