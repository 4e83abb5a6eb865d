/**
 * Runs one case of the matrix: one fixture, one way to end, one containment level. As a program (arguments: the three and the limit), prints the outcome as
 * JSON; whoever starts it so contains what it can't end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alive, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { supervise } from '../../../src/supervise/supervise.ts'
import type { ContainmentLevel, Ending, SuperviseSpec } from '../../../src/supervise/types.ts'
import { noted, users } from './leftovers.ts'

/** The ways a run ends. */
export const endings = [
  'exit',
  'deadline',
  'stop',
  'runner SIGINT',
  'runner SIGTERM',
  'runner SIGHUP',
  'runner SIGKILL',
  'runner exit',
  'helper SIGKILL',
  'guard SIGKILL',
] as const
export type EndingName = (typeof endings)[number]

/** What the case left, and what was reported. */
export interface CaseOutcome {
  /** Live processes of the fixture. */
  readonly left: readonly number[]
  /** The world of a run that is over still exists. */
  readonly worldLeft: boolean
  /** How the run ended by its own report; the stage of the error; null when the runner could not report. */
  readonly reported: Ending | string | null
  /** How the runner itself ended, where it was a process of its own. */
  readonly runner: { readonly exitCode: number | null; readonly signal: NodeJS.Signals | null } | null
}

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
const DEADLINE_MS = 1_000
/** A start takes 0.2 s on an idle machine; several at once on a busy one may take far longer. */
const PATIENCE = { deadlineMs: 45_000 } as const

/** Runs the case in a folder of its own, which is removed. A killed runner's tree may take `goneWithinMs`. */
export async function runCase(
  name: string,
  ending: EndingName,
  containment: ContainmentLevel,
  goneWithinMs: number,
): Promise<CaseOutcome> {
  await using folder = await tempWorkspace({}, 'matrix-')
  const pids = folder.file('pids')
  const spec: Omit<SuperviseSpec, 'cwd' | 'captureDir'> = {
    argv: ['/bin/sh', fixture(`${name}.sh`), pids, ending === 'exit' ? 'exit' : 'stay'],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'file',
    graceMs: 100,
    containment,
    ...(ending === 'deadline' ? { deadlineMs: DEADLINE_MS } : {}),
  }
  const ready = () => waitFor(`${name} to be ready`, () => noted(pids).ready, PATIENCE)
  try {
    const inProcess = ending === 'exit' || ending === 'deadline' || ending === 'stop'
    const outcome = inProcess
      ? await runHere(spec, folder.path, ending === 'stop' ? ready : null)
      : await runElsewhere(spec, folder.path, ending, ready)
    const left = await settled(pids, folder.path, ending === 'runner SIGKILL' ? goneWithinMs : 0)
    return { ...outcome, left, worldLeft: existsSync(folder.file('world')) }
  } finally {
    // Before the folder goes: a fixture that has escaped is not to outlive its case.
    await endLeftovers(pids, folder.path)
  }
}

type Reported = Pick<CaseOutcome, 'reported' | 'runner'>

async function runHere(
  spec: Omit<SuperviseSpec, 'cwd'>,
  folder: string,
  stopWhen: (() => Promise<unknown>) | null,
): Promise<Reported> {
  const captureDir = `${folder}/capture`
  mkdirSync(captureDir)
  const run = await supervise({ ...spec, cwd: folder, captureDir })
  if (stopWhen !== null) {
    await stopWhen()
    void run.stop()
  }
  return { reported: await run.ended, runner: null }
}

async function runElsewhere(
  spec: Omit<SuperviseSpec, 'cwd'>,
  folder: string,
  ending: EndingName,
  ready: () => Promise<unknown>,
): Promise<Reported> {
  const [who, how = ''] = ending.split(' ')
  const orders = JSON.stringify({ ...spec, folder, exitOnInput: how === 'exit' })
  const runner = spawn(process.execPath, [fixture('runner.ts'), orders], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  runner.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  const closed = once(runner, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const { pid } = await waitFor('the run to start', () => said<{ pid: number }>(output, 'pid'), PATIENCE)
  await ready()
  if (how === 'exit') runner.stdin.end('exit')
  else
    process.kill(
      { runner: runner.pid as number, helper: parentOf(pid), guard: guardOf(runner, pid) }[who ?? ''] as number,
      how,
    )
  // A run that has lost its guard goes on, and is ended as any other.
  if (who === 'guard') runner.kill('SIGTERM')
  const [exitCode, signal] = await closed
  const reported =
    said<{ ending: Ending }>(output, 'ending')?.ending ?? said<{ error: string }>(output, 'error')?.error ?? null
  return { reported, runner: { exitCode, signal } }
}

function said<T>(output: string, field: string): T | undefined {
  const line = output.split('\n').find((text) => text.startsWith(`{"${field}"`))
  return line === undefined ? undefined : (JSON.parse(line) as T)
}

/** The process beside or above the program that guards it: the guardian (level `subreaper`) or the watchdog. */
function guardOf(runner: ChildProcess, program: number): number {
  const children = (readFileSync(`/proc/${runner.pid}/task/${runner.pid}/children`, 'utf8').match(/\d+/g) ?? []).map(
    Number,
  )
  const guard = children.find((pid) => pid !== program)
  if (guard === undefined) throw new Error(`runner ${runner.pid} has no guard, only ${children.join(' ')}`)
  return guard
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
}

/** So many looks in a row must find nothing: a chain of processes can pass between two of them. */
const LOOKS = 10

/** What is alive now, or still after `limitMs`; empty only when `LOOKS` looks found nothing. */
async function settled(pids: string, folder: string, limitMs: number): Promise<readonly number[]> {
  const end = performance.now() + limitMs
  let empty = 0
  return waitFor(
    'the case to be settled',
    () => {
      const left = alive(noted(pids).pids)
      // The long look, at every process of the machine, is for the first and the last.
      if (left.length === 0 && (empty === 0 || empty === LOOKS - 1)) left.push(...users(folder))
      empty = left.length === 0 ? empty + 1 : 0
      return empty === LOOKS || (left.length > 0 && performance.now() > end) ? left : false
    },
    PATIENCE,
  )
}

/** Ends what a weaker level could not contain. */
async function endLeftovers(pids: string, folder: string): Promise<void> {
  await waitFor('the leftovers of the case to end', () => {
    const left = leftOf(pids, folder).filter((pid) => pid !== process.pid)
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended meanwhile.
      }
    }
    return left.length === 0
  })
}

function leftOf(pids: string, folder: string): number[] {
  return [...new Set([...alive(noted(pids).pids), ...users(folder)])]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , name = '', ending, level, goneWithinMs] = process.argv
  console.log(
    JSON.stringify(await runCase(name, ending as EndingName, level as ContainmentLevel, Number(goneWithinMs))),
  )
}
