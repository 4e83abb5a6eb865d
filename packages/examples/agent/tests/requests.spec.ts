/** What the model is asked does not depend on who runs the app: the same requests with the harness and without it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, type SmokeService } from '@loader-smoke/harness'
import { type RecordedRequest, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import { beforeAll, expect, it } from 'vitest'
import { build, inExample, smoke, TASK } from './smoke-options.ts'

beforeAll(build, 120_000)

/** The app as it ships, without the config's own model server: the environment says where the model is. */
const args = [inExample('base.yml'), TASK]
const startModel = () => startReplayServer({ script: inExample('model-script.yml') })

it('asks the model the same in both cases', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, async () => {
  const withHarness: Asked[] = []
  const model: SmokeService = {
    async start({ cwd }) {
      const server = await startModel()
      return {
        env: { DEEPSEEK_BASE_URL: server.url },
        report() {
          server.assertConsumed()
          withHarness.push(...asked(server.requests, cwd))
          return { failures: server.problems() }
        },
        stop: () => server.close(),
      }
    },
  }
  await runLoaderSmoke({ ...smoke, mode: 'lib', configPath: args[0], binArgs: args, services: [model] })

  await using world = await tempWorkspace()
  await using server = await startModel()
  const bare = spawn(process.execPath, [inExample('lib/bin.js'), ...args], {
    cwd: world.path,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DSH_HOME: world.file('.dsh'),
      DSH_AGENTS_HOME: world.file('.agents'),
      DEEPSEEK_API_KEY: smoke.env.DEEPSEEK_API_KEY,
      DEEPSEEK_BASE_URL: server.url,
    },
    stdio: 'ignore',
  })
  expect(await once(bare, 'exit')).toEqual([0, null])
  server.assertConsumed()

  expect(withHarness).toHaveLength(2)
  expect(withHarness).toEqual(asked(server.requests, world.path))
})

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, unknown>
  readonly body: unknown
}

/** A request without what differs between any two runs: the folder, the port, ids that are drawn anew. */
function asked(requests: readonly RecordedRequest[], cwd: string): Asked[] {
  return requests.map(({ method, path, headers, body }) =>
    JSON.parse(
      JSON.stringify({ method, path, headers: { ...headers, host: '<host>' }, body })
        .replaceAll(cwd, '<cwd>')
        .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
        .replace(/\bcall_\w+/g, '<call>'),
    ),
  )
}
