/** One request and its answer, from the head to the last byte, whoever knows the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toErrorBody } from '../answer/to-error.ts'
import { AskError } from '../ask/ask.ts'
import { checkHost } from './guard.ts'
import type { LoggedRequest, RequestLog } from './request-log.ts'

/** Answers a request, or throws an AskError to refuse it. */
export type Answering = (exchange: Exchange) => Promise<void>

const JSON_HEADERS = { 'content-type': 'application/json' }

/** A request that came and the response that it gets, with its record. Ends with the response. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly record: LoggedRequest
  readonly #log: RequestLog
  readonly #startedAt = performance.now()
  #closed = false
  #leave: AbortController | undefined

  /** Adds its record to `log`. */
  constructor(log: RequestLog, request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.#log = log
    this.record = log.open(request)
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

  /** Notes the body for the record. */
  keepBody(text: string): void {
    this.#log.keepBody(this.record, text)
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
