/** What killed runners left on disk goes at the next start, and nothing else does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, openSync, closeSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { ownerRecord, type OwnerRecord } from '../../src/launch/owner.ts'
import { sweepStale } from '../../src/supervise/sweep.ts'

describe.skipIf(process.platform !== 'linux')('sweepStale', () => {
  it('removes the folders of a runner that is gone, and says so', async () => {
    await using parent = await tempWorkspace()
    const { world, owner } = leave(parent.path, 'app-1', {})
    expect(await sweepStale(parent.path)).toEqual([{ world, ownerPid: owner.pid, createdAtMs: owner.createdAtMs }])
    expect(readdirSync(parent.path)).toEqual([])
  })

  it('removes them when the process id belongs to another process by now', async () => {
    await using parent = await tempWorkspace()
    leave(parent.path, 'app-1', { pid: process.pid, startTicks: '1' })
    expect(await sweepStale(parent.path)).toHaveLength(1)
  })

  it('removes a world whose program opened it to everybody', async () => {
    await using parent = await tempWorkspace()
    const { world } = leave(parent.path, 'app-1', {})
    chmodSync(world, 0o777)
    expect(await sweepStale(parent.path)).toHaveLength(1)
    expect(readdirSync(parent.path)).toEqual([])
  })

  it('removes what an earlier removal had begun', async () => {
    await using parent = await tempWorkspace()
    const { world, runDir } = leave(parent.path, 'app-1', {})
    mkdirSync(`${world}.sweeping`)
    expect(await sweepStale(parent.path)).toHaveLength(1)
    leave(parent.path, 'app-2', {}, `${runDir.replace('app-1', 'app-2')}.sweeping`)
    expect(await sweepStale(parent.path)).toHaveLength(1)
    const back = leave(parent.path, 'app-3', {})
    mkdirSync(join(`${back.world}.sweeping`, 'folder'), { recursive: true })
    expect(await sweepStale(parent.path)).toHaveLength(1)
    mkdirSync(`${runDir}.sweeping`, { mode: 0o700 })
    expect(await sweepStale(parent.path)).toEqual([])
    expect(readdirSync(parent.path)).toEqual([])
  })

  it('removes what was left before the last boot of this machine', async () => {
    await using parent = await tempWorkspace()
    leave(parent.path, 'app-1', { pid: process.pid, bootId: 'an-earlier-boot' })
    expect(await sweepStale(parent.path)).toHaveLength(1)
  })

  it.each<[string, Partial<OwnerRecord>]>([
    ['the owner is alive', ownerRecord('', '')],
    ['the owner ran on another machine', { hostname: 'another' }],
    ['the owner ran in another container', { pidNamespace: 'pid:[1]' }],
    ['the owner was another user', { uid: 12_345 }],
    ['the owner file names another folder', { world: '/etc' }],
    ['the owner file has a field of another type', { cookie: 7 as unknown as string }],
  ])('leaves everything in place when %s', async (_, fields) => {
    await using parent = await tempWorkspace()
    const { world, runDir } = leave(parent.path, 'app-1', fields)
    expect(await sweepStale(parent.path)).toEqual([])
    expect([world, runDir].every(existsSync)).toBe(true)
  })

  it('leaves a folder without our marker, one that others may write to, and a marker that is a link', async () => {
    await using parent = await tempWorkspace({ 'app-0/file': 'x', '.loader-smoke-run-app-0/other.json': '{}' })
    const { runDir } = leave(parent.path, 'app-1', {})
    chmodSync(runDir, 0o777)
    const elsewhere = leave(parent.path, 'app-2', {})
    const linked = leave(parent.path, 'app-3', {}, join(parent.path, 'real'))
    symlinkSync(join(parent.path, 'real'), join(parent.path, '.loader-smoke-run-app-3'))
    writeFileSync(join(elsewhere.runDir, 'owner.json'), '{"v":1,')
    expect(await sweepStale(parent.path)).toEqual([])
    expect(existsSync(linked.world)).toBe(true)
  })

  it('follows no link out of a world', async () => {
    await using outside = await tempWorkspace({ 'precious/file': 'x' })
    await using parent = await tempWorkspace()
    const { world } = leave(parent.path, 'app-1', {})
    symlinkSync(outside.file('precious'), join(world, 'link'))
    symlinkSync(outside.file('precious', 'file'), join(world, 'file-link'))
    expect(await sweepStale(parent.path)).toHaveLength(1)
    expect(await outside.read('precious/file')).toBe('x')
  })

  it('does not take the target of a link that stands where a world was', async () => {
    await using outside = await tempWorkspace({ 'precious/file': 'x' })
    await using parent = await tempWorkspace()
    const owner = record(join(parent.path, 'app-1'), {})
    mkdirSync(join(parent.path, '.loader-smoke-run-app-1'), { mode: 0o700 })
    writeFileSync(join(parent.path, '.loader-smoke-run-app-1', 'owner.json'), JSON.stringify(owner))
    symlinkSync(outside.file('precious'), join(parent.path, 'app-1'))
    await sweepStale(parent.path)
    expect(await outside.read('precious/file')).toBe('x')
    expect(readdirSync(parent.path)).toEqual(['app-1'])
  })

  it('leaves a folder that a live process has as its working folder, by an open file, or by its cookie', async () => {
    await using parent = await tempWorkspace()
    const byFolder = leave(parent.path, 'app-1', {})
    const byFile = leave(parent.path, 'app-2', {})
    const byCookie = leave(parent.path, 'app-3', { cookie: 'the-cookie-of-three' })
    const fd = openSync(join(byFile.world, 'open'), 'w')
    const users = [
      spawn('sleep', ['60'], { cwd: byFolder.world, env: { PATH: process.env['PATH'] } }),
      spawn('sleep', ['60'], { env: { PATH: process.env['PATH'], LOADER_SMOKE_RUN: 'the-cookie-of-three' } }),
    ]
    try {
      await Promise.all(users.map((user) => once(user, 'spawn')))
      expect(await sweepStale(parent.path)).toEqual([])
      expect([byFolder, byFile, byCookie].every(({ world, runDir }) => existsSync(world) && existsSync(runDir))).toBe(
        true,
      )
    } finally {
      closeSync(fd)
      for (const user of users) user.kill('SIGKILL')
      await Promise.all(users.map((user) => once(user, 'exit')))
    }
    expect(await sweepStale(parent.path)).toHaveLength(3)
  })

  it('stops at its limit of time and leaves the rest for the next start', async () => {
    await using parent = await tempWorkspace()
    leave(parent.path, 'app-1', {})
    expect(await sweepStale(parent.path, { limitMs: -1 })).toEqual([])
    expect(await sweepStale(parent.path)).toHaveLength(1)
  })
})

/** Makes what a killed runner leaves: a world, and the private folder with its owner file. */
function leave(
  parent: string,
  name: string,
  fields: Partial<OwnerRecord>,
  runDir = join(parent, `.loader-smoke-run-${name}`),
) {
  const world = join(parent, name)
  mkdirSync(world, { mode: 0o700 })
  mkdirSync(runDir, { mode: 0o700 })
  writeFileSync(join(world, 'file'), 'x')
  writeFileSync(join(runDir, 'stdout'), 'x')
  const owner = record(world, fields)
  writeFileSync(join(runDir, 'owner.json'), JSON.stringify(owner))
  return { world, runDir, owner }
}

/** The record of an owner that is gone (no process has that id: it is above the highest), with other `fields`. */
function record(world: string, fields: Partial<OwnerRecord>): OwnerRecord {
  const gone = { ...ownerRecord(world, 'a-cookie'), pid: 4_194_305, startTicks: '1' }
  return { ...gone, ...fields, world: fields.world || world }
}
