/** The packed program and the packed package as another user, as containers run them: no entry in the password file, no home, files that may only be read. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { readdirSync, statSync } from 'node:fs'
import { alive, type TempWorkspace, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, installPacked } from './packed.ts'

const USER = 912_345
const asUser = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
/** Needs the superuser, `setpriv` of util-linux, and a Node in a folder that everybody may read. */
const mayChangeUser = spawnSync('setpriv', [...asUser.slice(1), process.execPath, '--version']).status === 0
const mayMount = mayChangeUser && spawnSync('unshare', ['--mount', 'true']).status === 0

/** Leaves a process behind that clears its environment: in a session of its own, or with `stay` in its group. */
const leavesDaemon = (code: number) => `
import { spawn } from 'node:child_process'
spawn('/bin/sleep', ['600'], { detached: process.argv[2] !== 'stay', stdio: 'ignore', env: {} }).unref()
console.log('ran as', process.getuid?.())
process.exitCode = ${code}
`
const usesPackage = `
import { runLoaderSmoke } from '@loader-smoke/harness'
const { containment, stdout, survivors } = await runLoaderSmoke({
  label: 'passes', tempDirPrefix: 'app-', binScript: new URL('src/passes.ts', import.meta.url).pathname, mode: 'src',
  tsconfigPath: new URL('tsconfig.json', import.meta.url).pathname,
})
console.log(JSON.stringify({ containment, stdout, survivors: survivors.map(({ command }) => command) }))
`

let app: TempWorkspace

beforeAll(async () => {
  if (!mayChangeUser) return
  app = await tempWorkspace({
    'package.json': JSON.stringify({
      name: 'app',
      private: true,
      type: 'module',
      devDependencies: {
        '@loader-smoke/harness': '',
        '@loader-smoke/model-replay': '',
        '@loader-smoke/turn': '',
        'loader-smoke': '',
      },
    }),
    'tsconfig.json': '{}',
    'smoke.config.json': JSON.stringify({
      turn: 'optional',
      fixtures: [
        { label: 'passes', bin: 'src/passes.ts' },
        { label: 'fails', bin: 'src/fails.ts' },
      ],
    }),
    'src/passes.ts': leavesDaemon(0),
    'src/fails.ts': leavesDaemon(3),
    'uses-package.js': usesPackage,
  })
  await installPacked(app.path)
  await chmod(app.path, 0o755)
  for (const folder of ['tmp', 'out']) {
    await mkdir(app.file(folder))
    await chmod(app.file(folder), 0o1777)
  }
}, 300_000)

afterAll(() => app?.[Symbol.asyncDispose]())

describe.skipIf(!mayChangeUser)(
  'as a user without a name (root and setpriv make one), from packed files that may only be read',
  { timeout: 120_000 },
  () => {
    it.each([
      ['passes', 0, 'pass'],
      ['fails', 1, 'fail'],
    ])('the program says of a bin that %s what is so, and leaves nothing', async (label, code, verdict) => {
      expect(await runProgram(asUser, label)).toEqual({
        code,
        verdict,
        containment: 'subreaper',
        stdout: `ran as ${USER}\n`,
        survivors: ['/bin/sleep 600'],
      })
      await nothingLeft()
    })

    it('the package does the same', async () => {
      const { code, output } = await call([...asUser, process.execPath, 'uses-package.js'], app.path, environment())
      expect([code, JSON.parse(output)]).toEqual([
        0,
        { containment: 'subreaper', stdout: `ran as ${USER}\n`, survivors: ['/bin/sleep 600'] },
      ])
      await nothingLeft()
    })
  },
)

/** As small images are: no perl, no /proc. */
const bare = 'mount --bind /dev/null /usr/bin/perl && mount -t tmpfs none /proc'
const asUserAfter = (mounts: string) => ['unshare', '--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...asUser]

describe.skipIf(!mayMount)('and without perl and /proc (unshare takes them away)', { timeout: 120_000 }, () => {
  it.each([
    ['passes', 0, 'pass'],
    ['fails', 1, 'fail'],
  ])(
    'the program says of a bin that %s what is so, and that it contained the group alone',
    async (label, code, verdict) => {
      expect(await runProgram(asUserAfter(bare), label, ['--args', 'stay'])).toMatchObject({
        code,
        verdict,
        containment: 'group',
      })
      await nothingLeft()
    },
  )

  it.each([
    ['read-only', '-o ro', /EROFS/],
    ['full', '-o size=4k,nr_inodes=2', /ENOSPC/],
  ])('a temporary folder that is %s is an error, and nothing is run', async (_, options, code) => {
    const ran = await runProgram(asUserAfter(`${bare} && mount -t tmpfs ${options} none ${app.file('tmp')}`), 'passes')
    expect(ran).toEqual({ code: 3, verdict: 'error', containment: null, stdout: '', survivors: [] })
    expect(await app.read('out/report.json')).toMatch(code)
    await nothingLeft()
  })
})

async function runProgram(as: readonly string[], label: string, more: readonly string[] = []) {
  await rm(app.file('out/report.json'), { force: true })
  const program = app.file('node_modules/.bin/loader-smoke')
  const words = ['run', label, '--output', app.file('out'), ...more]
  const { code } = await call([...as, process.execPath, program, ...words], app.path, environment())
  const { smokes } = JSON.parse(await app.read('out/report.json')) as { smokes: [Smoke] }
  const [{ verdict, containment, stdout, survivors }] = smokes
  return { code, verdict, containment, stdout: stdout.text, survivors: survivors.map(({ command }) => command) }
}

interface Smoke {
  readonly verdict: string
  readonly containment: string | null
  readonly stdout: { readonly text: string }
  readonly survivors: readonly { readonly command: string }[]
}

function environment(): Record<string, string> {
  return { HOME: '/nonexistent', TMPDIR: app.file('tmp') }
}

/** No process of that user, and none of its files in the temporary folder but the cache of tsx, which lasts. */
async function nothingLeft(): Promise<void> {
  await waitFor('the processes of the user to end', () => processesOfUser().length === 0)
  expect((await readdir(app.file('tmp'))).filter((name) => name !== `tsx-${USER}`)).toEqual([])
}

function processesOfUser(): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return alive(pids).filter((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === USER)
}
