import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { startTicks } from '../src/launch/owner.ts'
import { createWorld } from '../src/launch/world.ts'

function worldIn(parent: string, cwd: string | null = null) {
  return createWorld({
    label: 'x',
    world: { prefix: 'smoke-', parent, cwd, homes: { DSH_HOME: '.dsh' }, keep: 'never' },
  })
}

test('the private folder says who owns the world, so that a later sweep can tell a dead owner from a living one', async () => {
  await using parent = await tempWorkspace()
  const world = worldIn(parent.path)
  const owner = JSON.parse(readFileSync(join(world.runDir, 'owner.json'), 'utf8'))
  expect(owner).toMatchObject({
    v: 1,
    pid: process.pid,
    startTicks: startTicks(process.pid),
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    uid: process.getuid?.(),
    cookie: world.cookie,
    world: world.cwd,
    createdAtMs: expect.any(Number),
  })
  expect(owner.startTicks).toMatch(/^\d+$/)
  await world.remove()
})

test('a process that is gone has no start', () => {
  expect(startTicks(2 ** 30)).toBeNull()
})

test('everything that is ours is removed, what the run wrote beside it too', async () => {
  await using parent = await tempWorkspace()
  const world = worldIn(parent.path)
  writeFileSync(join(world.cwd, 'left'), '')
  writeFileSync(world.reportFile, '')
  await world.remove()
  expect(readdirSync(parent.path)).toEqual([])
})

test('a world that the run took away itself is removed without complaint', async () => {
  await using parent = await tempWorkspace()
  const world = worldIn(parent.path)
  world.removeNow()
  await world.remove()
  expect(readdirSync(parent.path)).toEqual([])
})

test('a process that is about to die removes it at once', async () => {
  await using parent = await tempWorkspace()
  await using mine = await tempWorkspace({ mine: '' })
  const world = worldIn(parent.path, mine.path)
  world.removeNow()
  expect(readdirSync(parent.path)).toEqual([])
  expect(existsSync(mine.file('mine'))).toBe(true)
})

test('two worlds of one parent are two', async () => {
  await using parent = await tempWorkspace()
  const [one, two] = [worldIn(parent.path), worldIn(parent.path)]
  expect(one.cwd).not.toBe(two.cwd)
  await one.remove()
  expect(existsSync(two.homes['DSH_HOME'] ?? '')).toBe(true)
  await two.remove()
})

// The superuser may remove anything, so the program runs as someone else.
const asSomeone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.each(['later', 'now'])('folders that a run made read-only are removed, too: %s', async (when) => {
  await using parent = await tempWorkspace()
  chmodSync(parent.path, 0o777)
  const removes = fileURLToPath(new URL('fixtures/removes.ts', import.meta.url))
  execFileSync(process.execPath, [removes, parent.file('world'), when], { ...asSomeone, cwd: '/', env: {} })
  expect(readdirSync(parent.path)).toEqual([])
})

test.each(['later', 'now'])('folders and files whose names are no text are removed, too: %s', async (when) => {
  await using parent = await tempWorkspace()
  const world = worldIn(parent.path)
  // More than are removed in one go.
  for (let index = 0; index < 100; index++) {
    const folder = Buffer.concat([Buffer.from(`${world.cwd}/${index}-`), Buffer.from([0xff])])
    mkdirSync(folder)
    writeFileSync(Buffer.concat([folder, Buffer.from([0x2f, 0xfe])]), '')
  }
  if (when === 'now') world.removeNow()
  else await world.remove()
  expect(readdirSync(parent.path)).toEqual([])
})

test.each(['later', 'now'])(
  'a link that a run put in the place of its folder is removed, and not followed: %s',
  async (when) => {
    await using parent = await tempWorkspace()
    await using outside = await tempWorkspace({
      'precious/owner.json': '',
      'precious/file': '',
      'precious/folder/file': '',
    })
    for (const folder of ['precious', 'precious/folder']) chmodSync(outside.file(folder), 0o755)
    const before = modesBelow(outside.path)
    const world = worldIn(parent.path)
    for (const folder of world.owned) {
      rmSync(folder, { recursive: true })
      symlinkSync(outside.file('precious'), folder)
    }
    if (when === 'now') world.removeNow()
    else await world.remove()
    expect(readdirSync(parent.path)).toEqual([])
    expect(modesBelow(outside.path)).toEqual(before)
  },
)

function modesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.map((name) => `${name} ${statSync(join(folder, name)).mode.toString(8)}`)
}

test('what can’t be removed is named', async () => {
  await using parent = await tempWorkspace()
  const world = worldIn(parent.path)
  // A folder that is not empty stands where the world would be moved to.
  await parent.write(`${world.cwd.slice(parent.path.length + 1)}.sweeping/in-the-way`, '')
  await expect(world.remove()).rejects.toThrow(
    new RegExp(
      `^${world.cwd} can't be removed: ENOTEMPTY.*\\.\\nNext: see which process still writes there, then remove it by hand\\.$`,
    ),
  )
  expect(existsSync(join(world.runDir, 'owner.json'))).toBe(true)
})
