/** The smallest client of a model server, and the processes it measures. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { ServerKind } from './model-server.ts'

/** A server in its own process, which is gone when this is disposed. */
export interface MeasuredServer extends AsyncDisposable {
  readonly url: string
  /** Resident memory in bytes. */
  memory(): Promise<number>
}

/** Starts a server from built files, as users have them. */
export async function startMeasured(kind: ServerKind): Promise<MeasuredServer> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = fork(fileURLToPath(new URL('model-server.ts', import.meta.url)), [kind], { env, execArgv: [] })
  const { url } = await answerOf<{ url: string }>(child)
  return {
    url,
    async memory() {
      child.send('memory')
      return (await answerOf<{ rss: number }>(child)).rss
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
  ])) as [T]
  return message
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const SYSTEM = 'You help with code. '.repeat(500)
let asked = 0

/** Asks a question of 10 kB that begins a new conversation. Resolves with the milliseconds to the first byte of the answer's body, after the last. */
export function askOnce(url: string): Promise<number> {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: `question ${++asked}` },
  ]
  const body = JSON.stringify({ model: 'm', stream: true, messages })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const start = performance.now()
    let firstByteMs = NaN
    const request = httpRequest(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (response) => {
      response.once('data', () => (firstByteMs = performance.now() - start))
      response.resume()
      response.once('end', () =>
        response.statusCode === 200 ? resolve(firstByteMs) : reject(new Error(`status ${response.statusCode}`)),
      )
    })
    // A connection that was kept open may be closed by the server in the moment in which it is used again.
    request.once('error', (error) => (request.reusedSocket ? resolve(askOnce(url)) : reject(error)))
    request.end(body)
  })
}

/** Asks `count` questions, `lanes` of them at once. */
export async function askMany(url: string, count: number, lanes: number): Promise<void> {
  let left = count
  const lane = async () => {
    while (left-- > 0) await askOnce(url)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
