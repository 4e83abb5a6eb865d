/** What a client made of the two-step tool conversation, in words that are the same for every client. */

export interface Conversation {
  /** Texts of the model, in order. */
  readonly texts: readonly string[]
  readonly reasoning: string
  /** Commands that the model wanted run. */
  readonly commands: readonly string[]
  /** Sums over the conversation; cached tokens are part of the input, reasoning tokens part of the output. */
  readonly usage: Tokens
}

export interface Tokens {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

/** The output that the command of the script has. */
export const TOOL_OUTPUT = 'hi'

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  }
}

export const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0, reasoning: 0 }
