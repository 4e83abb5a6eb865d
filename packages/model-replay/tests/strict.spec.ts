/** The plugin's server is in the app's own process: when that ends, it tells the harness what only the server saw, else the exit code does. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'

const app = fileURLToPath(new URL('fixtures/strict/asks-once.ts', import.meta.url))
const script = fileURLToPath(new URL('fixtures/strict/model.yml', import.meta.url))

const CUT =
  'request 1 (POST /chat/completions) got an answer that was cut off with no finish reason (turn 1 of conversation 1), and the client did not ask again.'
const LEFT = `"turn 2" of "conversation 1" was served 0 of 1 times.
Next: find out why the app did not ask, take the turn out of the script, or mark it optional: true.`
const deviations = `model-replay: ${script} was not played as written:\n  - ${CUT}\n  - ${LEFT}\n`

test.each(['returns', 'exits'])(
  'an app that %s and took a cut answer tells the harness, and exits as it wants',
  async (end) => {
    await using folder = await tempWorkspace({ report: '' })
    expect(await run(end, { LOADER_SMOKE_REPORT: folder.file('report') })).toEqual({ exitCode: 0, stderr: '' })
    expect(JSON.parse(await folder.read('report'))).toEqual({
      v: 1,
      type: 'service',
      name: 'model',
      failures: [CUT, LEFT],
      facts: { requests: [expect.objectContaining({ number: 1, turn: 'turn 1', status: 200, outcome: 'answered' })] },
    })
  },
)

test('an app that fails by itself is not blamed for the turns that it did not come to', async () => {
  await using folder = await tempWorkspace({ report: '' })
  expect(await run('fails', { LOADER_SMOKE_REPORT: folder.file('report') })).toEqual({ exitCode: 7, stderr: '' })
  expect(JSON.parse(await folder.read('report'))).toMatchObject({ failures: [CUT] })
})

test.each(['returns', 'exits'])(
  "an app that %s exits 1 and says why where the report can't be written",
  async (end) => {
    expect(await run(end, { LOADER_SMOKE_REPORT: '/nonexistent/report' })).toEqual({ exitCode: 1, stderr: deviations })
  },
)

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
