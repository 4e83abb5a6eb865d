/** From sessions to the script that answers the same again. Pure. */
import type { ScriptObject, ToolCallObject, TurnObject } from '../script/schema.ts'
import type { Answer, Block, SessionLog } from './session-log.ts'

/** What the script tests. */
export interface ToScriptOptions {
  /** Each request must bring the tool results that the log has, word for word. Default: false, because results name folders and times. */
  readonly exactResults?: boolean
}

/** A script, and what of the logs is not in it. */
export interface SessionScript {
  readonly script: ScriptObject
  /** One sentence each. */
  readonly notes: readonly string[]
}

/**
 * One conversation for each session that asked its model something, in the order in which they began: a sub-agent's session is a
 * conversation of its own, known by the first message it was given. Sessions of equal first messages are taken in that order.
 */
export function toScript(sessions: readonly SessionLog[], options: ToScriptOptions = {}): SessionScript {
  const notes: string[] = []
  const conversations = sessions
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .flatMap((session) => {
      for (const note of session.notes) notes.push(`session ${session.id}: ${note}.`)
      if (session.answers.length === 0) {
        notes.push(`session ${session.id}: its model answered nothing, so it is left out.`)
        return []
      }
      const turns = session.answers.map((answer) =>
        toTurn(answer, options, (what) => notes.push(`session ${session.id}: ${what}.`)),
      )
      return {
        name: session.parent === null ? session.id : `${session.id} of ${session.parent}`,
        ...(session.firstUser !== null && { match: { firstUser: { equals: session.firstUser } } }),
        turns,
      }
    })
  return { script: { version: 1, conversations }, notes }
}

function toTurn(answer: Answer, { exactResults }: ToScriptOptions, note: (what: string) => void): TurnObject {
  const { turn, step, last, user, results, content, finish } = answer
  const result = results.at(-1)
  const expect = {
    ...(user !== null && { user: { equals: user } }),
    ...(last === 'tool' && { last }),
    ...(exactResults && result !== undefined && { toolResult: { tool: result.tool, text: { equals: result.text } } }),
  }
  const end = finish === null ? undefined : FINISHES[finish]
  if (finish !== null && end === undefined)
    note(`turn ${turn}, step ${step} ended "${finish}", which no script can say, so it ends as its content does`)
  return {
    name: `turn ${turn}, step ${step}`,
    ...(Object.keys(expect).length > 0 && { expect }),
    content: content.flatMap((block) => toBlock(block, (what) => note(`turn ${turn}, step ${step} ${what}`))),
    usage: toUsage(answer.usage),
    ...(end !== undefined && { finish: end }),
  }
}

/** The log's words for an end → the script's. */
const FINISHES: Readonly<Record<string, NonNullable<TurnObject['finish']>>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'max-tokens': 'length',
  'content-filter': 'content_filter',
}

function toBlock(block: Block, note: (what: string) => void): NonNullable<TurnObject['content']> {
  switch (block.type) {
    case 'text':
      return [{ text: literal(block.text ?? '') }]
    case 'reasoning':
      return [{ reasoning: literal(block.text ?? '') }]
    case 'tool-call':
      return [{ toolCall: { name: block.name ?? '', arguments: toArguments(block.arguments ?? '') } }]
    default:
      note(`has a block of type "${block.type}", which is left out`)
      return []
  }
}

/** As a mapping where it is one, so that a person can read it; otherwise the text, which may be broken JSON. */
function toArguments(text: string): NonNullable<ToolCallObject['arguments']> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return literalIn(value) as object
  } catch {
    // A model may write broken JSON; the app is to see the same again.
  }
  return literal(text)
}

/** Braces that the model wrote are no placeholders of the script. */
function literal(text: string): string {
  return text.replaceAll('{{', String.raw`\{{`)
}

function literalIn(value: unknown): unknown {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return value.map(literalIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, literalIn(one)]))
}

/** The log counts cached tokens beside the input, a script (as the wire does) within it. */
function toUsage(usage: Answer['usage']): NonNullable<TurnObject['usage']> {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  return {
    inputTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
    outputTokens,
    ...(cacheReadTokens > 0 && { cachedInputTokens: cacheReadTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}
