/** One request and its answer, from the head to the last byte. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, makeAnswer } from '../answer/answer.ts'
import { type ErrorAnswer, toErrorBody } from '../answer/to-error.ts'
import { toErrorEvents } from '../answer/to-error-event.ts'
import { type Ask, AskError, type Dialect } from '../ask/ask.ts'
import { readCaller } from '../ask/caller.ts'
import { readBody } from '../ask/read.ts'
import type { Mix } from '../faults/mix.ts'
import { namedError } from '../faults/named-errors.ts'
import { sendFaulty, type Whole } from '../faults/send-faulty.ts'
import type { Book, Found } from '../match/book.ts'
import { fillPlaceholders } from '../script/placeholders.ts'
import type { FaultKind } from '../script/schema.ts'
import { type Fault, resolveFault, type Script, type Turn } from '../script/script.ts'
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
  readonly mix: Mix | undefined
  /** Stops listening for that many milliseconds. */
  readonly refuse: (forMs: number) => void
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

type ScriptedError = ErrorAnswer & { readonly retryAfter?: string | number }

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
      const { message, status } = toAskError(error)
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
    const drawn = this.#shared.mix?.draw(ask)
    if (drawn !== undefined) {
      await this.#sendDrawn(drawn, ask)
      return
    }
    const found = this.#shared.book.next(ask)
    if (typeof found === 'string') throw new AskError(found)
    const { run, turn, turnIndex } = found
    if (found.repeated) this.#forgiveCut(run.number)
    Object.assign(this.#record, { conversation: run.conversation.name, run: run.number, turn: turn.name })
    const id = `r${run.number}_t${turnIndex + 1}_${run.served[turnIndex] ?? 0}`
    if (turn.delayMs > 0) await delay(turn.delayMs, undefined, { signal: this.#left.signal })
    run.retryDue = turn.error !== undefined || turn.fault !== undefined || turn.finish === 'none'
    if (turn.error !== undefined) this.#fail(turn.error, ask, id, turn)
    else await this.#sendAnswer(this.#makeAnswer(ask, found, id), ask, turn)
  }

  #makeAnswer(ask: Ask, { run, turn }: Found, id: string): Answer {
    const plain = makeAnswer(turn, ask, id, (text) => fillPlaceholders(text, ask))
    const answer: Answer = turn.fault?.kind === 'empty' ? { ...plain, blocks: [], finish: 'stop' } : plain
    for (const block of answer.blocks) if (block.type === 'toolCall') this.#shared.book.issued(run, block.id)
    if (ask.dialect === 'responses') this.#shared.memory.keep(ask, answer)
    this.#record.usage = answer.usage
    return answer
  }

  async #sendAnswer(answer: Answer, ask: Ask, turn: Turn): Promise<void> {
    const named = turn.fault && namedError(turn.fault.kind, ask.dialect)
    if (named !== undefined) {
      this.#fail(named, ask, answer.id, turn)
      return
    }
    const dialect = dialects[ask.dialect]
    const headers = { ...(ask.stream ? STREAM_HEADERS : JSON_HEADERS), ...turn.headers }
    this.#record.cutAccepted = answer.finish === 'none' || turn.fault?.kind === 'early-end'
    this.#begin(200)
    const frames = ask.stream ? dialect.toFrames(answer, ask) : [dialect.toBody(answer)]
    if (turn.fault !== undefined) {
      this.#record.outcome = 'faulted'
      const body = frames.filter((frame) => typeof frame === 'string').join('')
      await this.#spoil(turn.fault, { headers, body, streamed: ask.stream })
      return
    }
    this.#response.writeHead(200, headers)
    await sendFrames(this.#response, frames, {
      chunkDelayMs: turn.chunkDelayMs,
      waitAt: (gate, signal) => this.#shared.gates.wait(gate, signal),
      signal: this.#left.signal,
    })
    this.#record.outcome = 'answered'
  }

  /** A fault of the random mix. No turn is taken: the client that asks again gets it. */
  async #sendDrawn(drawn: FaultKind | number, ask: Ask): Promise<void> {
    this.#record.drawnFault = drawn
    const named = typeof drawn === 'number' ? { status: drawn } : namedError(drawn, ask.dialect)
    if (named !== undefined) {
      this.#fail(named, ask, `n${this.#record.number}`)
      return
    }
    this.#begin(200)
    this.#record.outcome = 'faulted'
    const answer = filler(ask, `n${this.#record.number}`, drawn === 'empty')
    const frames = ask.stream ? dialects[ask.dialect].toFrames(answer, ask) : [dialects[ask.dialect].toBody(answer)]
    const headers = ask.stream ? STREAM_HEADERS : JSON_HEADERS
    const body = frames.filter((frame) => typeof frame === 'string').join('')
    await this.#spoil(resolveFault({ kind: drawn as FaultKind }), { headers, body, streamed: ask.stream })
  }

  async #spoil(fault: Fault, whole: Whole): Promise<void> {
    await sendFaulty(fault, this.#response, whole, { signal: this.#left.signal, refuse: this.#shared.refuse })
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

  /** A scripted error: an HTTP status, or events within a stream for status 200 and for a context overflow of the Responses API. */
  #fail(error: ScriptedError, ask: Ask, id: string, turn?: Turn): void {
    this.#record.outcome = 'faulted'
    const { retryAfter } = error
    const headers = { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...turn?.headers }
    const inStream = error.status === 200 || (ask.dialect === 'responses' && error.code === 'context_length_exceeded')
    if (!inStream || !ask.stream) {
      this.#send(error.status === 200 ? 500 : error.status, toErrorBody(error, ask.dialect), headers)
      return
    }
    this.#begin(200)
    this.#response.writeHead(200, { ...STREAM_HEADERS, ...headers })
    this.#response.end(toErrorEvents(error, ask, id))
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
    this.#begin(status)
    this.#response.writeHead(status, { ...JSON_HEADERS, ...headers })
    this.#response.end(body)
  }

  #begin(status: number): void {
    this.#record.status = status
    this.#record.firstByteMs = performance.now() - this.#startedAt
  }
}

function toAskError(error: unknown): AskError {
  if (error instanceof AskError) return error
  // The stack's end is reached by what the body holds, not by how many there are: nothing here recurses over anything else.
  if (error instanceof RangeError) return new AskError('the body is nested too deeply.')
  return new AskError(`the server itself went wrong: ${String(error)}`, 500)
}

/** An answer for the random mix to spoil. */
function filler({ model }: Ask, id: string, empty: boolean): Answer {
  return {
    id,
    model,
    createdAt: Math.floor(Date.now() / 1000),
    blocks: empty ? [] : [{ type: 'text', deltas: ['This answer will not arrive whole; caf\u00e9.'] }],
    finish: 'stop',
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
  }
}

function toModel(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'model-replay' }
}

function openRecord(number: number, { method = '', url = '', headers }: IncomingMessage): OpenRecord {
  return {
    number,
    atMs: Date.now(),
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
    drawnFault: undefined,
  }
}
