/** What is left of a smoke when its Nx is stopped, however it is stopped: nothing. */
import { assertNothingLeft, processesWith, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { scratch, startNx } from './scratch.ts'

const hanging = smokeTarget({ env: { FIXTURE_HANG: '1' }, timeout: 120_000, graceMs: 200 })

describe.each([
  ['in a batch', []],
  ['in a process of its own', ['--batch=false']],
] as const)('a smoke that runs %s', { timeout: 120_000 }, (_, args) => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('is ended with its Nx by %s', async (signal) => {
    await using workspace = await scratch(app('example', { smoke: hanging }))
    const nx = startNx(workspace.path, ['run', 'example:smoke', ...args])
    await waitFor('the app to boot', async () => (await workspace.boots()).length === 1, { deadlineMs: 60_000 })
    expect(processesWith('FIXTURE_HANG').length).toBeGreaterThan(0)
    process.kill(nx.pid, signal)
    const { exitCode } = await nx.ended
    expect(exitCode).not.toBe(0)
    await assertNothingLeft(workspace.path, undefined, 30_000)
  })
})
