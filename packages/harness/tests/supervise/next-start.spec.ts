/** From one runner to the next: what a killed one left is taken away and named, what was kept on purpose stays, and live output is told. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertNothingLeft, tempWorkspace, type TempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import type { LoaderSmokeOptions } from '../../src/config/options.ts'
import { ownerRecord } from '../../src/launch/owner.ts'
import { runLoaderSmoke } from '../../src/run-loader-smoke.ts'
import { awaitSoon } from '../../src/supervise/sweep-once.ts'

const runner = fileURLToPath(new URL('fixtures/smoke-runner.ts', import.meta.url))
/** So many files are not removed in one go. */
const MANY = 10_000
const bin = `
  import { writeFileSync } from 'node:fs'
  const [kind, ready] = process.argv.slice(2)
  console.log('said', kind)
  if (kind === 'fails') process.exit(1)
  if (kind === 'hangs') { writeFileSync(ready, ''); setInterval(() => {}, 1000) }
`

describe('the next start', () => {
  it('removes what a killed runner left, and says so; the killed run leaves no process', async () => {
    await using app = await tempWorkspace(files())
    const killed = start(app, 'hangs')
    await waitFor('the bin to run', () => existsSync(app.file('ready')))
    process.kill(killed.pid, 'SIGKILL')
    await killed.closed
    await assertNothingLeft(app.file('lib/bin.js'), undefined, 1_000)
    expect(readdirSync(app.file('worlds'))).toHaveLength(3)

    const next = start(app, 'passes')
    const { said, stderr } = await next.closed
    expect(said).toMatchObject({ kind: 'pass' })
    expect(stderr).toMatch(
      new RegExp(
        `^loader-smoke: removed ${app.file('worlds')}/app-\\S+, left by a run of process ${killed.pid}, which was killed\\n$`,
      ),
    )
    expect(readdirSync(app.file('worlds'))).toEqual(['.keep'])
  })

  it.each([
    ['the world', (world: string) => world],
    ['the private folder', (world: string) => join(dirname(world), `.loader-smoke-run-${basename(world)}`)],
  ])('goes on where others were killed while they removed %s', async (_, folderOf) => {
    await using app = await tempWorkspace(files())
    const world = leftBehind(app)
    const much = join(folderOf(world), 'much')
    fill(much, MANY)
    let touchedAt = statSync(much).mtimeMs
    for (const _attempt of [1, 2]) {
      const killed = start(app, 'passes')
      const half = join(`${folderOf(world)}.sweeping`, 'much')
      await waitFor('the removal to have begun', () => statSync(half).mtimeMs !== touchedAt, { everyMs: 0 })
      process.kill(killed.pid, 'SIGKILL')
      await killed.closed
      expect(readdirSync(half).length, 'files that the killed removal left').toBeGreaterThan(0)
      touchedAt = statSync(half).mtimeMs
    }
    const { stderr } = await start(app, 'passes').closed
    expect(stderr).toContain(`loader-smoke: removed ${world}, left by a run of process 4194305, which was killed\n`)
    await start(app, 'passes').closed
    expect(readdirSync(app.file('worlds'))).toEqual(['.keep'])
  })

  it('holds back its verdict for no long removal, and goes on with it behind that', async () => {
    // Of one that never ends: which of two real ones ends first is a matter of the machine's load.
    await awaitSoon(Promise.withResolvers<void>().promise)
    await using app = await tempWorkspace(files())
    const world = leftBehind(app)
    fill(join(world, 'much'), 2 * MANY)
    await runLoaderSmoke(optionsOf(app, 'passes'))
    await waitFor('the rest to be removed', () => readdirSync(app.file('worlds')).length === 1, { deadlineMs: 60_000 })
  })

  it.each([
    ['always', 'passes'],
    ['on-failure', 'fails'],
  ] as const)('leaves a world that was kept with keepWorld %s', async (keepWorld, kind) => {
    await using app = await tempWorkspace(files())
    await start(app, kind, { keepWorld }).closed
    expect(readdirSync(app.file('worlds'))).toHaveLength(3)
    const { stderr } = await start(app, 'passes').closed
    expect(stderr).toBe('')
    expect(readdirSync(app.file('worlds'))).toHaveLength(3)
  })
})

describe('onOutput', () => {
  it('tells what the bin prints while it still runs', async () => {
    await using app = await tempWorkspace(files())
    const controller = new AbortController()
    const told: string[] = []
    const smoke = runLoaderSmoke({
      ...optionsOf(app, 'hangs'),
      signal: controller.signal,
      onOutput(stream, text) {
        told.push(`${stream}: ${text}`)
        controller.abort(new Error('seen enough'))
      },
    })
    await expect(smoke).rejects.toThrow('seen enough')
    expect(told).toEqual(['stdout: said hangs\n'])
  })

  it('lets the run pass when the listener throws', async () => {
    await using app = await tempWorkspace(files())
    await expect(runLoaderSmoke({ ...optionsOf(app, 'passes'), onOutput: throws })).resolves.toMatchObject({
      stdout: 'said passes\n',
    })
  })
})

/** What a killed runner leaves, whose process id (above the highest) nobody has. */
function leftBehind(app: TempWorkspace): string {
  const world = app.file('worlds', 'app-1')
  const runDir = app.file('worlds', '.loader-smoke-run-app-1')
  for (const folder of [world, runDir]) mkdirSync(folder, { mode: 0o700 })
  const owner = { ...ownerRecord(world, 'a-cookie'), pid: 4_194_305, startTicks: '1' }
  writeFileSync(join(runDir, 'owner.json'), JSON.stringify(owner))
  return world
}

function fill(folder: string, count: number): void {
  mkdirSync(folder)
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `${index}`), '')
}

function throws(): void {
  throw new Error('the terminal is closed')
}

function files(): Record<string, string> {
  return { 'package.json': '{"type":"module"}', 'lib/bin.js': bin, 'worlds/.keep': '' }
}

function optionsOf(app: TempWorkspace, kind: string): LoaderSmokeOptions {
  return {
    label: kind,
    tempDirPrefix: 'app-',
    tempDirParent: app.file('worlds'),
    binScript: app.file('src/bin.ts'),
    binArgs: [kind, app.file('ready')],
    mode: 'lib',
    processTimeoutMs: 60_000,
  }
}

function start(app: TempWorkspace, kind: string, more: Partial<LoaderSmokeOptions> = {}) {
  const child = spawn(process.execPath, [runner, JSON.stringify({ ...optionsOf(app, kind), ...more })])
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
  const closed = once(child, 'close').then(() => ({
    said: stdout === '' ? null : (JSON.parse(stdout) as unknown),
    stderr,
  }))
  return { pid: child.pid as number, closed }
}
