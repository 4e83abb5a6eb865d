/**
 * Cordis plugin: starts a replay server with the app and provides it as the service `modelReplay`.
 *
 * ```yaml
 * - id: model-replay
 *   name: '@loader-smoke/model-replay/cordis'
 *   config: { script: ./model.yml }
 * - id: llm-deepseek
 *   name: '@deepseek-ai/dsh-llm-deepseek'
 *   inject: [modelReplay]
 *   config: { baseURL: !!js modelReplay.url }
 * ```
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { openRecordedServer, type RecordedServer } from './record/recorded-server.ts'
import type { ScriptObject } from './script/schema.ts'
import { openServer, type ReplayServer } from './serve/server.ts'
import { REPORT_ENV, tellAtExit } from './tell-at-exit.ts'

/** Playing a script, or a recording. */
export type ModelServer = ReplayServer | RecordedServer

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The replay server of this app. The plugin closes it; don't close it yourself. */
    modelReplay: ModelServer
  }
}

/** Configuration of the plugin: a script, or a recording. Paths are relative to the config file that names the plugin. */
export interface Config {
  /** A script, or the path of one. */
  readonly script?: string | ScriptObject
  /** The path of a recording, instead of a script. LOADER_SMOKE_REPLAY says whether it is played or made. */
  readonly recording?: string
  /** The real provider, to record from; see `RecordedOptions`. */
  readonly upstream?: string
  /** Port on 127.0.0.1. Default: 0, a free one. */
  readonly port?: number
  /**
   * Whether it counts that a request was refused, a cut answer was taken as whole or a turn was left over: under the harness, which sets
   * LOADER_SMOKE_REPORT, the smoke fails for it; else a process that would exit with 0 exits with 1 and says why. Default: under the harness.
   */
  readonly strict?: boolean
}

export const name = 'model-replay'
export const provide = 'modelReplay'

/**
 * Starts the server, provides it, and closes it when the plugin unloads.
 * @throws TypeError for a config without a script or recording, ScriptError or RecordingError for one that can't be used
 */
export async function apply(ctx: Context, config: Config): Promise<void> {
  checkConfig(config)
  const { strict = process.env[REPORT_ENV] !== undefined } = config
  const model = await open(ctx, config)
  ctx.effect(() => () => model.server.close(), 'model-replay server')
  if (strict) tellAtExit(model)
  ctx.provide('modelReplay', model.server)
}

async function open(
  ctx: Context,
  { script, recording, upstream, port = 0 }: Config,
): Promise<{ readonly server: ModelServer; readonly listUnused: () => string[] }> {
  const toPath = (path: string) => fileURLToPath(new URL(path, ctx.baseUrl ?? cwdUrl()))
  if (recording === undefined)
    return openServer({ port, script: typeof script === 'string' ? toPath(script) : (script ?? {}) })
  return openRecordedServer({ port, recording: toPath(recording), ...(upstream === undefined ? {} : { upstream }) })
}

const KEYS = ['script', 'recording', 'upstream', 'port', 'strict']

function checkConfig(config: unknown): asserts config is Config {
  const given: Readonly<Record<string, unknown>> = (config ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0)
    throw new TypeError(`model-replay: config has ${unknown.join(', ')}; allowed: ${KEYS.join(', ')}.`)
  const { script, recording, upstream, strict } = given
  if (script !== undefined && recording !== undefined)
    throw new TypeError('model-replay: config has script and recording; expected one of them.')
  if (typeof script !== 'string' && typeof script !== 'object' && typeof recording !== 'string')
    throw new TypeError(
      'model-replay: config.script is missing; expected the path of a script, such as ./model.yml, or recording.',
    )
  if (upstream !== undefined && typeof upstream !== 'string')
    throw new TypeError(`model-replay: config.upstream is ${JSON.stringify(upstream)}; expected an address.`)
  if (strict !== undefined && typeof strict !== 'boolean')
    throw new TypeError(`model-replay: config.strict is ${JSON.stringify(strict)}; expected true or false.`)
}

function cwdUrl(): URL {
  return new URL(`${pathToFileURL(process.cwd()).href}/`)
}
