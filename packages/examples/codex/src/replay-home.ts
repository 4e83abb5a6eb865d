/**
 * Cordis plugin of the smoke: an account folder for Codex whose model is the replay server, provided as the service `codexHome`.
 * It takes the place of `codex login`: a custom provider on loopback needs no key and no account.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import '@loader-smoke/model-replay/cordis'

declare module '@deepseek-ai/cordis' {
  interface Context {
    codexHome: CodexHome
  }
}

/** The account folder. */
export interface CodexHome {
  /** Absolute path; the value of `CODEX_HOME`. */
  readonly path: string
}

/** Configuration of the plugin. */
export interface Config {
  /** Absolute path of the folder; created when missing, its `config.toml` is overwritten. */
  readonly path: string
  /** The model to name in requests. */
  readonly model: string
}

export const name = 'replay-home'
export const inject = ['modelReplay']
export const provide = 'codexHome'

/** Writes the folder's `config.toml`. @throws TypeError for a wrong option. */
export async function apply(ctx: Context, { path, model }: Config): Promise<void> {
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new TypeError(`replay-home: path must be an absolute path, got ${JSON.stringify(path)}.`)
  if (typeof model !== 'string' || model === '')
    throw new TypeError(`replay-home: model must be the name of a model, got ${JSON.stringify(model)}.`)
  await mkdir(path, { recursive: true, mode: 0o700 })
  await writeFile(join(path, 'config.toml'), configToml(model, ctx.modelReplay.url))
  ctx.provide('codexHome', { path })
}

/** Retries are kept low: a scripted failure must come to its end. @see https://github.com/openai/codex/blob/main/docs/config.md */
function configToml(model: string, url: string): string {
  return `model = ${JSON.stringify(model)}
model_provider = "replay"
check_for_update_on_startup = false

[model_providers.replay]
name = "replay"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 1
`
}
