/** Hands a request on to the real provider, and its answer back to the client while it comes. */
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import { AskError, type Dialect } from '../ask/ask.ts'
import type { Exchange } from '../serve/exchange.ts'
import { keptHeaders } from './kept-headers.ts'

/** A provider. */
export interface Upstream {
  /** What stands before the path that the app's client asks for at the replay server. */
  readonly base: URL
  /** Replaces the key that the client sends. */
  readonly apiKey: string | undefined
}

/** What came back. */
export interface UpstreamAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Buffer[]
}

/**
 * Sends `body` to the provider and streams the answer through. Resolves when it has come to its end.
 * @throws AskError 502 when the provider can't be reached or breaks off
 */
export async function askUpstream(
  exchange: Exchange,
  body: string,
  { base, apiKey }: Upstream,
): Promise<UpstreamAnswer> {
  const { request, response, record, left } = exchange
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${request.url ?? '/'}`, base)
  // Imported when it is needed: TLS is slow to load, and a replay never needs it.
  const send = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const headers = { ...passedOn(request), ...keyHeader(apiKey, record.dialect), 'accept-encoding': 'identity' }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asking = send(url, { method: request.method, headers, signal: left }, resolve)
    asking.once('error', (error: NodeJS.ErrnoException) =>
      reject(new AskError(`the provider at ${base.origin} did not answer (${error.code ?? error.name}).`, 502)),
    )
    asking.end(body)
  })
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    answer.destroy()
    throw new AskError(`the provider compressed its answer (${encoding}) although identity was asked for.`, 502)
  }
  const status = answer.statusCode ?? 502
  const kept = keptHeaders(answer.headers)
  exchange.begin(status)
  response.writeHead(status, kept)
  const chunks = await passThrough(answer, response)
  return { status, headers: kept, chunks }
}

async function passThrough(answer: IncomingMessage, response: ServerResponse): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      response.write(chunk)
    }
  } catch {
    // The stream throws only when its connection breaks off, on either side.
    throw new AskError('the provider broke off its answer, which was not recorded.', 502)
  }
  response.end()
  return chunks
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'accept-encoding', 'origin'])

function passedOn({ headers }: IncomingMessage): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.has(name))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function keyHeader(apiKey: string | undefined, dialect: Dialect | undefined): Record<string, string> {
  if (apiKey === undefined) return {}
  return dialect === 'messages' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}
