/** Asks each real client one question and says in a few words what it made of the answer. */
import Anthropic from '@anthropic-ai/sdk'
import { type FaultKind, type ScriptObject, startReplayServer, type TurnObject } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import OpenAI from 'openai'
import { converseDeepseek } from './deepseek-adapter.ts'
import { runCodex } from './run-codex.ts'

/** How long a client waits for a byte before it gives up by itself, in ms. */
const PATIENCE_MS = 4_000

/** The clients write malformed events to the console otherwise. */
const QUIET = { logLevel: 'off' } as const

export const ANSWER = 'All of it: café.'

/** The text that the client took for the model's answer. Rejects with the client's own error. */
type Question = (url: string) => Promise<string>

export const CLIENTS: Readonly<Record<string, Question>> = {
  '`openai` Chat': async (url) => {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 1, timeout: PATIENCE_MS, ...QUIET })
    const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] }
    const stream = client.chat.completions.stream(request, { signal: patience() })
    return (await stream.finalChatCompletion()).choices[0]?.message.content ?? ''
  },
  '`openai` Responses': async (url) => {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 1, timeout: PATIENCE_MS, ...QUIET })
    const stream = client.responses.stream({ model: 'm', input: 'hi' }, { signal: patience() })
    return (await stream.finalResponse()).output_text
  },
  '`@anthropic-ai/sdk`': async (url) => {
    const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 1, timeout: PATIENCE_MS, ...QUIET })
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages }, { signal: patience() })
    return (await stream.finalMessage()).content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  },
  'DeepSeek adapter': async (url) => (await converseDeepseek(url, 'hi')).texts.join(''),
  'Codex CLI': async (url) => {
    await using folder = await tempWorkspace()
    const { exitCode, events } = await runCodex({
      url,
      model: 'mock-model',
      prompt: 'hi',
      folder: folder.path,
      retries: 1,
      provider: `stream_idle_timeout_ms = ${PATIENCE_MS}`,
      deadlineMs: 30_000,
    })
    if (exitCode === null) throw new Error('hangs until it is ended')
    const said = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text ?? ''
    if (exitCode === 0) return said
    const { message } = (events.findLast(({ type }) => type === 'turn.failed')?.['error'] ?? {}) as { message?: string }
    throw new Error(message ?? `exit ${exitCode}`)
  },
}

/** A client's own timeout covers the head of an answer only; the body is given up here, as an app would. */
function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS * 2)
}

/** Everything that can go wrong, by the name in the table. */
export const TROUBLES: Readonly<Record<string, TurnObject>> = {
  ...Object.fromEntries(
    (
      [
        'refuse',
        'reset',
        'stall-before-headers',
        'stall-after-headers',
        'stall-mid-stream',
        'cut',
        'early-end',
        'cut-mid-character',
        'reset-mid-stream',
        'malformed-sse',
        'malformed-json',
        'wrong-content-type',
        'empty-body',
        'empty',
        'slow',
        'overloaded',
        'context-overflow',
        'quota',
      ] satisfies FaultKind[]
    ).map((kind) => [`fault: ${kind}`, { text: ANSWER, fault: kind }]),
  ),
  'finish: none': { text: ANSWER, finish: 'none' },
  'finish: length': { text: ANSWER, finish: 'length' },
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503, 504].map((status) => [
      `error: ${status}`,
      { error: { status } },
    ]),
  ),
  'error: 429, retryAfter: 1': { error: { status: 429, retryAfter: 1 } },
  'error: 200 (within the stream)': { error: { status: 200, message: 'The server had an error.' } },
}

/** What `client` does when the first answer is in `trouble` and the next is well. */
export async function reaction(client: Question, trouble: TurnObject): Promise<string> {
  const script: ScriptObject = { turns: [trouble, { text: ANSWER, times: 'any' }] }
  await using server = await startReplayServer({ script })
  const asked = () => server.requests.length
  try {
    const text = await client(server.url)
    if (text === ANSWER) return asked() > 1 ? 'asks again, then answers' : 'answers'
    return text === '' ? 'takes an empty answer' : 'takes the cut text as whole'
  } catch (error) {
    return `${asked() > 1 ? 'asks again, then ' : ''}error: ${brief(error as Error)}`
  }
}

/** Class of the client's error, with its words where the class alone says little. */
function brief({ name, constructor, message }: Error): string {
  const own = constructor.name === 'Error' ? name : constructor.name
  const plain = message.replaceAll(/https?:\S+/g, 'URL').replaceAll('|', '/')
  const words = (plain.split(/[\n{]/, 1)[0] ?? '').trim().slice(0, 80) || 'the raw body'
  if (own === 'Error') return words
  return ['OpenAIError', 'AnthropicError', 'APIError'].includes(own) ? `${own}: ${words}` : own
}
