/** A session log that can't be read. */

/** `message` names the file, and the line where there is one. */
export class SessionLogError extends Error {
  override readonly name = 'SessionLogError'
  readonly source: string
  /** Counted from 1. */
  readonly line: number | null

  constructor(source: string, line: number | null, what: string, cause?: unknown) {
    super(
      `model-replay: ${source}${line === null ? '' : `, line ${line},`} ${what}.\nNext: give a session.jsonl that DeepSeek Harness stored, or the folder of one.`,
      cause === undefined ? undefined : { cause },
    )
    this.source = source
    this.line = line
  }
}
