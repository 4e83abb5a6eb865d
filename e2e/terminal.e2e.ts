/** The program from its packed files in a real terminal, under turbo and by itself: however it is stopped, nothing survives, and nothing stays on disk for good. */
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
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
  type TempWorkspace,
  tempWorkspace,
  waitFor,
} from '@loader-smoke/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, installPacked, ROOT, userEnvironment } from './packed.ts'

/** What is promised, on a machine that does nothing else. */
const GONE_WITHIN_MS = 1_000
/** On a busy one it may take another try to be that fast; each of them must leave nothing. */
const TRIES = 3

/** A smoke that runs in a job: the bin and its daemon, and the processes above it. */
interface Running {
  readonly job: Job
  readonly smoke: readonly number[]
  readonly program: number
  /** What the user called: turbo's own binary, or npx. */
  readonly called: number
  readonly above: readonly number[]
}

interface Interruption {
  readonly act: (running: Running) => void | Promise<unknown>
  readonly inTerminal?: boolean
  /** How many folders may be left (default: none). What a killed `loader-smoke` can't take away itself the next one does, and says so. */
  readonly leaves?: readonly number[]
}

type Named = readonly (readonly [name: string, Interruption])[]

const signal = (name: NodeJS.Signals, to: 'program' | 'called') => (running: Running) =>
  void process.kill(running[to], name)

const inAnyWay: Named = [
  ['Ctrl-C', { act: ({ job }) => job.type(CTRL_C) }],
  ['TERM to what was called', { act: signal('SIGTERM', 'called') }],
  ['HUP to what was called', { act: signal('SIGHUP', 'called') }],
  ['KILL of what was called', { act: signal('SIGKILL', 'called') }],
  ['the end of the terminal', { act: ({ job }) => job.close() }],
  ['KILL of the program', { act: signal('SIGKILL', 'program'), leaves: [2] }],
]
const underTurbo: Named = [
  // The second makes turbo kill its tasks.
  ['Ctrl-C twice', { act: typeTwice, leaves: [0, 2] }],
]
const underTurboAlone: Named = [
  ['KILL of turbo that has no terminal', { act: signal('SIGKILL', 'called'), inTerminal: false }],
]
const byItself: Named = [
  ['Ctrl-C twice', { act: typeTwice }],
  ['TERM', { act: signal('SIGTERM', 'program') }],
  ['HUP', { act: signal('SIGHUP', 'program') }],
]

let workspace: TempWorkspace

beforeAll(async () => {
  workspace = await tempWorkspace({
    'package.json': JSON.stringify({
      name: 'a-workspace',
      private: true,
      packageManager: 'npm@11.19.1',
      workspaces: ['apps/*'],
      devDependencies: {
        '@loader-smoke/harness': '',
        '@loader-smoke/model-replay': '',
        '@loader-smoke/turn': '',
        'loader-smoke': '',
        turbo: '2.11.11',
      },
    }),
    'apps/agent/package.json': JSON.stringify({
      name: 'agent',
      type: 'module',
      scripts: { smoke: 'loader-smoke run hangs --output .smoke/src' },
    }),
    'apps/agent/tsconfig.json': '{}',
    'apps/agent/src/hangs.ts': hangingProgram,
    'apps/agent/src/ends.ts': '',
  })
  const common = { turn: 'optional', graceMs: 100, tempDirParent: workspace.file('worlds') }
  const fixtures = [
    { label: 'hangs', bin: 'src/hangs.ts', env: { PIDS: workspace.file('pids') } },
    { label: 'ends', bin: 'src/ends.ts' },
  ]
  await workspace.write('apps/agent/smoke.config.json', JSON.stringify({ ...common, fixtures }))
  await mkdir(workspace.file('worlds'))
  for (const file of ['turbo.json', 'tsconfig.base.json'])
    await cp(join(ROOT, 'e2e/turbo-workspace', file), workspace.file(file))
  await installPacked(workspace.path)
  // turbo asks git, which must not find a repository above.
  await call(['git', 'init', '--quiet'], workspace.path)
}, 300_000)

afterAll(() => workspace[Symbol.asyncDispose]())

describe.skipIf(!hasTerminal)('a smoke in a terminal', { timeout: 180_000 }, () => {
  describe.each([
    [
      'under turbo that streams',
      ['turbo', 'run', 'smoke', '--ui=stream'],
      [...inAnyWay, ...underTurbo, ...underTurboAlone],
    ],
    ['under turbo with its own screen', ['turbo', 'run', 'smoke', '--ui=tui'], [...inAnyWay, ...underTurbo]],
    ['by itself', ['loader-smoke', 'run', 'hangs'], [...inAnyWay, ...byItself]],
  ] as const)('%s', (_, words, interruptions) => {
    it.each(interruptions)('is gone within a second after %s', async (_name, interruption) => {
      let fastest = Infinity
      for (let tried = 0; tried < TRIES && fastest >= GONE_WITHIN_MS; tried++)
        fastest = Math.min(fastest, await msUntilGone(words, interruption))
      expect(fastest).toBeLessThan(GONE_WITHIN_MS)
    })
  })
})

/** Starts the smoke, interrupts it, sees that nothing is left, and resolves with how long its processes lived on. */
async function msUntilGone(
  words: readonly string[],
  { act, inTerminal = true, leaves = [0] }: Interruption,
): Promise<number> {
  const running = await start(words, inTerminal)
  try {
    const actedAt = performance.now()
    await act(running)
    await waitFor('the processes of the smoke to end', () => alive(running.smoke).length === 0)
    const goneAfterMs = performance.now() - actedAt
    await waitFor('everything above it to end', () => alive(running.above).length === 0)
    const left = await worlds()
    expect(left.length).toBeOneOf([...leaves])
    const next = left.length === 0 ? null : await nextRun()
    expect(next).toEqual(left.length === 0 ? null : { code: 0, removedWhatLeft: running.program, worlds: [] })
    return goneAfterMs
  } finally {
    await running.job.close()
  }
}

async function start(words: readonly string[], inTerminal: boolean): Promise<Running> {
  await rm(workspace.file('pids'), { force: true })
  const env = userEnvironment()
  const job = await startJob(['npx', ...words], { cwd: workspace.file('apps/agent'), env, inTerminal })
  const smoke = await hangingPids(workspace.file('pids'), job)
  const chain = ancestors(smoke[0])
  const above = chain.slice(0, chain.indexOf(job.pid) + (inTerminal ? 0 : 1))
  const program = above.find((pid) => commandLine(pid).includes('loader-smoke run '))
  const called = above.find((pid) => /^\S+\/turbo run |^npm exec /.test(commandLine(pid)))
  if (program === undefined || called === undefined) throw new Error(above.map(commandLine).join('\n'))
  return { job, smoke, program, called, above }
}

/** The second comes when the first has done something. */
async function typeTwice({ job }: Running): Promise<void> {
  const before = job.shown()
  job.type(CTRL_C)
  await waitFor('the first to be heard', () => job.shown() !== before)
  job.type(CTRL_C)
}

/** A run that passes, and whose folders it says to have removed. */
async function nextRun() {
  const { code, output } = await call(['npx', 'loader-smoke', 'run', 'ends'], workspace.file('apps/agent'))
  const removed = /left by a run of process (\d+), which was killed/.exec(output)?.[1]
  return { code, removedWhatLeft: Number(removed), worlds: await worlds() }
}

function worlds(): Promise<string[]> {
  return readdir(workspace.file('worlds'))
}
