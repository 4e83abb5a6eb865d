/** Writes an answer as Anthropic Messages: one JSON body, or server-sent events. @see https://docs.claude.com/en/docs/build-with-claude/streaming */
import { AskError } from '../ask/ask.ts'
import type { Finish, Usage } from '../script/script.ts'
import type { Answer, AnswerBlock, AnswerCall, Frame } from './answer.ts'
import { halves } from './halves.ts'

/**
 * The body of an answer that is not streamed.
 * @throws AskError for tool arguments that are no JSON object, which such a body can't hold
 */
export function toMessagesBody(answer: Answer): string {
  return JSON.stringify({
    ...head(answer),
    content: answer.blocks.flatMap(toBlock),
    stop_reason: STOP_REASONS[answer.finish],
    usage: toMessagesUsage(answer.usage),
  })
}

/** The events of a streamed answer. */
export function toMessagesFrames(answer: Answer): Frame[] {
  const usage = toMessagesUsage({
    ...answer.usage,
    outputTokens: Math.min(1, answer.usage.outputTokens),
    reasoningTokens: 0,
  })
  const frames: Frame[] = [frame({ type: 'message_start', message: { ...head(answer), content: [], usage } })]
  let index = 0
  for (const block of answer.blocks) {
    if (block.type === 'hold') frames.push({ gate: block.gate })
    else if (block.type !== 'responsesItem') frames.push(...blockFrames(block, index++))
  }
  const delta = { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null }
  return [
    ...frames,
    frame({ type: 'message_delta', delta, usage: toMessagesUsage(answer.usage) }),
    frame({ type: 'message_stop' }),
  ]
}

/** Token counts as Messages names them: cached input is not part of `input_tokens`. */
export function toMessagesUsage({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): object {
  return {
    input_tokens: inputTokens - cachedInputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
  }
}

const STOP_REASONS: Readonly<Record<Finish, string | null>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
  refusal: 'refusal',
  none: null,
}

function head({ id, model }: Answer): object {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null }
}

function frame(event: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function toBlock(block: AnswerBlock): object[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: block.deltas.join(''), citations: null }]
    case 'reasoning':
      return [{ type: 'thinking', thinking: block.deltas.join(''), signature: 'replay' }]
    case 'toolCall':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: parseInput(block) }]
    case 'responsesItem':
    case 'hold':
      return []
  }
}

function blockFrames(block: Exclude<AnswerBlock, { type: 'hold' | 'responsesItem' }>, index: number): string[] {
  const start = (content: object) => frame({ type: 'content_block_start', index, content_block: content })
  const delta = (content: object) => frame({ type: 'content_block_delta', index, delta: content })
  const stop = frame({ type: 'content_block_stop', index })
  switch (block.type) {
    case 'text':
    case 'refusal':
      return [
        start({ type: 'text', text: '' }),
        ...block.deltas.map((text) => delta({ type: 'text_delta', text })),
        stop,
      ]
    case 'reasoning':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...block.deltas.map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: 'replay' }),
        stop,
      ]
    case 'toolCall':
      return [
        start({ type: 'tool_use', id: block.id, name: block.name, input: {} }),
        ...halves(inputJson(block)).map((part) => delta({ type: 'input_json_delta', partial_json: part })),
        stop,
      ]
  }
}

/** A custom tool's free text becomes `{ input }`: this API has only tools with JSON. */
function inputJson({ custom, input }: AnswerCall): string {
  return custom ? JSON.stringify({ input }) : input
}

function parseInput(call: AnswerCall): unknown {
  try {
    return JSON.parse(inputJson(call))
  } catch (error) {
    throw new AskError(
      `the arguments of ${call.name} are no JSON (${(error as Error).message}), which only a streamed Messages answer can carry.`,
    )
  }
}
