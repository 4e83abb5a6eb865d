/** What a smoke may expect of a run, in forms that JSON can hold. */

/** A text that must be contained, or a pattern that must match; `{ pattern, flags }` is the pattern's form in JSON. */
export type TextMatch = string | RegExp | { readonly pattern: string; readonly flags?: string }

/** What the root agent must have done. `optional`: nothing, but a turn that failed still fails the smoke. */
export type TurnExpectation = 'required' | 'optional' | { readonly output: TextMatch }

/** A file in the world after the run, by its path relative to the working folder. */
export interface FileExpectation {
  readonly path: string
  /** False: it must not be there. Default true. */
  readonly present?: boolean
  /** Looked for in the whole file; one above 16 MiB meets no expectation, and says so. */
  readonly content?: TextMatch
}

/** Tools that the agent must have called: each of them, and with `inOrder` one after the other. */
export interface ToolsExpectation {
  readonly called: readonly string[]
  readonly inOrder?: boolean
}

/** Expectations of a declared smoke. All that are given must hold. */
export interface Expectations {
  readonly exitCode?: number
  readonly signal?: NodeJS.Signals
  /** The root agent's last answer; makes a turn required. */
  readonly output?: TextMatch
  /** Looked for in the whole stream; one above 256 MiB meets no expectation, and says so. */
  readonly stdout?: TextMatch | readonly TextMatch[]
  /** Like `stdout`. */
  readonly stderr?: TextMatch | readonly TextMatch[]
  readonly files?: readonly FileExpectation[]
  /** A list is short for `{ called: list }`. */
  readonly tools?: readonly string[] | ToolsExpectation
  /** At most this many tokens, in and out, over all turns. */
  readonly maxTokens?: number
  /** The bin must have ended within this time, in milliseconds; unlike the deadline it does not end the run. */
  readonly durationMs?: number
}

/** A `TextMatch` that is ready to be tried. */
export interface Matcher {
  matches(text: string): boolean
  /** As it stands in a message: `"text"` or `/pattern/flags`. */
  readonly shown: string
}

/** @throws SyntaxError when the pattern is none. */
export function toMatcher(match: TextMatch): Matcher {
  if (typeof match === 'string') return { matches: (text) => text.includes(match), shown: JSON.stringify(match) }
  const source = match instanceof RegExp ? match.source : match.pattern
  const flags = (match.flags ?? '').replace(/[gy]/g, '')
  const pattern = new RegExp(source, flags)
  return { matches: (text) => pattern.test(text), shown: String(pattern) }
}
