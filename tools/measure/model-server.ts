/**
 * A model server in a process of its own, for benchmarks: `ours`, `aimock`, or `minimal`, the smallest that reads what it is asked and that a client is content with.
 * All say the same sentence to whatever comes. Sends `{ url }` to its parent, and `{ rss }` for every message from it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ServerKind = 'ours' | 'minimal' | 'aimock'

const SENTENCE = 'All of it is here.'

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const ITEM = {
  type: 'message',
  id: 'i',
  role: 'assistant',
  content: [{ type: 'output_text', text: SENTENCE, annotations: [] }],
}
const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
}
const RESPONSES = [
  event('response.created', { response: { id: 'r' } }),
  event('response.output_item.done', { output_index: 0, item: ITEM }),
  event('response.completed', { response: { id: 'r', usage: USAGE } }),
].join('')
const CHAT = `${chunk({ role: 'assistant', content: SENTENCE }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`

const starts: Readonly<Record<ServerKind, () => Promise<string>>> = {
  async ours() {
    const { startReplayServer } = await import('@loader-smoke/model-replay')
    return (await startReplayServer({ script: { for: 'each', turns: [{ text: SENTENCE }] } })).url
  },
  async aimock() {
    const { LLMock } = await import('@copilotkit/aimock')
    return new LLMock({ port: 0 }).onMessage(/^/, { content: SENTENCE }).start()
  },
  minimal() {
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.once('end', () => {
        JSON.parse(Buffer.concat(parts).toString())
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(request.url?.endsWith('/responses') ? RESPONSES : CHAT)
      })
    })
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    })
  },
}

if (process.send !== undefined) {
  const url = await starts[process.argv[2] as ServerKind]()
  process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit())
  process.send({ url })
}
