/**
 * Poor surroundings: another user, no perl, no `/proc`, a temporary folder that is read-only or full. The verdict stays right, errors are clear,
 * and the containment that ran is stated. Linux; mounts need a user who may `unshare`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assertNothingLeft, processesWith, tempWorkspace, type TempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { probeContainment } from '../../src/supervise/containment.ts'

const runner = fileURLToPath(new URL('fixtures/smoke-runner.ts', import.meta.url))
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
const mayChangeUser =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [
    '--reuid=65534',
    process.execPath,
    '-e',
    `require('node:fs').readFileSync(${JSON.stringify(runner)})`,
  ]).status === 0
const canSubreap = probeContainment() === 'subreaper'

/** In a mount namespace: no perl where systems have it. */
const hidePerl = ['/usr/bin/perl', '/usr/local/bin/perl']
  .filter((file) => existsSync(file))
  .map((file) => `mount --bind /dev/null ${file}`)
  .join(' && ')
/** Leaves a process of another session behind, which the level must find. */
const bin = `
  import { spawn } from 'node:child_process'
  spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore' }).unref()
  console.log('said '.repeat(Number(process.argv[2] ?? 1)))
`

it.skipIf(!canSubreap)('finds the perl of the system when PATH has none', async () => {
  await using app = await makeApp()
  expect(await smoke(app, { path: app.file('nothing') })).toMatchObject({ kind: 'pass', containment: 'subreaper' })
  await nothingLeft(app)
})

describe.skipIf(!mayMount)('without perl', () => {
  it('contains by group and sweep, and says so where survivors would have failed it', async () => {
    await using app = await makeApp()
    const weaker = { mount: hidePerl, path: app.file('tools') }
    const passed = { kind: 'pass', containment: 'group+sweep', stdout: 'said \n', keptWorld: null, survivors: 1 }
    expect(await smoke(app, weaker)).toEqual(passed)
    await nothingLeft(app)
    await app.write('lib/bin.js', '')
    const told: string[] = []
    await smoke(app, { ...weaker, options: { onSurvivors: 'fail' }, told })
    expect(told.join('')).toMatch(/^poor: containment was 'group\+sweep', so .*; install perl .*\.\n$/)
  })

  it('keeps the deadline even when PATH has no sleep either', async () => {
    await using app = await makeApp()
    await app.write('lib/bin.js', 'setInterval(() => {}, 1000)')
    const said = await smoke(app, { mount: hidePerl, path: app.file('nothing'), options: { processTimeoutMs: 400 } })
    expect(said).toMatchObject({ kind: 'fail', message: expect.stringMatching(/^poor did not exit within 0\.4s\./) })
    await nothingLeft(app)
  })
})

describe.skipIf(!mayMount)('without /proc', () => {
  it.skipIf(!canSubreap)('still finds every process below the subreaper', async () => {
    await using app = await makeApp()
    const said = await smoke(app, { mount: 'mount -t tmpfs none /proc' })
    expect(said).toMatchObject({ kind: 'pass', containment: 'subreaper', survivors: 1 })
    await nothingLeft(app)
  })

  it('and without perl contains the group alone, and says so', async () => {
    await using app = await makeApp()
    await app.write('lib/bin.js', bin.replace('detached: true', 'detached: false'))
    const said = await smoke(app, { mount: `${hidePerl} && mount -t tmpfs none /proc`, path: app.file('tools') })
    expect(said).toMatchObject({ kind: 'pass', containment: 'group' })
    await nothingLeft(app)
  })
})

