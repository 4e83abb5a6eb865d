/** The processes of this machine: from `/proc` on Linux, from POSIX `ps` elsewhere. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** One live process (no zombie). */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Clock ticks from the boot to its start; 0 where only `ps` tells. */
  readonly startTicks: number
  /** Its name from `/proc`, its command line from `ps`; see `commandOf`. */
  readonly command: string
}

/** Every live process that may be seen; empty where neither `/proc` nor `ps` tells. */
export function listProcesses(): ProcessEntry[] {
  return fromProc() ?? fromPs()
}

/** When `pid` started, in clock ticks since the boot; 0 when that can't be told. */
export function startTicksOf(pid: number): number {
  return readEntry(pid)?.startTicks ?? 0
}

/** The command line of a process that was listed, or what the list said when it is gone or hides it. */
export function commandOf({ pid, command }: ProcessEntry): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || command
  } catch {
    // No /proc, or the process has ended.
    return command
  }
}

/** Whether `pid` is alive and no zombie; without `/proc`, a zombie counts as alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return !existsSync('/proc/self/stat') || readEntry(pid) !== null
}

function fromProc(): ProcessEntry[] | null {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    // No /proc: not Linux, or not mounted.
    return null
  }
  const pids = names.map(Number).filter(Number.isInteger)
  return pids.length === 0 ? null : pids.flatMap((pid) => readEntry(pid) ?? [])
}

function readEntry(pid: number): ProcessEntry | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // The process ended between the listing and the read.
    return null
  }
}

/** Reads a line of `/proc/<pid>/stat`; null for a zombie. The name in parentheses may hold spaces and parentheses itself. */
export function parseStat(line: string): ProcessEntry | null {
  const nameStart = line.indexOf('(')
  const nameEnd = line.lastIndexOf(')')
  const [state = '', parent, group, session, ...rest] = line.slice(nameEnd + 2).split(' ')
  if ('ZX'.includes(state)) return null
  return {
    pid: Number(line.slice(0, nameStart)),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(rest[15]),
    command: line.slice(nameStart + 1, nameEnd),
  }
}

function fromPs(): ProcessEntry[] {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,args='], {
      encoding: 'utf8',
      timeout: 2_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return parsePs(table)
  } catch {
    // No ps, or it can't see processes: names are then unknown, which callers state as an empty list.
    return []
  }
}

/** Reads the table of `ps -A -o pid=,ppid=,pgid=,stat=,args=`; POSIX `ps` doesn't tell sessions, they are 0. */
export function parsePs(table: string): ProcessEntry[] {
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || state?.startsWith('Z')) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        startTicks: 0,
        command: command ?? '',
      },
    ]
  })
}
