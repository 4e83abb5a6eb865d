/** The model server of a run, as a service of the harness. */
import type { SmokeService } from '@loader-smoke/harness'
import { startReplayServer } from '@loader-smoke/model-replay'

/** What clients of model APIs refuse to start without; nobody checks it. */
const ANY_KEY = 'keyless'

/** Serves `script` (absolute path) on loopback. The bin finds the server by the names in `environmentFor`; an answer that was never asked for fails the smoke. */
export function modelService(script: string): SmokeService {
  return {
    name: 'model',
    async start() {
      const server = await startReplayServer({ script })
      return {
        env: environmentFor(server.url),
        report() {
          return { failures: unconsumed(server), facts: { requests: server.requests.length } }
        },
        stop: () => server.close(),
      }
    },
  }
}

/** The server's address under the names that clients read, each with a key where clients want one. */
export function environmentFor(url: string): Record<string, string> {
  return {
    LOADER_SMOKE_MODEL_URL: url,
    DEEPSEEK_BASE_URL: url,
    DEEPSEEK_API_KEY: ANY_KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: ANY_KEY,
  }
}

function unconsumed(server: { assertConsumed(): void }): string[] {
  try {
    server.assertConsumed()
    return []
  } catch (error) {
    // assertConsumed throws exactly when the script and what was asked differ; the difference is its message.
    return [(error as Error).message]
  }
}
