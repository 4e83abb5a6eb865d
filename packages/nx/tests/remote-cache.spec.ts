/** Smokes and the remote cache of Nx: what another clone gets, and what happens without the cache. */
import { rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { remoteCache } from '@loader-smoke/testkit'
import { scratch } from './scratch.ts'

const REPORT = 'packages/example/.smoke/smoke/report.json'

describe('with a remote cache', { timeout: 300_000 }, () => {
  it('another clone gets the verdict, its output and its reports, and boots nothing', async () => {
    await using remote = await remoteCache()
    await using first = await scratch(app('example'))
    const ran = await first.nx(['run', 'example:smoke'], remote.env)
    expect(ran.exitCode).toBe(0)
    const report = await first.read(REPORT)
    expect(JSON.parse(report)).toMatchObject({
      version: 1,
      smokes: [{ label: 'example:smoke', mode: 'src', verdict: 'pass' }],
    })
    await using second = await scratch(app('example'), 'another clone', first.path)
    const replayed = await second.nx(['run', 'example:smoke'], remote.env)
    expect(replayed.output).toContain('[remote cache]')
    expect(replayed.output).toContain('✔ example:smoke passed in ')
    expect(await second.read(REPORT)).toBe(report)
    expect(await second.boots()).toEqual([])
    expect(remote.hits()).toBe(1)
  })

  it('reports come back from the local cache, too', async () => {
    await using workspace = await scratch(app('example'))
    await workspace.nx(['run', 'example:smoke'])
    const report = await workspace.read(REPORT)
    await rm(workspace.file('packages/example/.smoke'), { recursive: true })
    await workspace.nx(['run', 'example:smoke'])
    expect(await workspace.read(REPORT)).toBe(report)
    expect(await workspace.boots()).toHaveLength(1)
  })

  it('Nx ends a run whose cache is down or refuses, before anything is booted', async () => {
    await using remote = await remoteCache()
    await using workspace = await scratch(app('example'))
    const call = (env: Readonly<Record<string, string>>) =>
      workspace.nx(['run', 'example:smoke'], { ...remote.env, ...env })
    const down = await call({ NX_SELF_HOSTED_REMOTE_CACHE_SERVER: 'http://127.0.0.1:9' })
    expect(down.output).toContain('Failed to send request: error sending request for url (http://127.0.0.1:9/v1/cache/')
    const refused = await call({ NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: 'wrong' })
    expect(refused.output).toContain('this token is not known')
    expect([down.exitCode, refused.exitCode, await workspace.boots()]).toEqual([1, 1, []])
  })
})
