/** The replay server as a service of a smoke run: started outside the child before it, its address passed in, its requests in the verdict. */
import { requestRows, type RequestRow } from './report/request-table.ts'
import { listProblems, listUnused } from './serve/problems.ts'
import type { ScriptObject } from './script/schema.ts'
import { openServer } from './serve/server.ts'

/** Options of `model`, as targets and `smoke.config` write them. */
export interface ModelOptions {
  /** Path of a script, or the script itself. */
  readonly script: string | ScriptObject
}

/** A started model service; the shape that the harness' `services` asks for. */
export interface RunningModelService {
  /**
   * Addresses under the names that clients read: `LOADER_SMOKE_MODEL_URL`, `DEEPSEEK_BASE_URL`, `OPENAI_BASE_URL`, `ANTHROPIC_BASE_URL`;
   * and a placeholder under each of their key names, since clients refuse to start without one.
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
 * `start` rejects with a ScriptError when the script can't be used.
 */
export function modelService(options: ModelOptions): {
  readonly name: string
  start(): Promise<RunningModelService>
} {
  return {
    name: 'model',
    start: async () => {
      const { server, book } = await openServer({ script: options.script })
      return {
        env: {
          LOADER_SMOKE_MODEL_URL: server.url,
          DEEPSEEK_BASE_URL: server.url,
          DEEPSEEK_API_KEY: PLACEHOLDER_KEY,
          OPENAI_BASE_URL: `${server.url}/v1`,
          OPENAI_API_KEY: PLACEHOLDER_KEY,
          ANTHROPIC_BASE_URL: server.url,
          ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
        },
        stop: () => server.close(),
        report: () => ({
          failures: [...listProblems(server.requests), ...listUnused(book)],
          facts: { requests: requestRows(server.requests) },
        }),
      }
    },
  }
}
