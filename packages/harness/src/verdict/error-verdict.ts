/** From whatever a stage threw to the verdict `error`. Pure. */
import { OptionError } from '../config/option-error.ts'
import { LaunchError } from '../launch/launch-error.ts'
import { SuperviseError } from '../supervise/supervise-error.ts'
import type { Verdict } from './verdict.ts'

type ErrorVerdict = Extract<Verdict, { kind: 'error' }>

/** The error verdict of a run that could not be described, started or observed. */
export function toErrorVerdict(thrown: unknown, label: string): ErrorVerdict {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error instanceof OptionError) return errorVerdict('options', error.message, error)
  if (error instanceof LaunchError) return errorVerdict(error.stage, error.message, error.cause ?? error)
  if (error instanceof SuperviseError) return errorVerdict(error.stage, `${label}: ${error.message}`, error)
  return errorVerdict('observe', `${label} could not be judged: ${error.message}`, error)
}

/** What is left of a verdict when the clean-up after it went wrong: a pass becomes an error, a failure keeps its reason and tells both. */
export function withCleanUpError(verdict: Verdict, cleanUp: Error): Verdict {
  if (verdict.kind !== 'pass') return verdict
  return { kind: 'error', stage: 'cleanup', message: cleanUp.message, facts: verdict.facts, cause: cleanUp }
}

function errorVerdict(stage: ErrorVerdict['stage'], message: string, cause: unknown): ErrorVerdict {
  return { kind: 'error', stage, message, facts: null, cause }
}
