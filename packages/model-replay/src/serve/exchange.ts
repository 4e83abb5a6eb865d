/** One request and its answer, from the head to the last byte, whoever knows the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toErrorBody } from '../answer/to-error.ts'
import { AskError } from '../ask/ask.ts'
import { checkHost } from './guard.ts'
import { maskHeaders, maskQuery, type OpenRecord } from './records.ts'

/** Answers a request, or throws an AskError to refuse it. */
export type Answering = (exchange: Exchange) => Promise<void>

const JSON_HEADERS = { 'content-type': 'application/json' }

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly record: OpenRecord
  readonly #startedAt = performance.now()
  /** Beside the exchange, so that the record of a request doesn't keep its connection in memory. */
  readonly #kept: { body: string | undefined } = { body: undefined }
  #closed = false
  #leave: AbortController | undefined

  /** Adds its record to `requests`. */
  constructor(requests: OpenRecord[], request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.record = openRecord(requests.length + 1, request, this.#kept)
    requests.push(this.record)
  }

  /** Aborted when the client leaves or the server closes, and when the answer is out. Made on demand: most answers need none. */
  get left(): AbortSignal {
    if (this.#leave === undefined) {
      this.#leave = new AbortController()
      if (this.#closed) this.#leave.abort(new Error('the client left'))
    }
    return this.#leave.signal
  }

  /** Never rejects: what goes wrong is an answer, or the client has left. */
  async run(answering: Answering): Promise<void> {
    this.response.once('close', () => {
      this.record.totalMs = performance.now() - this.#startedAt
      if (this.record.outcome === 'pending') this.record.outcome = 'abandoned'
      this.#closed = true
      this.#leave?.abort(new Error('the client left'))
    })
    try {
      checkHost(this.request.headers)
      await answering(this)
    } catch (error) {
      if (this.#closed) return
      this.#refuse(toAskError(error))
    }
  }

  /** Notes the body for the record. It is kept as text and parsed when someone looks: a text is lighter to keep than its objects. */
  keepBody(text: string): void {
    this.#kept.body = text === '' ? undefined : text
  }

  /** Notes the status and the time of the first byte; call it right before the head goes out. */
  begin(status: number): void {
    this.record.status = status
    this.record.firstByteMs = performance.now() - this.#startedAt
  }

  /** Sends a whole JSON answer. */
  send(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.begin(status)
    this.response.writeHead(status, { ...JSON_HEADERS, ...headers })
    this.response.end(body)
  }

  /** The connection is closed when the body was not read to its end. */
  #refuse({ status, message: reason }: AskError): void {
    this.record.refusal = reason
    this.record.outcome = 'refused'
    if (this.response.headersSent) {
      this.response.destroy()
      return
    }
    const message = `model-replay: ${reason}`
    const close = this.request.complete ? {} : { connection: 'close' }
    this.send(status, toErrorBody({ status, message, code: 'replay_refused' }, this.record.dialect), close)
  }
}

function toAskError(error: unknown): AskError {
  if (error instanceof AskError) return error
  // The stack's end is reached by what the body holds, not by how many there are: nothing here recurses over anything else.
  if (error instanceof RangeError) return new AskError('the body is nested too deeply.')
  return new AskError(`the server itself went wrong: ${String(error)}`, 500)
}

function openRecord(
  number: number,
  { method = '', url = '', headers }: IncomingMessage,
  kept: { readonly body: string | undefined },
): OpenRecord {
  return {
    number,
    atMs: Date.now(),
    method,
    path: maskQuery(url),
    headers: maskHeaders(headers),
    get body() {
      return parseBody(kept.body)
    },
    dialect: undefined,
    model: undefined,
    thread: undefined,
    conversation: undefined,
    run: undefined,
    turn: undefined,
    status: undefined,
    usage: undefined,
    firstByteMs: undefined,
    totalMs: undefined,
    outcome: 'pending',
    refusal: undefined,
    cutAccepted: false,
    drawnFault: undefined,
  }
}

function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the text itself is what came.
    return text
  }
}
