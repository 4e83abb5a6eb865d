/** The failure of a turn: one sentence for people, and its kind for programs. */

/**
 * Why a turn failed. The first five are the ends of `turn/end`; a session may know more of them, which come through as they are.
 * `no-root` no single root agent · `receipt` the task did not reach the agent's inbox · `canceled` it was taken out again before a
 * turn began · `unfinished` the agent went idle inside a turn or before it · `observer` `onEvent` threw · `agent` the agent itself rejected ·
 * `flush` the session could not be stored · `options` wrong use.
 */
export type TurnFailureKind =
  | 'error'
  | 'aborted'
  | 'blocked'
  | 'max-tokens'
  | 'interrupted'
  | 'no-root'
  | 'receipt'
  | 'canceled'
  | 'unfinished'
  | 'observer'
  | 'agent'
  | 'flush'
  | 'options'
  | (string & {})

/** What `runFixtureTurn` rejects with when it found the failure itself; errors of the agent or of `onEvent` come through unchanged. */
export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly kind: TurnFailureKind
  /** The message without its beginning `root agent failed: `. */
  readonly reason: string

  constructor(kind: TurnFailureKind, reason: string, message = `root agent failed: ${reason}`) {
    super(message)
    this.kind = kind
    this.reason = reason
  }
}

/** The failure that a `turn/end` with this reason means, or `undefined` for `completed`. */
export function turnEndFailure(reason: any): TurnError | undefined {
  const kind = typeof reason?.kind === 'string' ? reason.kind : 'unknown'
  if (kind === 'completed') return undefined
  return new TurnError(kind, toReason(kind, reason))
}

function toReason(kind: string, reason: any): string {
  switch (kind) {
    case 'error':
      return providerError(reason.error)
    case 'aborted':
      return `the turn was aborted (${abortCause(reason.reason)})`
    case 'blocked':
      return 'the turn was blocked before the model was asked'
    case 'max-tokens':
      return 'the answer was cut off at the output-token limit (max-tokens)'
    case 'interrupted':
      return 'the turn was interrupted: the process that drove it ended before the turn did'
    default:
      return `the turn ended as ${JSON.stringify(kind)} (expected "completed")`
  }
}

function providerError(error: any): string {
  const code = typeof error?.code === 'string' ? error.code : 'UNKNOWN'
  const status = typeof error?.status === 'number' ? ` (HTTP ${error.status})` : ''
  const message = typeof error?.message === 'string' && error.message !== '' ? error.message : 'no message was given'
  return `${code}${status}: ${message}`
}

function abortCause(cause: any): string {
  const kind = typeof cause?.kind === 'string' ? cause.kind : 'cause unknown'
  return typeof cause?.reason === 'string' ? `${kind}: ${cause.reason}` : kind
}
