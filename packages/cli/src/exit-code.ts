/** Exit codes of the program. Pure. */
import { constants } from 'node:os'
import type { SmokeRecord } from '@loader-smoke/harness'

/** What each code means; an interruption ends with 128 and the signal's number. */
export const EXIT = { pass: 0, fail: 1, usage: 2, error: 3 } as const

/**
 * The code of a call that ran these smokes. A failure says the most and wins; then an error of ours, then one of the caller's (a file that isn't there).
 */
export function exitCodeOf(smokes: readonly SmokeRecord[], interrupted: NodeJS.Signals | null): number {
  if (interrupted !== null) return 128 + constants.signals[interrupted]
  if (smokes.some(({ verdict }) => verdict === 'fail')) return EXIT.fail
  const stages = smokes.filter(({ verdict }) => verdict === 'error').map(({ reasons }) => reasons[0]?.check)
  if (stages.length === 0) return EXIT.pass
  return stages.every((stage) => stage === 'options' || stage === 'launch') ? EXIT.usage : EXIT.error
}
