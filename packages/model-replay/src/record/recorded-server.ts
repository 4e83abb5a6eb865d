/** The server that plays a recording, or makes one in front of a real provider. */
import { resolve } from 'node:path'
import type { Answering } from '../serve/exchange.ts'
import { Exchange } from '../serve/exchange.ts'
import { checkInteger, openLoopback } from '../serve/loopback.ts'
import { assertConsumed, describeDeviations, listProblems } from '../serve/problems.ts'
import { DEFAULT_MAX_BODY_BYTES } from '../serve/read-request.ts'
import type { RecordedRequest } from '../serve/records.ts'
import { RequestLog } from '../serve/request-log.ts'
import { answerFromTape } from './answer-from-tape.ts'
import { RecordingKeeper } from './keeper.ts'
import { recordingBy, type ReplayMode, resolveReplayMode } from './mode.ts'
import { normaliser } from './normalise.ts'
import { readRecording } from './recording-file.ts'
import { Redactor } from './redact.ts'
import { Tape } from './tape.ts'

/** Options of a server that plays or makes a recording. */
export interface RecordedOptions {
  /** Path of the recording, a .json file; relative to the working directory. */
  readonly recording: string
  /** Default: what the environment's LOADER_SMOKE_REPLAY says, else replay. */
  readonly mode?: ReplayMode
  /** The real provider: what stands before the path that the client asks for at `url`. Needed unless `mode` is replay. */
  readonly upstream?: string
  /** Key for the provider, instead of what the client sends. Default: the environment's LOADER_SMOKE_REPLAY_KEY. */
  readonly apiKey?: string
  /** Further texts, or regular expressions, that must not be kept. */
  readonly redact?: readonly (string | RegExp)[]
  /** Further texts in requests, or regular expressions, that differ from run to run. */
  readonly volatile?: readonly (string | RegExp)[]
  /** Port on 127.0.0.1. Default: 0, a free one. */
  readonly port?: number
  /** Largest request body taken, in bytes. Default: 32 MiB. */
  readonly maxBodyBytes?: number
}

/** A running server. `close` it, or hold it with `await using`; closing also finishes the file. */
export interface RecordedServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly mode: ReplayMode
  /** Every request in order of arrival; `turn` is the exchange of the recording that answered. */
  readonly requests: readonly RecordedRequest[]
  /** One sentence for each request that got no answer, and for each exchange that could not be recorded. */
  problems(): string[]
  /** The text that `assertConsumed` would throw with; undefined when it would not throw. */
  deviations(): string | undefined
  /** @throws AssertionError when there is a problem or, in replay, an exchange that was not asked for */
  assertConsumed(): void
  /** Ends every open connection; resolves when the port is free and the file is written. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that plays or makes a recording.
 * @throws RecordingError when the file can't be read or is no recording
 * @throws TypeError for an unknown mode, for recording in CI, and for recording without an upstream; RangeError for a number out of range
 */
export async function startRecordedServer(options: RecordedOptions): Promise<RecordedServer> {
  return (await openRecordedServer(options)).server
}

/** The server with the exchanges that were not asked for, for reports. Rejects as `startRecordedServer` does. */
export async function openRecordedServer(
  options: RecordedOptions,
): Promise<{ readonly server: RecordedServer; readonly listUnused: () => string[] }> {
  const { port = 0, maxBodyBytes = DEFAULT_MAX_BODY_BYTES, redact = [], volatile = [] } = options
  checkInteger('maxBodyBytes', maxBodyBytes, 1, 1024 * 1024 * 1024)
  const mode = resolveReplayMode(options.mode, process.env)
  const file = resolve(options.recording)
  const upstream =
    mode === 'replay' ? undefined : { base: readUpstream(options.upstream, mode), apiKey: readKey(options) }
  const redactor = new Redactor(redact, process.env)
  if (upstream?.apiKey !== undefined) redactor.learn(upstream.apiKey)
  const tape = new Tape(
    mode === 'record' ? [] : await readRecording(file, recordingBy('record', options.mode)),
    recordingBy('update', options.mode),
  )
  const keeper = upstream && new RecordingKeeper(file, redactor, tape)
  const log = new RequestLog()
  const requests = log.all
  const shared = { file, tape, keeper, upstream, redactor, normalise: normaliser(volatile), maxBodyBytes }
  const answering: Answering = (exchange) => answerFromTape(shared, exchange)
  const loopback = await openLoopback(port, (request, response) => {
    void new Exchange(log, request, response).run(answering)
  })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= loopback.close().then(() => keeper?.finish()))
  const listUnused = () => (mode === 'replay' ? tape.unused() : [])
  const problems = () => [...listProblems(requests), ...(keeper?.problems ?? [])]
  const rest = () => [...(keeper?.problems ?? []), ...listUnused()]
  const server: RecordedServer = {
    url: loopback.url,
    port: loopback.port,
    mode,
    requests,
    problems,
    deviations: () => describeDeviations(file, requests, rest()),
    assertConsumed: () => assertConsumed(file, requests, rest()),
    close,
    [Symbol.asyncDispose]: close,
  }
  return { server, listUnused }
}

function readUpstream(upstream: string | undefined, mode: ReplayMode): URL {
  if (upstream === undefined || !/^https?:/.test(upstream) || !URL.canParse(upstream))
    throw new TypeError(
      `model-replay: upstream is ${JSON.stringify(upstream ?? null)}; to ${mode}, expected the provider's address, such as https://api.openai.com.`,
    )
  return new URL(upstream)
}

function readKey({ apiKey }: RecordedOptions): string | undefined {
  return apiKey ?? process.env['LOADER_SMOKE_REPLAY_KEY']
}
