/** Matchers for what `runLoaderSmoke` resolves with, and for the SmokeError it rejects with. Pure. */
import { checkTextMatch } from '../config/check-expectations.ts'
import { type TextMatch, toMatcher } from '../config/expectations.ts'
import type { Facts } from '../observe/facts.ts'

/** What `toHaveUsed` may ask for; at least one of both. */
export interface UsedExpectation {
  /** Each was called, in any order. */
  readonly tools?: readonly string[]
  /** At most so many tokens, in and out, over all turns. */
  readonly maxTokens?: number
}

/** What each matcher answers. */
export interface MatcherAnswer {
  readonly pass: boolean
  message(): string
}

/** The root agent's last answer contains the text, or matches the pattern. */
export function toHaveAnswered(received: unknown, expected: TextMatch): MatcherAnswer {
  checkTextMatch('toHaveAnswered', expected)
  const matcher = toMatcher(expected)
  const answer = endedTurns(factsOf(received, 'toHaveAnswered')).at(-1)?.envelope.output
  return {
    pass: answer !== undefined && matcher.matches(answer),
    message: () =>
      answer === undefined
        ? `expected an answer like ${matcher.shown}; no turn ended well`
        : `the answer was ${JSON.stringify(answer)}; like ${matcher.shown} was what it should be, or not be`,
  }
}

/** The bin ended with the exit code (a number) or by the signal (a name). */
export function toHaveExited(received: unknown, expected: number | NodeJS.Signals): MatcherAnswer {
  const { exitCode, signal } = factsOf(received, 'toHaveExited')
  const actual = signal ?? exitCode
  return {
    pass: actual === expected,
    message: () => `the bin ended with ${actual}; ${expected} was what it should be, or not be`,
  }
}

/** The agent called the tools (a name, or a list), or used no more tokens than allowed. */
export function toHaveUsed(received: unknown, expected: string | readonly string[] | UsedExpectation): MatcherAnswer {
  const turns = endedTurns(factsOf(received, 'toHaveUsed'))
  const { tools = [], maxTokens } = toUsed(expected)
  const called = turns.flatMap((turn) => turn.tools.map(({ name }) => name))
  const missing = tools.filter((name) => !called.includes(name))
  const usages = turns.flatMap(({ envelope }) => envelope.usage ?? [])
  const tokens = usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
  // Tokens that nobody reported are no proof of few.
  const tooMany = maxTokens !== undefined && (usages.length < turns.length || turns.length === 0 || tokens > maxTokens)
  const told = usages.length === 0 ? 'no token usage' : `${tokens} tokens`
  return {
    pass: missing.length === 0 && !tooMany,
    message: () =>
      `the tools called were ${called.length === 0 ? 'none' : called.join(', ')}, with ${told}; expected, or not, ${[
        ...(tools.length > 0 ? [tools.join(', ')] : []),
        ...(maxTokens === undefined ? [] : [`at most ${maxTokens} tokens`]),
      ].join(' and ')}`,
  }
}

function toUsed(expected: string | readonly string[] | UsedExpectation): UsedExpectation {
  if (typeof expected === 'string') return { tools: [expected] }
  return 'tools' in expected || 'maxTokens' in expected ? expected : { tools: expected as readonly string[] }
}

function endedTurns({ turns }: Facts) {
  return turns.filter((turn) => turn.state === 'ended')
}

function factsOf(received: unknown, matcher: string): Facts {
  const facts = (received as { readonly verdict?: { readonly facts?: Facts | null } } | null)?.verdict?.facts
  if (facts === undefined || facts === null)
    throw new TypeError(
      `${matcher} takes what runLoaderSmoke resolved with, or a SmokeError of a bin that ran; got ${received instanceof Error ? received.message : typeof received}.`,
    )
  return facts
}
