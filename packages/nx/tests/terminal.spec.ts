/** A smoke in Nx that is interrupted, in a real terminal: nothing survives, and nothing is left on disk for good. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  alive,
  ancestors,
  commandLine,
  CTRL_C,
  hangingPids,
  hangingProgram,
  hasTerminal,
  type Job,
  startJob,
  waitFor,
} from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { type Scratch, scratch } from './scratch.ts'

type Act = (run: { readonly job: Job; readonly nx: number; readonly executor: number }) => void

interface Interruption {
  readonly act: Act
  readonly inTerminal?: boolean
  readonly leavesWorld?: boolean
}

const interruptions: readonly (readonly [name: string, Interruption])[] = [
  ['Ctrl-C in its terminal', { act: ({ job }) => job.type(CTRL_C) }],
  ['TERM to nx', { act: ({ nx }) => process.kill(nx, 'SIGTERM') }],
  ['HUP to nx', { act: ({ nx }) => process.kill(nx, 'SIGHUP') }],
  ['the end of its terminal', { act: ({ job }) => void job.close() }],
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
      await run.job.close()

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
    'packages/example/src/bin.ts': hangingProgram,
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
    PIDS: pids,
  }
  const job = await startJob([process.execPath, ...args], { cwd: workspace.path, env, inTerminal })
  const smoke = await hangingPids(pids, job)
  const above = ancestors(smoke[0])
  const below = above.slice(0, above.indexOf(job.pid) + 1)
  const nodes = below.filter((pid) => commandLine(pid).startsWith(process.execPath))
  expect(nodes.length).toBeGreaterThan(1)
  return { job, smoke, executor: nodes[0] as number, nx: nodes.at(-1) as number }
}

/** What the runs left in the temporary folder. */
function worlds(workspace: Scratch): string[] {
  return readdirSync(workspace.file('local')).filter((name) => /^\.?loader-smoke-/.test(name))
}
