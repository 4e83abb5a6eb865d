/** The loopback model server: reads a request, asks the book for its turn, writes the answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { toErrorBody } from '../answer/to-error.ts'
import { Mix } from '../faults/mix.ts'
import { Book } from '../match/book.ts'
import type { ScriptObject } from '../script/schema.ts'
import { loadScript } from '../script/load.ts'
import { Exchange } from './exchange.ts'
import { Gates } from './gates.ts'
import { Memory } from './memory.ts'
import { assertConsumed, describeDeviations, listProblems } from './problems.ts'
import type { OpenRecord, RecordedRequest } from './records.ts'

/** Options of a replay server. */
export interface ReplayOptions {
  /** Path of a .yml, .yaml or .json file, or the script itself. */
  readonly script: string | ScriptObject
  /** Port on 127.0.0.1. Default: 0, a free one. */
  readonly port?: number
  /** Largest request body taken, in bytes. Default: 32 MiB. */
  readonly maxBodyBytes?: number
  /** Where the seed of random faults is said. Default: standard error. */
  readonly log?: (line: string) => void
}

/** A running replay server. `close` it, or hold it with `await using`. */
export interface ReplayServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end; clients that expect `/v1` in their base URL add it. */
  readonly url: string
  readonly port: number
  /** Every request in order of arrival; entries change until their outcome is no longer pending. */
  readonly requests: readonly RecordedRequest[]
  /** Seed of the script's random faults; undefined when it has none. */
  readonly seed: number | undefined
  /** Lets one stream that waits at `hold: gate`, or the next one that comes there, go on. */
  release(gate: string): void
  /** What went wrong so far, one sentence each: refused requests, answers cut off that no client asked for again. */
  problems(): string[]
  /** The text that `assertConsumed` would throw with; undefined when it would not throw. */
  deviations(): string | undefined
  /** @throws AssertionError when a request was refused or a turn was not served as often as the script says */
  assertConsumed(): void
  /** Ends every open connection and resolves when the port is free. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Starts a model server on 127.0.0.1 that answers from a script. It never listens on another address.
 * @throws ScriptError when the script can't be used
 * @throws RangeError for a port or bound out of range; the system's error when the port is taken
 */
export async function startReplayServer(options: ReplayOptions): Promise<ReplayServer> {
  return (await openServer(options)).server
}

/** The server with its book, for reports. Rejects as `startReplayServer` does. */
export async function openServer(
  options: ReplayOptions,
): Promise<{ readonly server: ReplayServer; readonly book: Book }> {
  const { port = 0, maxBodyBytes = 32 * 1024 * 1024 } = options
  checkInteger('port', port, 0, 65_535)
  checkInteger('maxBodyBytes', maxBodyBytes, 1, 1024 * 1024 * 1024)
  const script = await loadScript(options.script)
  const book = new Book(script)
  const gates = new Gates()
  const memory = new Memory()
  const requests: OpenRecord[] = []
  const mix = script.faults && new Mix(script.faults)
  if (mix !== undefined) (options.log ?? console.error)(`model-replay: random faults with seed ${mix.seed}`)
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void new Exchange({ script, book, gates, memory, requests, maxBodyBytes, mix, refuse }, request, response).run()
  const server = createServer({ keepAlive: true, noDelay: true }, answer)
  server.on('clientError', refuseMalformed)
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  let closing: Promise<void> | undefined
  let refusing: NodeJS.Timeout | undefined
  function refuse(forMs: number): void {
    if (closing !== undefined || refusing !== undefined) return
    server.close()
    refusing = setTimeout(() => {
      refusing = undefined
      // Taken by another process meanwhile: every request is refused, which the app under test sees.
      listen(server, bound).catch((error: unknown) => (options.log ?? console.error)(`model-replay: ${String(error)}`))
    }, forMs)
  }
  const close = () => {
    closing ??= new Promise((resolve) => {
      clearTimeout(refusing)
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closing
  }
  const handle: ReplayServer = {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    seed: mix?.seed,
    release: (gate) => gates.release(gate),
    problems: () => listProblems(requests),
    deviations: () => describeDeviations(script.source, requests, book),
    assertConsumed: () => assertConsumed(script.source, requests, book),
    close,
    [Symbol.asyncDispose]: close,
  }
  return { server: handle, book }
}

/** Answers what is no HTTP request: nothing is recorded of it. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = toErrorBody(
    { status: 400, message: `model-replay: this is no HTTP request (${error.code}).` },
    undefined,
  )
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
  socket.end(`${head}\r\n\r\n${body}`)
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function checkInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`model-replay: ${name} is ${value}; expected a whole number from ${min} to ${max}.`)
}
