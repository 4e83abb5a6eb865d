/** Why a turn of a hosted agent failed, as the session's log holds it. */
import type { LlmFailure } from '@deepseek-ai/dsh-llm'

/** What went wrong, for programs: the `code` of the turn's end. */
export type RunFailureCode =
  | 'RUN_FAILED'
  | 'RUN_CANCELLED'
  | 'APPROVAL_DENIED'
  | 'QUESTION_UNANSWERED'
  | 'UNSUPPORTED_INPUT'

/** A failed run. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly code: RunFailureCode

  constructor(code: RunFailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Any error as the facts of a failed turn. */
export function toFailure(error: unknown): LlmFailure {
  if (error instanceof RunFailure) return { code: error.code, message: error.message }
  return { code: 'RUN_FAILED', message: error instanceof Error ? error.message : String(error) }
}
