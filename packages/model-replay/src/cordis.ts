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
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { failAtExit } from './fail-at-exit.ts'
import type { ScriptObject } from './script/schema.ts'
import { type ReplayServer, startReplayServer } from './serve/server.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The replay server of this app. The plugin closes it; don't close it yourself. */
    modelReplay: ReplayServer
  }
}

/** Configuration of the plugin. */
export interface Config {
  /** A script, or the path of one: relative to the config file that names the plugin. */
  readonly script: string | ScriptObject
  /** Port on 127.0.0.1. Default: 0, a free one. */
  readonly port?: number
  /**
   * Whether a process that would exit with 0 exits with 1, and says why, when a request was refused, a cut answer was taken as whole
   * or a turn was left over. Default: whether the app runs under the harness, which sets LOADER_SMOKE_REPORT.
   */
  readonly strict?: boolean
}

export const name = 'model-replay'
export const provide = 'modelReplay'

/**
 * Starts the server, provides it, and closes it when the plugin unloads.
 * @throws TypeError for a config without a script, ScriptError for a script that can't be used
 */
export async function apply(ctx: Context, config: Config): Promise<void> {
  checkConfig(config)
  const { script, strict = process.env['LOADER_SMOKE_REPORT'] !== undefined, ...rest } = config
  const path = typeof script === 'string' ? fileURLToPath(new URL(script, ctx.baseUrl ?? cwdUrl())) : script
  const server = await startReplayServer({ ...rest, script: path })
  ctx.effect(() => () => server.close(), 'model-replay server')
  if (strict) failAtExit(() => server.deviations())
  ctx.provide('modelReplay', server)
}

const KEYS = ['script', 'port', 'strict']

function checkConfig(config: unknown): asserts config is Config {
  const given: Readonly<Record<string, unknown>> = (config ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0)
    throw new TypeError(`model-replay: config has ${unknown.join(', ')}; allowed: ${KEYS.join(', ')}.`)
  if (typeof given['script'] !== 'string' && typeof given['script'] !== 'object')
    throw new TypeError('model-replay: config.script is missing; expected the path of a script, such as ./model.yml.')
  if (given['strict'] !== undefined && typeof given['strict'] !== 'boolean')
    throw new TypeError(`model-replay: config.strict is ${JSON.stringify(given['strict'])}; expected true or false.`)
}

function cwdUrl(): URL {
  return new URL(`file://${process.cwd()}/`)
}
