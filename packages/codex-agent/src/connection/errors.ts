/** What goes wrong between this agent and the Codex CLI, by the stage at which it went wrong. */

/** `spawn`: the CLI could not be started · `initialize`: it ended or refused before it was ready · `request`: a request failed. */
export type CodexStage = 'spawn' | 'initialize' | 'request'

/** The facts of a {@link CodexError}. */
export interface CodexFacts {
  readonly stage: CodexStage
  /** What happened, for a person; no prompt and no text of a model. */
  readonly reason: string
  readonly exitCode?: number | null
  readonly signal?: string | null
  /** The end of what the CLI wrote to stderr before it was ready, without what looks like a secret. */
  readonly stderrTail?: string
  readonly cause?: unknown
}

const prefixes: Readonly<Record<CodexStage, string>> = {
  spawn: 'the codex CLI could not be started: ',
  initialize: 'the codex app-server did not become ready: ',
  request: '',
}

/** An error of this package. */
export class CodexError extends Error {
  override readonly name = 'CodexError'
  readonly stage: CodexStage
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stderrTail: string

  constructor({ stage, reason, exitCode = null, signal = null, stderrTail = '', cause }: CodexFacts) {
    super(`${prefixes[stage]}${reason}${stderrTail === '' ? '' : `\nstderr:\n${stderrTail}`}`, { cause })
    this.stage = stage
    this.exitCode = exitCode
    this.signal = signal
    this.stderrTail = stderrTail
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
