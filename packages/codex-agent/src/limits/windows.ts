/** Meters as the host shows them. Pure. */
import type { UsageWindow } from '@loader-smoke/agent-sdk'
import type { Answer } from '../wire/messages.ts'
import { fromSeconds } from '../wire/time.ts'

/** A snapshot of an account's meters. */
export type Snapshot = NonNullable<Answer<'account/rateLimits/read'>['rateLimits']>
type Window = NonNullable<Snapshot['primary']>

/** The meters of a snapshot, the shorter first. */
export function windowsOf(snapshot: Snapshot | null | undefined): readonly UsageWindow[] {
  return meters(snapshot).map((window) => {
    const resetsAt = fromSeconds(window.resetsAt)
    return {
      label: windowLabel(window.windowDurationMins),
      usedPercent: window.usedPercent ?? 0,
      ...(resetsAt === undefined ? {} : { resetsAt }),
    }
  })
}

/** When the last exhausted meter resets, in seconds since 1970; `null` when none is exhausted or none says. */
export function lastReset(snapshot: Snapshot | null | undefined): number | null {
  const resets = meters(snapshot).flatMap(({ usedPercent, resetsAt }) =>
    (usedPercent ?? 0) >= 100 && typeof resetsAt === 'number' ? [resetsAt] : [],
  )
  return resets.length === 0 ? null : Math.max(...resets)
}

/** A sparse update laid over the snapshot before it: what it leaves out stays. */
export function overlay(before: Snapshot | null, update: Snapshot): Snapshot {
  const told = Object.entries(update).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(told) }
}

/** A duration in words, e.g. `5 hours`. */
export function windowLabel(minutes: number | bigint | null | undefined): string {
  const total = Number(minutes ?? 0)
  if (total <= 0) return 'Usage'
  for (const [unit, size] of units) if (total % size === 0) return plural(total / size, unit)
  return plural(total, 'minute')
}

const units = [
  ['week', 7 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
] as const

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function meters(snapshot: Snapshot | null | undefined): readonly Window[] {
  return [snapshot?.primary, snapshot?.secondary].filter((window) => window !== null && window !== undefined)
}
