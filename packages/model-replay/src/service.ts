/** The replay server as a service of a smoke run: started outside the child before it, its address passed in, its requests in the verdict. */
import { resolve } from 'node:path'
import { recordingBy, resolveReplayMode } from './record/mode.ts'
import { readRecording } from './record/recording-file.ts'
import { openRecordedServer, type RecordedOptions } from './record/recorded-server.ts'
import { requestRows, type RequestRow } from './report/request-table.ts'
import { listProblems } from './serve/problems.ts'
import { loadScript } from './script/load.ts'
import type { ScriptObject } from './script/schema.ts'
import { openServer } from './serve/server.ts'

/** Options of `model`, as targets and `smoke.config` write them: a script, or a recording with where it comes from. */
export type ModelOptions =
  /** Path of a script, or the script itself. */
  { readonly script: string | ScriptObject } | Omit<RecordedOptions, 'port'>

/** A started model service; the shape that the harness' `services` asks for. */
export interface RunningModelService {
  /**
   * Addresses under the names that clients read: `LOADER_SMOKE_MODEL_URL`, `DEEPSEEK_BASE_URL`, `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`;
   * and under each of their key names a placeholder, since clients refuse to start without one. While something is recorded it is
   * the real key instead, where this process has it.
   */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
  /** One sentence for each thing that went against the script, and every request. */
  report(): { readonly failures: readonly string[]; readonly facts: { readonly requests: readonly RequestRow[] } }
}

/** Not a key: it only satisfies clients that refuse to start without one. */
const PLACEHOLDER_KEY = 'loader-smoke-replay'

/**
 * Makes the service for `services` of a smoke. Nothing starts before `start` is called.
 * `start` rejects with a ScriptError or RecordingError when the file can't be used.
 */
export function modelService(options: ModelOptions): {
  readonly name: string
  start(): Promise<RunningModelService>
} {
  return {
    name: 'model',
    start: async () => {
      const { server, listUnused } = await open(options)
      return {
        env: modelEnv(server.url, 'mode' in server && server.mode !== 'replay'),
        stop: () => server.close(),
        report: () => ({
          failures: [...listProblems(server.requests), ...listUnused()],
          facts: { requests: requestRows(server.requests) },
        }),
      }
    },
  }
}

/** Rejects as `modelService` would at its start for a file that can't be used; starts nothing. */
export async function checkModel(options: ModelOptions): Promise<void> {
  if ('script' in options) await loadScript(options.script)
  else if (resolveReplayMode(options.mode, process.env) !== 'record')
    await readRecording(resolve(options.recording), recordingBy('record', options.mode))
}

/** The addresses and keys that clients read, for a server at `url`. */
export function modelEnv(url: string, records: boolean): Readonly<Record<string, string>> {
  const key = (name: string) => (records ? process.env[name] : undefined) ?? PLACEHOLDER_KEY
  return {
    LOADER_SMOKE_MODEL_URL: url,
    DEEPSEEK_BASE_URL: url,
    DEEPSEEK_API_KEY: key('DEEPSEEK_API_KEY'),
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key('OPENAI_API_KEY'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key('ANTHROPIC_API_KEY'),
  }
}

function open(options: ModelOptions) {
  return 'recording' in options ? openRecordedServer(options) : openServer({ script: options.script })
}
