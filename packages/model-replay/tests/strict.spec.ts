/** The plugin's server is in the app's own process, so the exit code has to tell what only the server saw. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const app = fileURLToPath(new URL('fixtures/strict/asks-once.ts', import.meta.url))
const script = fileURLToPath(new URL('fixtures/strict/model.yml', import.meta.url))

const deviations = `model-replay: ${script} was not played as written:
  - request 1 (POST /chat/completions) got an answer that was cut off with no finish reason (turn 1 of conversation 1), and the client did not ask again.
  - "turn 2" of "conversation 1" was served 0 of 1 times.
`

test.each(['returns', 'exits'])('an app that %s and took a cut answer exits 1 under the harness', async (end) => {
  expect(await run(end, { LOADER_SMOKE_REPORT: '/nonexistent/report' })).toEqual({ exitCode: 1, stderr: deviations })
})

test('leaves the exit code alone outside the harness', async () => {
  expect(await run('returns', {})).toEqual({ exitCode: 0, stderr: '' })
})

function run(end: string, env: NodeJS.ProcessEnv): Promise<{ exitCode: unknown; stderr: string }> {
  const args = ['--conditions=@loader-smoke/source', app, end]
  const { LOADER_SMOKE_REPORT: _, ...inherited } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...inherited, ...env }, timeout: 30_000 }, (error, _stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : error.code, stderr }),
    )
  })
}
