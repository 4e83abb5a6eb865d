/**
 * Writes an answer as OpenAI Responses: one JSON body, or server-sent events.
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { Usage } from '../script/script.ts'
import type { Answer, AnswerBlock, AnswerCall, Frame } from './answer.ts'
import { halves } from './halves.ts'

type Event = { readonly type: string } & Readonly<Record<string, unknown>>

/** The body of an answer that is not streamed. */
export function toResponsesBody(answer: Answer): string {
  return JSON.stringify(toResponse(answer))
}

/**
 * The events of a streamed answer. Without a finish reason there is no closing event.
 * Sequence numbers count from 0.
 */
export function toResponsesFrames(answer: Answer): Frame[] {
  let sequence = 0
  const frame = (event: Event) =>
    `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence++ })}\n\n`
  const begun = { ...toResponse(answer), status: 'in_progress', output: [], usage: null, incomplete_details: null }
  const frames: Frame[] = [
    frame({ type: 'response.created', response: begun }),
    frame({ type: 'response.in_progress', response: begun }),
  ]
  let index = 0
  for (const block of answer.blocks) {
    if (block.type === 'hold') frames.push({ gate: block.gate })
    else {
      frames.push(...itemEvents(block, itemId(answer, index), index).map(frame))
      index++
    }
  }
  if (answer.finish !== 'none') {
    const response = toResponse(answer)
    frames.push(
      frame({ type: response.status === 'completed' ? 'response.completed' : 'response.incomplete', response }),
    )
  }
  return frames
}

/** Token counts as the Responses API names them. */
export function toResponsesUsage({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  }
}

function toResponse(answer: Answer): { readonly status: string } & Readonly<Record<string, unknown>> {
  const reasons: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' }
  const reason = reasons[answer.finish]
  const cut = reason !== undefined || answer.finish === 'none'
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: answer.createdAt,
    status: cut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: null,
    metadata: {},
    model: answer.model,
    output: answer.blocks
      .filter(({ type }) => type !== 'hold')
      .map((block, index) => toItem(block, itemId(answer, index))),
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: toResponsesUsage(answer.usage),
  }
}

function itemId({ id }: Answer, index: number): string {
  return `${id}_${index + 1}`
}

/** The finished item of a block. */
function toItem(block: AnswerBlock, id: string): object {
  switch (block.type) {
    case 'text':
      return toMessage(id, [{ type: 'output_text', text: block.deltas.join(''), annotations: [], logprobs: [] }])
    case 'refusal':
      return toMessage(id, [{ type: 'refusal', refusal: block.deltas.join('') }])
    case 'reasoning':
      return toReasoning(id, [{ type: 'summary_text', text: block.deltas.join('') }])
    case 'toolCall':
      return toCall(block, id, block.input, 'completed')
    case 'responsesItem':
      return block.item as object
    case 'hold':
      return {}
  }
}

function toMessage(id: string, content: readonly object[], status = 'completed'): object {
  return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content }
}

function toReasoning(id: string, summary: readonly object[]): object {
  return { id: `rs_${id}`, type: 'reasoning', summary, encrypted_content: `replay-${id}` }
}

function toCall(
  { id: callId, name, namespace, custom }: AnswerCall,
  id: string,
  input: string,
  status: string,
): object {
  const within = namespace === undefined ? {} : { namespace }
  return custom
    ? { id: `ctc_${id}`, type: 'custom_tool_call', status, call_id: callId, name, ...within, input }
    : { id: `fc_${id}`, type: 'function_call', status, call_id: callId, name, ...within, arguments: input }
}

function itemEvents(block: Exclude<AnswerBlock, { type: 'hold' }>, id: string, index: number): Event[] {
  const done = { type: 'response.output_item.done', output_index: index, item: toItem(block, id) }
  const added = (item: object) => ({ type: 'response.output_item.added', output_index: index, item })
  switch (block.type) {
    case 'text':
      return [
        added(toMessage(id, [], 'in_progress')),
        ...partEvents('output_text', block.deltas, `msg_${id}`, index),
        done,
      ]
    case 'refusal':
      return [added(toMessage(id, [], 'in_progress')), ...partEvents('refusal', block.deltas, `msg_${id}`, index), done]
    case 'reasoning':
      return [added(toReasoning(id, [])), ...summaryEvents(block.deltas, `rs_${id}`, index), done]
    case 'toolCall':
      return [added(toCall(block, id, '', 'in_progress')), ...inputEvents(block, id, index), done]
    case 'responsesItem':
      return [added(block.item as object), done]
  }
}

function partEvents(
  kind: 'output_text' | 'refusal',
  deltas: readonly string[],
  itemId: string,
  index: number,
): Event[] {
  const at = { item_id: itemId, output_index: index, content_index: 0 }
  const whole = deltas.join('')
  const part = (text: string) =>
    kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, text, annotations: [], logprobs: [] }
  const logprobs = kind === 'refusal' ? {} : { logprobs: [] }
  return [
    { type: 'response.content_part.added', ...at, part: part('') },
    ...deltas.map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, ...logprobs })),
    {
      type: `response.${kind}.done`,
      ...at,
      ...(kind === 'refusal' ? { refusal: whole } : { text: whole }),
      ...logprobs,
    },
    { type: 'response.content_part.done', ...at, part: part(whole) },
  ]
}

function summaryEvents(deltas: readonly string[], itemId: string, index: number): Event[] {
  const at = { item_id: itemId, output_index: index, summary_index: 0 }
  const text = deltas.join('')
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    ...deltas.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } },
  ]
}

function inputEvents({ custom, input, name }: AnswerCall, id: string, index: number): Event[] {
  const at = { item_id: `${custom ? 'ctc' : 'fc'}_${id}`, output_index: index }
  const kind = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  return [
    ...halves(input).map((delta) => ({ type: `${kind}.delta`, ...at, delta })),
    { type: `${kind}.done`, ...at, ...(custom ? { input } : { name, arguments: input }) },
  ]
}
