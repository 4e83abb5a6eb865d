/** Checks what a shape can't say: keys that exclude each other, regular expressions, finish reasons without a cause. */
import { isRecord } from './check-shape.ts'
import { placeholderProblems } from './placeholders.ts'
import type { FaultKind, ScriptObject, TurnObject } from './schema.ts'

/** Every contradiction in a script whose shape is right; empty when there is none. */
export function checkMeaning(script: ScriptObject): string[] {
  const problems = [...regexProblems(script, '')]
  if ((script.turns === undefined) === (script.conversations === undefined))
    problems.push('the script needs exactly one of turns and conversations.')
  if (script.conversations !== undefined && (script.for ?? script.order) !== undefined)
    problems.push('for and order belong into each of the conversations.')
  script.turns?.forEach((turn, index) => problems.push(...turnProblems(turn, `turns[${index}]`)))
  script.conversations?.forEach(({ turns }, outer) =>
    turns.forEach((turn, index) => problems.push(...turnProblems(turn, `conversations[${outer}].turns[${index}]`))),
  )
  return problems
}

const NEEDS_ANSWER: ReadonlySet<string> = new Set([
  'stall-mid-stream',
  'cut',
  'early-end',
  'cut-mid-character',
  'reset-mid-stream',
  'malformed-sse',
  'malformed-json',
  'slow',
] satisfies FaultKind[])

const SHORTHANDS = ['text', 'reasoning', 'refusal', 'toolCalls'] as const

function turnProblems(turn: TurnObject, at: string): string[] {
  const problems: string[] = []
  const shorthands = SHORTHANDS.filter((key) => turn[key] !== undefined)
  const answers = shorthands.length > 0 || turn.content !== undefined
  if (turn.content !== undefined && shorthands.length > 0)
    problems.push(`${at} has content and ${shorthands.join(', ')}; expected one or the other.`)
  if (turn.error !== undefined && answers) problems.push(`${at} has an error and an answer; expected one or the other.`)
  if (turn.error === undefined && turn.fault === undefined && !answers)
    problems.push(
      `${at} says nothing; expected one of ${SHORTHANDS.join(', ')}, content, error or fault ("empty" for an answer without content).`,
    )
  turn.content?.forEach((block, index) => {
    const given = Object.keys(block)
    if (given.length !== 1)
      problems.push(`${at}.content[${index}] has ${given.join(', ') || 'no key'}; expected exactly one key.`)
  })
  const calls = [...(turn.toolCalls ?? []), ...(turn.content ?? []).flatMap(({ toolCall }) => toolCall ?? [])]
  if (turn.finish === 'tool_calls' && calls.length === 0) problems.push(`${at} finishes with tool_calls but has none.`)
  for (const call of calls.flatMap((one) => ('anyOf' in one ? one.anyOf : [one]))) {
    if (call.arguments !== undefined && call.input !== undefined)
      problems.push(
        `${at} calls ${call.name} with arguments and input; expected arguments, or input for a custom tool.`,
      )
  }
  const { text, reasoning, refusal, toolCalls, content } = turn
  const fault = typeof turn.fault === 'string' ? turn.fault : turn.fault?.kind
  if (fault === 'cut-mid-character' && !/[^\0-\x7f]/.test(JSON.stringify({ text, reasoning, refusal, content })))
    problems.push(`${at} is to be cut within a character, but its text has none of more than one byte, such as "é".`)
  if (fault !== undefined && NEEDS_ANSWER.has(fault) && !answers)
    problems.push(`${at} has the fault ${fault}, which needs an answer to spoil; expected text, toolCalls or content.`)
  problems.push(...deepPlaceholderProblems({ text, reasoning, refusal, toolCalls, content }, at))
  const { usage } = turn
  if (usage !== undefined) {
    if ((usage.cachedInputTokens ?? 0) > (usage.inputTokens ?? 0))
      problems.push(`${at}.usage has more cachedInputTokens than inputTokens; cached tokens are part of the input.`)
    if ((usage.reasoningTokens ?? 0) > (usage.outputTokens ?? 0))
      problems.push(`${at}.usage has more reasoningTokens than outputTokens; reasoning is part of the output.`)
  }
  return problems
}

const TESTS = new Set(['user', 'firstUser', 'system', 'toolResult', 'model', 'thread', 'agent', 'text'])

/** Looks below every `expect` and `match` for text tests. */
function* regexProblems(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* regexProblems(entry, `${path}[${index}]`)
  } else if (isRecord(value)) {
    for (const [key, entry] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      if (key === 'expect' || key === 'match') yield* testProblems(entry, at)
      else if (key === 'turns' || key === 'conversations') yield* regexProblems(entry, at)
    }
  }
}

function* testProblems(value: unknown, path: string): Generator<string> {
  if (!isRecord(value)) return
  for (const [key, test] of Object.entries(value)) {
    if (!TESTS.has(key) || !isRecord(test)) continue
    const at = `${path}.${key}`
    if (key === 'toolResult' && 'tool' in test) yield* testProblems(test, at)
    else if (Object.keys(test).length !== 1)
      yield `${at} has ${Object.keys(test).join(', ') || 'no key'}; expected exactly one of equals, contains, matches.`
    else if (typeof test['matches'] === 'string') {
      try {
        RegExp(test['matches'], 'su')
      } catch (error) {
        yield `${at}.matches is no regular expression: ${(error as Error).message}`
      }
    }
  }
}

function deepPlaceholderProblems(value: unknown, at: string): string[] {
  if (typeof value === 'string') return placeholderProblems(value, at)
  if (Array.isArray(value)) return value.flatMap((entry, index) => deepPlaceholderProblems(entry, `${at}[${index}]`))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, entry]) => deepPlaceholderProblems(entry, `${at}.${key}`))
}
