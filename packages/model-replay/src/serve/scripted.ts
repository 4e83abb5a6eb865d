/** Answers requests from a script. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, makeAnswer } from '../answer/answer.ts'
import { type ErrorAnswer, toErrorBody } from '../answer/to-error.ts'
import { toErrorEvents } from '../answer/to-error-event.ts'
import { type Ask, AskError } from '../ask/ask.ts'
import type { Mix } from '../faults/mix.ts'
import { namedError } from '../faults/named-errors.ts'
import { sendFaulty, type Whole } from '../faults/send-faulty.ts'
import type { Book, Found } from '../match/book.ts'
import { fillPlaceholders } from '../script/placeholders.ts'
import type { FaultKind } from '../script/schema.ts'
import { type Fault, resolveFault, type Script, type Turn } from '../script/script.ts'
import { dialects } from './dialects.ts'
import type { Exchange } from './exchange.ts'
import type { Gates } from './gates.ts'
import type { Memory } from './memory.ts'
import { readAsk } from './read-ask.ts'
import { readRequest } from './read-request.ts'
import type { OpenRecord } from './request-log.ts'
import { findRoute, nothingAt } from './routes.ts'
import { sendFrames } from './send.ts'

/** What every exchange of one server shares. */
export interface Shared {
  readonly script: Script
  readonly book: Book
  readonly gates: Gates
  readonly memory: Memory
  readonly requests: readonly OpenRecord[]
  readonly maxBodyBytes: number
  readonly mix: Mix | undefined
  /** Stops listening for that many milliseconds. */
  readonly refuse: (forMs: number) => void
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

type ScriptedError = ErrorAnswer & { readonly retryAfter?: string | number }

/** @throws AskError when the request is not one that the script expects */
export async function answerFromScript(shared: Shared, exchange: Exchange): Promise<void> {
  const { request, record } = exchange
  const { method = '', url = '' } = request
  const route = findRoute(method, url)
  const text = await readRequest(request, shared.maxBodyBytes)
  if (route?.kind === 'ask') {
    record.dialect = route.dialect
    const recall = (id: string) => shared.memory.recall(id)
    await sendTurn(shared, exchange, readAsk(exchange, text, route.dialect, shared.script.threadHeader, recall))
  } else {
    exchange.keepBody(text)
    if (route === undefined) throw nothingAt(method, url)
    sendModels(shared, exchange, route.id)
  }
}

async function sendTurn(shared: Shared, exchange: Exchange, ask: Ask): Promise<void> {
  const drawn = shared.mix?.draw(ask)
  if (drawn !== undefined) {
    await sendDrawn(shared, exchange, drawn, ask)
    return
  }
  const found = shared.book.next(ask)
  if (typeof found === 'string') throw new AskError(found)
  const { run, turn, turnIndex } = found
  if (found.repeated) forgiveCut(shared, run.number)
  Object.assign(exchange.record, { conversation: run.conversation.name, run: run.number, turn: turn.name })
  const id = `r${run.number}_t${turnIndex + 1}_${run.served[turnIndex] ?? 0}`
  if (turn.delayMs > 0) await delay(turn.delayMs, undefined, { signal: exchange.left })
  run.retryDue = turn.error !== undefined || turn.fault !== undefined || turn.finish === 'none'
  if (turn.error !== undefined) sendError(exchange, turn.error, ask, id, turn)
  else await sendAnswer(shared, exchange, answerOf(shared, exchange, ask, found, id), ask, turn)
}

function answerOf(shared: Shared, { record }: Exchange, ask: Ask, { run, turn }: Found, id: string): Answer {
  const plain = makeAnswer(turn, ask, id, (text) => fillPlaceholders(text, ask))
  const answer: Answer = turn.fault?.kind === 'empty' ? { ...plain, blocks: [], finish: 'stop' } : plain
  for (const block of answer.blocks) if (block.type === 'toolCall') shared.book.issued(run, block.id)
  if (ask.dialect === 'responses') shared.memory.keep(ask, answer)
  record.usage = answer.usage
  return answer
}

async function sendAnswer(shared: Shared, exchange: Exchange, answer: Answer, ask: Ask, turn: Turn): Promise<void> {
  const { record, response } = exchange
  const named = turn.fault && namedError(turn.fault.kind, ask.dialect)
  if (named !== undefined) {
    sendError(exchange, named, ask, answer.id, turn)
    return
  }
  const whole = toWhole(answer, ask)
  const headers = { ...whole.headers, ...turn.headers }
  record.cutAccepted = answer.finish === 'none' || turn.fault?.kind === 'early-end'
  exchange.begin(200)
  if (turn.fault !== undefined) {
    record.outcome = 'faulted'
    await spoil(shared, exchange, turn.fault, { ...whole, headers })
    return
  }
  response.writeHead(200, headers)
  await sendFrames(response, whole.frames, {
    chunkDelayMs: turn.chunkDelayMs,
    waitAt: (gate, signal) => shared.gates.wait(gate, signal),
    signal: () => exchange.left,
  })
  record.outcome = 'answered'
}

/** A fault of the random mix. No turn is taken: the client that asks again gets it. */
async function sendDrawn(shared: Shared, exchange: Exchange, drawn: FaultKind | number, ask: Ask): Promise<void> {
  const { record } = exchange
  record.drawnFault = drawn
  const id = `n${record.number}`
  const named = typeof drawn === 'number' ? { status: drawn } : namedError(drawn, ask.dialect)
  if (named !== undefined) {
    sendError(exchange, named, ask, id)
    return
  }
  exchange.begin(200)
  record.outcome = 'faulted'
  const fault = resolveFault({ kind: drawn as FaultKind })
  await spoil(shared, exchange, fault, toWhole(filler(ask, id, drawn === 'empty'), ask))
}

function toWhole(answer: Answer, ask: Ask) {
  const { toFrames, toBody } = dialects[ask.dialect]
  const frames = ask.stream ? toFrames(answer, ask) : [toBody(answer)]
  const body = frames.filter((frame) => typeof frame === 'string').join('')
  return { frames, body, headers: ask.stream ? STREAM_HEADERS : JSON_HEADERS, streamed: ask.stream }
}

async function spoil(shared: Shared, { response, left }: Exchange, fault: Fault, whole: Whole): Promise<void> {
  await sendFaulty(fault, response, whole, { signal: left, refuse: shared.refuse })
}

/** The client asked again, so it noticed that the answer before was cut off. */
function forgiveCut({ requests }: Shared, run: number): void {
  const before = requests.findLast((record) => record.run === run)
  if (before !== undefined) before.cutAccepted = false
}

/** A scripted error: an HTTP status, or events within a stream for status 200 and for a context overflow of the Responses API. */
function sendError(exchange: Exchange, error: ScriptedError, ask: Ask, id: string, turn?: Turn): void {
  exchange.record.outcome = 'faulted'
  const { retryAfter } = error
  const headers = { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...turn?.headers }
  const inStream = error.status === 200 || (ask.dialect === 'responses' && error.code === 'context_length_exceeded')
  if (!inStream || !ask.stream) {
    exchange.send(error.status === 200 ? 500 : error.status, toErrorBody(error, ask.dialect), headers)
    return
  }
  exchange.begin(200)
  exchange.response.writeHead(200, { ...STREAM_HEADERS, ...headers })
  exchange.response.end(toErrorEvents(error, ask, id))
}

function sendModels({ script: { models } }: Shared, exchange: Exchange, id: string | undefined): void {
  if (id !== undefined && !models.includes(id))
    throw new AskError(`the script lists no model ${JSON.stringify(id)}.`, 404)
  const body = id === undefined ? { object: 'list', data: models.map(toModel) } : toModel(id)
  exchange.send(200, JSON.stringify(body))
  exchange.record.outcome = 'answered'
}

function toModel(id: string): object {
  return { id, object: 'model', created: 0, owned_by: 'model-replay' }
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
