/** What a smoke that did not pass rejects with. */
import type { Verdict } from '../verdict/verdict.ts'

/** `message` is the whole report for people; `verdict` has every fact for programs. */
export class SmokeError extends Error {
  override readonly name = 'SmokeError'
  readonly #verdict: Exclude<Verdict, { kind: 'pass' }>

  /** The folder of the run, when it was kept. */
  readonly keptWorld: string | null

  constructor(
    message: string,
    verdict: Exclude<Verdict, { kind: 'pass' }>,
    cause?: unknown,
    keptWorld: string | null = null,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.keptWorld = keptWorld
    this.#verdict = verdict
  }

  /** Facts as they are: streams whole and unmasked. A getter, so that test runners which print an error's fields don't print them. */
  get verdict(): Exclude<Verdict, { kind: 'pass' }> {
    return this.#verdict
  }
}
