/** What of a run's tree can be found and ended without a helper: its process group, and with `/proc` its session, its cookie and their descendants. */
import { readFileSync } from 'node:fs'
import { commandOf, listProcesses, type ProcessEntry } from './processes.ts'
import { SuperviseError } from './supervise-error.ts'
import { KILL_MS, until } from './timing.ts'
import type { Survivor } from './types.ts'

/** The environment name that marks every process of a run. */
export const COOKIE_NAME = 'LOADER_SMOKE_RUN'

/** How a run's processes are recognised. */
export interface Reach {
  /** Process group and session of the program, which is its pid. */
  readonly group: number
  readonly cookie: string
  /** When the program started, as `/proc/<pid>/stat` counts; 0 when that is not known. */
  readonly sinceTicks: number
  /** Look for session, cookie and descendants too; needs `/proc`. */
  readonly sweep: boolean
}

/** Sends `signal` to the group; false when it has no member any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ESRCH') return false
    // A member that may not be signalled (it changed its user) is a member.
    if (code === 'EPERM') return true
    throw error
  }
}

/** Whether anything of the run is alive. */
export function isReachable(reach: Reach): boolean {
  return reach.sweep ? findReachable(reach).length > 0 : signalGroup(reach.group, 0)
}

/** The live processes of the run, by name. */
export function nameReachable(reach: Reach): Survivor[] {
  return findReachable(reach).map((entry) => ({ pid: entry.pid, command: commandOf(entry) }))
}

/** Sends KILL until nothing of the run is alive. Rejects with `SuperviseError` `stage: 'survivors'` when that doesn't help. */
export async function endReachable(reach: Reach): Promise<void> {
  // Found nothing once is not nothing left: a chain of processes can pass between two looks.
  let empty = 0
  const gone = () => {
    empty = endRound(reach) ? empty + 1 : 0
    return empty === (reach.sweep ? 2 : 1)
  }
  if (await until(gone, KILL_MS)) return
  const survivors = nameReachable(reach)
  throw new SuperviseError('survivors', `processes are alive ${KILL_MS} ms after KILL: ${describe(survivors)}`, {
    survivors,
  })
}

/** One round of KILL; true when nothing of the run was alive any more. */
export function endRound(reach: Reach): boolean {
  if (!signalGroup(reach.group, 'SIGKILL') && !reach.sweep) return true
  const found = findReachable(reach)
  for (const { pid } of found) killOne(pid)
  return found.length === 0
}

/** `pid command` of each, for a message. */
export function describe(survivors: readonly Survivor[]): string {
  return survivors.map(({ pid, command }) => `${pid} ${command}`).join(', ')
}

function findReachable({ group, cookie, sweep, sinceTicks }: Reach): ProcessEntry[] {
  // What is older than the program is none of its making, and need not be looked into.
  const all = listProcesses().filter(({ pid, startTicks }) => pid !== process.pid && startTicks >= sinceTicks)
  if (!sweep) return all.filter((entry) => entry.group === group)
  const found = new Set<number>()
  for (const { pid, group: itsGroup, session } of all) {
    if (itsGroup === group || session === group || carries(pid, cookie)) found.add(pid)
  }
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid)
  }
  return all.filter(({ pid }) => found.has(pid))
}

function carries(pid: number, cookie: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${COOKIE_NAME}=${cookie}\0`)
  } catch {
    // The process ended, or is another user's and so not of this run.
    return false
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended since the listing (ESRCH) or may not be signalled (EPERM): the next look tells.
  }
}
