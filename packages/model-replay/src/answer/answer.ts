/** What the model answers to one request, free of the API it goes out in. */
import { type Ask, AskError } from '../ask/ask.ts'
import { listTools } from '../match/expect.ts'
import type { ToolCallObject } from '../script/schema.ts'
import type { Finish, Turn, Usage } from '../script/script.ts'

export interface Answer {
  /** Unique in the run of the server, made of letters, digits and underscores. */
  readonly id: string
  readonly model: string
  /** Unix time in seconds. */
  readonly createdAt: number
  readonly blocks: readonly AnswerBlock[]
  readonly finish: Finish
  readonly usage: Usage
}

export type AnswerBlock =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly deltas: readonly string[] }
  | AnswerCall
  | { readonly type: 'responsesItem'; readonly item: unknown }
  | { readonly type: 'hold'; readonly gate: string }

export interface AnswerCall {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  readonly namespace: string | undefined
  /** A custom tool takes free text; others take JSON. */
  readonly custom: boolean
  readonly input: string
}

/** A piece of a streamed body, or a gate at which the stream waits. */
export type Frame = string | { readonly gate: string }

/**
 * Makes the answer of `turn` to `ask`. `id` names the answer and its tool calls; `fill` fills placeholders.
 * @throws AskError when the turn calls a tool that the request does not offer
 */
export function makeAnswer(turn: Turn, ask: Ask, id: string, fill: (text: string) => string): Answer {
  let calls = 0
  const blocks = turn.blocks.map((block): AnswerBlock => {
    switch (block.type) {
      case 'toolCall':
        return makeCall(chooseCall(block.anyOf, ask), `call_${id}_${++calls}`, fill)
      case 'responsesItem':
        if (ask.dialect !== 'responses')
          throw new AskError(
            `turn ${JSON.stringify(turn.name)} has a responsesItem, but the request came as ${ask.dialect}.`,
          )
        return { type: 'responsesItem', item: fillDeep(block.item, fill) }
      case 'hold':
        return block
      default:
        return { type: block.type, deltas: block.deltas.map(fill) }
    }
  })
  const createdAt = Math.floor(Date.now() / 1000)
  return { id, model: ask.model, createdAt, blocks, finish: turn.finish, usage: turn.usage }
}

function makeCall(call: ToolCallObject, id: string, fill: (text: string) => string): AnswerCall {
  const custom = call.input !== undefined
  const given = call.arguments ?? {}
  const input = custom
    ? fill(call.input)
    : typeof given === 'string'
      ? fill(given)
      : JSON.stringify(fillDeep(given, fill))
  return { type: 'toolCall', id: call.id ?? id, name: call.name, namespace: call.namespace, custom, input }
}

function chooseCall(calls: readonly ToolCallObject[], ask: Ask): ToolCallObject {
  const offered = (call: ToolCallObject) =>
    call.unoffered === true ||
    ask.tools.some(({ name, namespace }) => name === call.name && (call.namespace ?? namespace) === namespace)
  const chosen = calls.find(offered)
  if (chosen !== undefined) return chosen
  const names = calls.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`))
  throw new AskError(
    `the script calls ${names.join(' or ')}, which this request does not offer; its tools: ${listTools(ask)}. Next: correct the name, or set unoffered: true on the call.`,
  )
}

function fillDeep(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map((entry) => fillDeep(entry, fill))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillDeep(entry, fill)]))
  return value
}
