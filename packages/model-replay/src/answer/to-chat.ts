/** Writes an answer as Chat Completions: one JSON body, or server-sent events. @see https://platform.openai.com/docs/api-reference/chat/streaming */
import type { Finish, Usage } from '../script/script.ts'
import type { Answer, AnswerCall, Frame } from './answer.ts'
import { halves } from './halves.ts'

/** The body of an answer that is not streamed. */
export function toChatBody(answer: Answer): string {
  const texts = (type: 'text' | 'reasoning' | 'refusal') =>
    answer.blocks.flatMap((block) => (block.type === type ? block.deltas : [])).join('')
  const calls = answer.blocks.filter((block) => block.type === 'toolCall')
  const reasoning = texts('reasoning')
  const refusal = texts('refusal')
  const message = {
    role: 'assistant',
    content: texts('text') || (calls.length > 0 || refusal !== '' ? null : ''),
    refusal: refusal === '' ? null : refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toCall) }),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: toFinish(answer.finish) }
  return JSON.stringify({ ...head(answer, 'chat.completion'), choices: [choice], usage: toChatUsage(answer.usage) })
}

/** The events of a streamed answer; usage comes in a chunk of its own when the client asked for it. */
export function toChatFrames(answer: Answer, includeUsage: boolean): Frame[] {
  const start = JSON.stringify(head(answer, 'chat.completion.chunk')).slice(0, -1)
  const frame = (body: object) => `data: ${start},${JSON.stringify(body).slice(1)}\n\n`
  const delta = (content: object, finish: string | null = null) =>
    frame({ choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }] })
  const frames: Frame[] = [delta({ role: 'assistant', content: '' })]
  let calls = 0
  for (const block of answer.blocks) {
    switch (block.type) {
      case 'text':
        frames.push(...block.deltas.map((content) => delta({ content })))
        break
      case 'reasoning':
        frames.push(...block.deltas.map((text) => delta({ reasoning_content: text })))
        break
      case 'refusal':
        frames.push(...block.deltas.map((refusal) => delta({ refusal })))
        break
      case 'toolCall':
        frames.push(...callDeltas(block, calls++).map((call) => delta({ tool_calls: [call] })))
        break
      case 'hold':
        frames.push({ gate: block.gate })
        break
      case 'responsesItem':
        break
    }
  }
  if (answer.finish !== 'none') frames.push(delta({}, toFinish(answer.finish)))
  if (includeUsage) frames.push(frame({ choices: [], usage: toChatUsage(answer.usage) }))
  return [...frames, 'data: [DONE]\n\n']
}

/** Token counts as Chat Completions names them, with DeepSeek's `prompt_cache_*` beside them. */
export function toChatUsage({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
    prompt_cache_hit_tokens: cachedInputTokens,
    prompt_cache_miss_tokens: inputTokens - cachedInputTokens,
  }
}

function head({ id, createdAt, model }: Answer, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: createdAt, model }
}

function toFinish(finish: Finish): string | null {
  if (finish === 'none') return null
  return finish === 'refusal' ? 'stop' : finish
}

function toCall({ id, name, custom, input }: AnswerCall): object {
  return custom
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: input } }
}

/** Id and name once, then the input in two fragments, as the services do. */
function callDeltas({ id, name, custom, input }: AnswerCall, index: number): object[] {
  const parts = halves(input)
  return custom
    ? [
        { index, id, type: 'custom', custom: { name, input: '' } },
        ...parts.map((part) => ({ index, custom: { input: part } })),
      ]
    : [
        { index, id, type: 'function', function: { name, arguments: '' } },
        ...parts.map((part) => ({ index, function: { arguments: part } })),
      ]
}
