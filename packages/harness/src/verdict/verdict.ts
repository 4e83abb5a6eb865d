/** The three ends of a smoke. `fail` is the fixture's, `error` is ours or the caller's; they are never merged. */
import type { SmokeSpec } from '../config/resolve.ts'
import type { LaunchStage } from '../launch/launch-error.ts'
import type { Facts } from '../observe/facts.ts'
import type { SuperviseStage } from '../supervise/supervise-error.ts'

/** What may be expected of a run, in the order in which failures are told. */
export type CheckName =
  | 'deadline'
  | 'output-size'
  | 'signal'
  | 'exit-code'
  | 'root-agent'
  | 'turn'
  | 'tools'
  | 'tokens'
  | 'report'
  | 'boot'
  | 'service'
  | 'stdout'
  | 'stderr'
  | 'files'
  | 'duration'
  | 'survivors'
  | 'inspect'

/** What a run is judged by. */
export type JudgedBy = Pick<SmokeSpec, 'label' | 'expect' | 'deadlineMs' | 'maxOutputBytes'>

/** One expectation that did not hold. */
export interface FailedCheck {
  readonly name: CheckName
  /** The line of the message, without the label in front. */
  readonly line: string
}

/** Where an `error` came from. */
export type ErrorStage = LaunchStage | SuperviseStage | 'observe' | 'interrupted' | 'cleanup'

/** What became of a smoke. */
export type Verdict =
  | { readonly kind: 'pass'; readonly facts: Facts }
  | { readonly kind: 'fail'; readonly facts: Facts; readonly failed: readonly [FailedCheck, ...FailedCheck[]] }
  | {
      readonly kind: 'error'
      readonly stage: ErrorStage
      /** Whole: what happened, and what to do next. */
      readonly message: string
      /** Null when the run never came to an end that could be observed. */
      readonly facts: Facts | null
      readonly cause: unknown
    }