describe.skipIf(!mayMount)('with a temporary folder', () => {
  it('that is read-only, tells so before anything is started', async () => {
    await using app = await makeApp()
    const said = await smoke(app, { mount: `mount -t tmpfs -o ro none ${app.file('worlds')}` })
    expect(said).toEqual({
      kind: 'error',
      message: expect.stringMatching(
        /^the temporary folder of poor can't be made below \S+: EROFS: .*\nNext: free space there or make it writable, or name another folder with tempDirParent\.$/,
      ),
    })
  })

  it('that is full, tells so before anything is started', async () => {
    await using app = await makeApp()
    const said = await smoke(app, {
      mount: `mount -t tmpfs -o size=16k none ${app.file('worlds')} && head -c 16384 /dev/zero >${app.file('worlds/fill')}`,
    })
    expect(said).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/^the temporary folder of poor can't be made below \S+: ENOSPC: /),
    })
  })

  it('that the output fills, is an error of the surroundings and no verdict about the bin', async () => {
    await using app = await makeApp()
    const said = await smoke(app, {
      mount: `mount -t tmpfs -o size=32k none ${app.file('worlds')}`,
      options: { binArgs: ['20000'] },
    })
    expect(said).toEqual({
      kind: 'error',
      message: expect.stringMatching(
        /^poor: the disk that holds \S+ is full, so what the program wrote may be cut\.\nNext: free space there, or name another folder with tempDirParent\.\nRun it again: /,
      ),
    })
    await nothingLeft(app)
  })
})

describe.skipIf(!mayChangeUser)('as another user', () => {
  // As containers run them, the second has no entry in the password file.
  it.each([65_534, 912_345])(
    'contains as well as for the superuser, in folders that only user %i may read',
    async (user) => {
      await using app = await makeApp()
      chmodSync(app.path, 0o755)
      chmodSync(app.file('worlds'), 0o1777)
      // A kept world has no owner file; this one has, and is gone again.
      expect(await smoke(app, { user })).toMatchObject({ kind: 'pass' })
      expect(readdirSync(app.file('worlds'))).toEqual([])
      const said = await smoke(app, { user, options: { keepWorld: 'always' } })
      expect(said).toMatchObject({ kind: 'pass', survivors: 1, containment: probeContainment() })
      const kept = readdirSync(app.file('worlds')).map((name) => statSync(app.file('worlds', name)))
      expect(kept.map(({ uid, mode }) => [uid, mode & 0o777])).toEqual([
        [user, 0o700],
        [user, 0o700],
      ])
      expect(processesWith(app.path)).toEqual([])
    },
  )
})

async function makeApp(): Promise<TempWorkspace> {
  const app = await tempWorkspace({ 'package.json': '{"type":"module"}', 'lib/bin.js': bin })
  for (const folder of ['worlds', 'tools', 'nothing']) mkdirSync(app.file(folder))
  // What the watchdog of the weaker levels needs, and no perl.
  for (const tool of ['sleep', 'grep', 'ps']) symlinkSync(`/usr/bin/${tool}`, app.file('tools', tool))
  return app
}

interface Surroundings {
  /** Of the runner. */
  readonly path?: string
  /** Run in a mount namespace of its own before the runner. */
  readonly mount?: string
  readonly user?: number
  readonly options?: Record<string, unknown>
  /** Gets what the runner writes to stderr. */
  readonly told?: string[]
}

/** Runs the smoke in a runner of its own and gives what that printed. */
async function smoke(app: TempWorkspace, { path, mount, user, options, told }: Surroundings): Promise<unknown> {
  const given = {
    label: 'poor',
    tempDirPrefix: 'app-',
    tempDirParent: app.file('worlds'),
    binScript: app.file('src/bin.ts'),
    mode: 'lib',
    processTimeoutMs: 30_000,
    ...options,
  }
  const command = [process.execPath, runner, JSON.stringify(given)]
  const asUser = user === undefined ? [] : ['/usr/bin/setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
  const inMounts =
    mount === undefined
      ? []
      : ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', `${mount} && PATH="$RUNNER_PATH" exec "$@"`, 'runner']
  const [program = '', ...args] = [...inMounts, ...asUser, ...command]
  const usual = process.env['PATH'] ?? ''
  const env = {
    ...process.env,
    LOADER_SMOKE_TEST: app.path,
    RUNNER_PATH: path ?? usual,
    PATH: mount === undefined ? (path ?? usual) : usual,
  }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) =>
    told === undefined ? process.stderr.write(chunk) : told.push(String(chunk)),
  )
  await once(child, 'close')
  return JSON.parse(said)
}

async function nothingLeft(app: TempWorkspace): Promise<void> {
  await assertNothingLeft(app.path)
  expect(readdirSync(app.file('worlds'))).toEqual([])
}
