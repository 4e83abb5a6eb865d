/** The loopback model server: reads a request, asks the book for its turn, writes the answer. */
import { Mix } from '../faults/mix.ts'
import { Book } from '../match/book.ts'
import type { ScriptObject } from '../script/schema.ts'
import { loadScript } from '../script/load.ts'
import { Exchange } from './exchange.ts'
import { Gates } from './gates.ts'
import { checkInteger, openLoopback } from './loopback.ts'
import { Memory } from './memory.ts'
import { assertConsumed, describeDeviations, listProblems, listUnused } from './problems.ts'
import { DEFAULT_MAX_BODY_BYTES } from './read-request.ts'
import type { RecordedRequest } from './records.ts'
import { RequestLog } from './request-log.ts'
import { answerFromScript } from './scripted.ts'

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
  /** Every request in order of arrival; entries change until their outcome is no longer pending, and are `trimmed` when many more came. */
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

/** The server with the turns that were served too seldom, for reports. Rejects as `startReplayServer` does. */
export async function openServer(
  options: ReplayOptions,
): Promise<{ readonly server: ReplayServer; readonly listUnused: () => string[] }> {
  const { port = 0, maxBodyBytes = DEFAULT_MAX_BODY_BYTES, log: say = console.error } = options
  checkInteger('maxBodyBytes', maxBodyBytes, 1, 1024 * 1024 * 1024)
  const script = await loadScript(options.script)
  const book = new Book(script)
  const gates = new Gates()
  const log = new RequestLog()
  const requests = log.all
  const mix = script.faults && new Mix(script.faults)
  if (mix !== undefined) say(`model-replay: random faults with seed ${mix.seed}`)
  // Taken by another process meanwhile: every request is refused, which the app under test sees.
  const lost = (error: unknown) => say(`model-replay: ${String(error)}`)
  const refuse = (forMs: number) => loopback.refuse(forMs, lost)
  const shared = { script, book, gates, memory: new Memory(), requests, maxBodyBytes, mix, refuse }
  const loopback = await openLoopback(port, (request, response) => {
    void new Exchange(log, request, response).run((exchange) => answerFromScript(shared, exchange))
  })
  const server: ReplayServer = {
    url: loopback.url,
    port: loopback.port,
    requests,
    seed: mix?.seed,
    release: (gate) => gates.release(gate),
    problems: () => listProblems(requests),
    deviations: () => describeDeviations(script.source, requests, listUnused(book)),
    assertConsumed: () => assertConsumed(script.source, requests, listUnused(book)),
    close: loopback.close,
    [Symbol.asyncDispose]: loopback.close,
  }
  return { server, listUnused: () => listUnused(book) }
}
