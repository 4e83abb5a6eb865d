/** What a fixture tells the harness: JSON lines appended to a file, read after the process has ended. */
import type { FixtureTurnResult, ToolCall, TurnStep } from './envelope.ts'
import type { TurnFailureKind } from './turn-error.ts'

/** The environment name whose value is the path of the report file. Unset: nothing is written. */
export const REPORT_ENV = 'LOADER_SMOKE_REPORT'

/** A turn began. `turn` counts the turns of this process, from 1; `sessionId` is null when no root agent was found. */
export interface TurnStartLine {
  readonly v: 1
  readonly type: 'turn-start'
  readonly turn: number
  readonly sessionId: string | null
  /** Milliseconds since the epoch. */
  readonly atMs: number
}

/** A turn ended well. */
export interface TurnEndLine {
  readonly v: 1
  readonly type: 'turn-end'
  readonly turn: number
  readonly envelope: FixtureTurnResult
  readonly tools: readonly ToolCall[]
  readonly steps: readonly TurnStep[]
  readonly atMs: number
}

/** A turn failed. `reason` is what follows `root agent failed: `, `message` the whole message of the rejection. */
export interface TurnFailedLine {
  readonly v: 1
  readonly type: 'turn-failed'
  readonly turn: number
  readonly sessionId: string | null
  readonly reason: string
  readonly kind: TurnFailureKind
  readonly message: string
  readonly atMs: number
}

/** The loader skipped something in the config while it booted. */
export interface BootWarningLine {
  readonly v: 1
  readonly type: 'boot-warning'
  readonly message: string
  readonly atMs: number
}

/** One line of the report file. The text of the task is in none of them. */
export type ReportLine = TurnStartLine | TurnEndLine | TurnFailedLine | BootWarningLine

type Unstamped<Line> = Line extends ReportLine ? Omit<Line, 'v' | 'atMs'> : never

/**
 * Appends `line` to the report file, synchronously, so that it is there when the bin calls `process.exit` next.
 * @throws when the variable is set and its file can't be written: a turn whose end nobody sees must not look like none.
 */
export function report(line: Unstamped<ReportLine>): void {
  const file = process.env[REPORT_ENV]
  if (file === undefined || file === '') return
  const { type, ...fields } = line
  // Not imported above: as a module of names, node:fs costs a quarter of what this package's own import does, and the harness imports this package.
  const { appendFileSync } = process.getBuiltinModule('node:fs')
  try {
    appendFileSync(file, `${JSON.stringify({ v: 1, type, ...fields, atMs: Date.now() })}\n`)
  } catch (cause) {
    throw new Error(
      `${REPORT_ENV} names ${JSON.stringify(file)}, which can't be written. Next: unset it, or name a file in an existing folder.`,
      { cause },
    )
  }
}
