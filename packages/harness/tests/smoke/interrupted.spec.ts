import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertNothingLeft, processesWith, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'

const runner = fileURLToPath(new URL('../fixtures/runner.ts', import.meta.url))

/** Starts a runner whose smoke hangs in `parent`, and waits until its bin runs. */
async function hangingRunner(parent: string) {
  const child = spawn(process.execPath, ['--conditions=@loader-smoke/source', runner, parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const closed = once(child, 'close')
  await waitFor('the bin to run', () =>
    readdirSync(parent).some((name) => !name.startsWith('.') && readdirSync(join(parent, name)).includes('pid')),
  )
  return { child, closed, said: () => said }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a runner that gets %s ends the bin, takes the world away, calls it interrupted and dies by the same signal',
  async (signal) => {
    await using parent = await tempWorkspace()
    const { child, closed, said } = await hangingRunner(parent.path)
    child.kill(signal)
    expect(await closed).toEqual([null, signal])
    expect(processesWith(parent.path)).toEqual([])
    expect(readdirSync(parent.path)).toEqual([])
    expect(said()).toBe(`hangs was interrupted by ${signal}. stdout:\n`)
  },
)

test('a runner that is killed leaves no process; its folders say whose they were', async () => {
  await using parent = await tempWorkspace()
  const { child, closed } = await hangingRunner(parent.path)
  child.kill('SIGKILL')
  await closed
  await assertNothingLeft(parent.path)
  const entries = readdirSync(parent.path).toSorted()
  expect(entries).toEqual([expect.stringMatching(/^\.loader-smoke-run-/), expect.stringMatching(/^loader-smoke-/)])
  const owner = JSON.parse(await parent.read(join(entries[0] ?? '', 'owner.json')))
  expect(owner).toMatchObject({ pid: child.pid, world: join(parent.path, entries[1] ?? '') })
})
