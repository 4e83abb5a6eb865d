/** One request and its answer, from the head to the last byte. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, makeAnswer } from '../answer/answer.ts'
import { type ErrorAnswer, toErrorBody } from '../answer/to-error.ts'
import { type Ask, AskError, type Dialect } from '../ask/ask.ts'
import { readCaller } from '../ask/caller.ts'
import { readBody } from '../ask/read.ts'
import type { Book, Found } from '../match/book.ts'
import { fillPlaceholders } from '../script/placeholders.ts'
import type { Script } from '../script/script.ts'
import { dialects } from './dialects.ts'
import type { Gates } from './gates.ts'
import { checkHost } from './guard.ts'
import { readRequest } from './read-request.ts'
import type { Memory } from './memory.ts'
import { maskHeaders, type OpenRecord } from './records.ts'
import { findRoute, KNOWN_PATHS } from './routes.ts'
import { sendFrames } from './send.ts'

/** What every exchange of one server shares. */
export interface Shared {
  readonly script: Script
  readonly book: Book
  readonly gates: Gates
  readonly memory: Memory
  readonly requests: OpenRecord[]
  readonly maxBodyBytes: number
}

export class Exchange {
  readonly #shared: Shared
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #record: OpenRecord
  readonly #startedAt = performance.now()
  readonly #left = new AbortController()

  constructor(shared: Shared, request: IncomingMessage, response: ServerResponse) {
    this.#shared = shared
    this.#request = request
    this.#response = response
    this.#record = openRecord(shared.requests.length + 1, request)
    shared.requests.push(this.#record)
  }

  /** Never rejects: what goes wrong is an answer, or the client has left. */
  async run(): Promise<void> {
    this.#response.once('close', () => {
      this.#record.totalMs = performance.now() - this.#startedAt
      if (this.#record.outcome === 'pending') this.#record.outcome = 'abandoned'
      this.#left.abort(new Error('the client left'))
    })
    try {
      await this.#answer()
    } catch (error) {
      if (this.#left.signal.aborted) return
      const { message, status } = error instanceof AskError ? error : new AskError(String(error), 500)
      this.#refuse(status, message)
    }
  }

  async #answer(): Promise<void> {
    checkHost(this.#request.headers)
    const { method = '', url = '' } = this.#request
    const route = findRoute(method, url)
    this.#record.dialect = route?.kind === 'ask' ? route.dialect : undefined
    const text = await readRequest(this.#request, this.#shared.maxBodyBytes)
    if (route === undefined) {
      this.#record.body = text === '' ? undefined : text
      throw new AskError(`there is nothing at ${method} ${url}; expected ${KNOWN_PATHS}.`, 404)
    }
    if (route.kind === 'models') this.#sendModels(route.id)
    else await this.#sendTurn(this.#readAsk(text, route.dialect))
  }

  #readAsk(text: string, dialect: Dialect): Ask {
    this.#record.body = text
    const body = readBody(text)
    this.#record.body = body
    const caller = readCaller(this.#request.headers, this.#shared.script.threadHeader)
    const ask = dialects[dialect].read(body, caller, (id) => this.#shared.memory.recall(id))
    this.#record.model = ask.model
    this.#record.thread = ask.thread
    return ask
  }

  async #sendTurn(ask: Ask): Promise<void> {
    const found = this.#shared.book.next(ask)
    if (typeof found === 'string') throw new AskError(found)
    const { run, turn, turnIndex } = found
    if (found.repeated) this.#forgiveCut(run.number)
    Object.assign(this.#record, { conversation: run.conversation.name, run: run.number, turn: turn.name })
    const id = `r${run.number}_t${turnIndex + 1}_${run.served[turnIndex] ?? 0}`
    if (turn.delayMs > 0) await delay(turn.delayMs, undefined, { signal: this.#left.signal })
    if (turn.error !== undefined) {
      this.#fail(turn.error, turn.error.retryAfter, turn.headers)
      return
    }
    const answer = makeAnswer(turn, ask, id, (text) => fillPlaceholders(text, ask))
    for (const block of answer.blocks) if (block.type === 'toolCall') this.#shared.book.issued(run, block.id)
    if (ask.dialect === 'responses') this.#shared.memory.keep(ask, answer)
    this.#record.usage = answer.usage
    this.#record.cutAccepted = answer.finish === 'none'
    await this.#sendAnswer(answer, ask, found)
    this.#record.outcome = 'answered'
    found.run.retryDue = this.#record.cutAccepted
  }

  async #sendAnswer(answer: Answer, ask: Ask, { turn }: Found): Promise<void> {
    const dialect = dialects[ask.dialect]
    this.#record.status = 200
    this.#record.firstByteMs = performance.now() - this.#startedAt
    if (!ask.stream) {
      this.#response.writeHead(200, { 'content-type': 'application/json', ...turn.headers })
      this.#response.end(dialect.toBody(answer))
      return
    }
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...turn.headers }
    this.#response.writeHead(200, headers)
    await sendFrames(this.#response, dialect.toFrames(answer, ask), {
      chunkDelayMs: turn.chunkDelayMs,
      waitAt: (gate, signal) => this.#shared.gates.wait(gate, signal),
      signal: this.#left.signal,
    })
  }

  /** The client asked again, so it noticed that the answer before was cut off. */
  #forgiveCut(run: number): void {
    const before = this.#shared.requests.findLast((record) => record.run === run)
    if (before !== undefined) before.cutAccepted = false
  }

  #sendModels(id: string | undefined): void {
    const { models } = this.#shared.script
    if (id !== undefined && !models.includes(id))
      throw new AskError(`the script lists no model ${JSON.stringify(id)}.`, 404)
    const body = id === undefined ? { object: 'list', data: models.map(toModel) } : toModel(id)
    this.#send(200, JSON.stringify(body))
    this.#record.outcome = 'answered'
  }

  #fail(error: ErrorAnswer, retryAfter: string | number | undefined, headers: Readonly<Record<string, string>>): void {
    const after = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    this.#send(error.status, toErrorBody(error, this.#record.dialect), { ...after, ...headers })
    this.#record.outcome = 'faulted'
  }

  /** An answer that the script did not ask for. The connection is closed when the body was not read to its end. */
  #refuse(status: number, reason: string): void {
    this.#record.refusal = reason
    this.#record.outcome = 'refused'
    if (this.#response.headersSent) {
      this.#response.destroy()
      return
    }
    const message = `model-replay: ${reason}`
    const close = this.#request.complete ? {} : { connection: 'close' }
    this.#send(status, toErrorBody({ status, message, code: 'replay_refused' }, this.#record.dialect), close)
  }

  #send(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#record.status = status
    this.#record.firstByteMs = performance.now() - this.#startedAt
    this.#response.writeHead(status, { 'content-type': 'application/json', ...headers })
    this.#response.end(body)
  }
}

function toModel(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'model-replay' }
}

function openRecord(number: number, { method = '', url = '', headers }: IncomingMessage): OpenRecord {
  return {
    number,
    method,
    path: url,
    headers: maskHeaders(headers),
    body: undefined,
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
  }
}
