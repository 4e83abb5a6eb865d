/** A smoke in Nx that is interrupted, in a real terminal (`script` of util-linux makes it): nothing survives, and nothing is left on disk for good. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { type Scratch, scratch } from './scratch.ts'

const CTRL_C = '\u0003'
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** Never ends by itself, and has a daemon that is in no process group or session of ours. Both pids are written to the file in PIDS. */
const hangingBin = `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const daemon = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', env: {} })
appendFileSync(process.env.PIDS ?? '', process.pid + '\\n' + daemon.pid + '\\n')
setInterval(() => {}, 1000)
`

type Act = (run: { readonly terminal: ChildProcess; readonly nx: number; readonly executor: number }) => void

interface Interruption {
  readonly act: Act
  readonly inTerminal?: boolean
  readonly leavesWorld?: boolean
}

const interruptions: readonly (readonly [name: string, Interruption])[] = [
  ['Ctrl-C in its terminal', { act: ({ terminal }) => terminal.stdin?.write(CTRL_C) }],
  ['TERM to nx', { act: ({ nx }) => process.kill(nx, 'SIGTERM') }],
  ['HUP to nx', { act: ({ nx }) => process.kill(nx, 'SIGHUP') }],
  ['the end of its terminal', { act: ({ terminal }) => terminal.kill('SIGKILL') }],
  ['KILL of nx', { act: ({ nx }) => process.kill(nx, 'SIGKILL') }],
  ['KILL of nx that has no terminal', { act: ({ nx }) => process.kill(nx, 'SIGKILL'), inTerminal: false }],
  [
    'KILL of the process that runs the executor',
    { act: ({ executor }) => process.kill(executor, 'SIGKILL'), leavesWorld: true },
  ],
]

describe.skipIf(!hasTerminal)('a smoke in Nx', { timeout: 300_000 }, () => {
  it.each(interruptions)(
    'is gone within a second after %s',
    async (_, { act, inTerminal = true, leavesWorld = false }) => {
      await using workspace = await hangingWorkspace()
      const run = await start(workspace, inTerminal)
      act(run)
      const actedAt = performance.now()
      await waitFor('the processes of the smoke to end', () => alive(run.smoke).length === 0)
      expect(performance.now() - actedAt).toBeLessThan(1_000)
      await waitFor('nx and the executor to end', () => alive([run.nx, run.executor]).length === 0)
      expect(worlds(workspace)).toHaveLength(leavesWorld ? 2 : 0)
      if (run.terminal.exitCode === null && run.terminal.signalCode === null) run.terminal.kill('SIGKILL')

      if (!leavesWorld) return
      // The next run takes away what could not be taken away then, and says so.
      await workspace.write('packages/example/src/bin.ts', '')
      const next = await workspace.nx(['run', 'example:smoke'], { TMPDIR: workspace.file('local') })
      expect(next.output).toContain(`left by a run of process ${run.executor}, which was killed`)
      expect(worlds(workspace)).toEqual([])
    },
  )
})

async function hangingWorkspace(): Promise<Scratch> {
  const workspace = await scratch({
    ...app('example', { smoke: smokeTarget({ passEnv: ['PIDS'], turn: 'optional' }) }),
    'packages/example/src/bin.ts': hangingBin,
  })
  mkdirSync(workspace.file('local'))
  return workspace
}

/** Starts `nx run`, as the foreground job of a terminal or in a session without one, and waits until the bin runs. */
async function start(workspace: Scratch, inTerminal: boolean) {
  const pids = workspace.file('local', 'pids')
  const nxScript = join(workspace.path, 'node_modules/nx/dist/bin/nx.js')
  const args = [nxScript, 'run', 'example:smoke']
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TMPDIR: workspace.file('local'),
    NODE_OPTIONS: '--conditions=@loader-smoke/source',
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    SHELL: '/bin/sh',
    PIDS: pids,
  }
  const options = { cwd: workspace.path, env, stdio: 'pipe' } as const
  const terminal = inTerminal
    ? spawn('script', ['-qefc', `exec ${[process.execPath, ...args].join(' ')}`, '/dev/null'], options)
    : spawn(process.execPath, args, { ...options, detached: true })
  await once(terminal, 'spawn')
  let shown = ''
  terminal.stdout.on('data', (chunk: Buffer) => (shown += String(chunk)))
  const smoke = await waitFor(
    'the bin to run',
    () => {
      const noted = read(pids).split('\n').filter(Boolean).map(Number)
      return noted.length === 2 && noted
    },
    { deadlineMs: 120_000 },
  ).catch((cause: unknown) => {
    throw new Error(shown, { cause })
  })
  const [bin = 0] = smoke
  const above = ancestors(bin)
  const below = above.slice(0, above.indexOf(terminal.pid as number) + 1)
  const nodes = below.filter((pid) => read(`/proc/${pid}/cmdline`).startsWith(process.execPath))
  expect(nodes.length).toBeGreaterThan(1)
  return { terminal, smoke, executor: nodes[0] as number, nx: nodes.at(-1) as number }
}

/** The processes above `pid`, the nearest first. */
function ancestors(pid: number): number[] {
  const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0)
  return parent <= 1 ? [] : [parent, ...ancestors(parent)]
}

function alive(pids: readonly number[]): number[] {
  return pids.filter((pid) => /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`)))
}

/** What the runs left in the temporary folder. */
function worlds(workspace: Scratch): string[] {
  return readdirSync(workspace.file('local')).filter((name) => /^\.?loader-smoke-/.test(name))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not there yet, or the process ended.
    return ''
  }
}
