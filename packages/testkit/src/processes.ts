/** The processes of this machine as `/proc` tells them, for tests that look in the world. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** A live process. */
export interface LiveProcess {
  readonly pid: number
  readonly command: string
}

/** Live processes (no zombies) whose command line or environment contains `marker`; never this one. */
export function processesWith(marker: string): LiveProcess[] {
  const found: LiveProcess[] = []
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    if (pid === process.pid) continue
    const command = commandLine(pid)
    if (!command.includes(marker) && !read(`/proc/${pid}/environ`).includes(marker)) continue
    if (alive([pid]).length > 0) found.push({ pid, command })
  }
  return found
}

/** Those of `pids` that are alive and no zombies. */
export function alive(pids: readonly number[]): number[] {
  return pids.filter((pid) => /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`)))
}

/** The processes above `pid`, the nearest first, without the first of the machine. */
export function ancestors(pid: number): number[] {
  const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(read(`/proc/${pid}/stat`))?.[1] ?? 0)
  return parent <= 1 ? [] : [parent, ...ancestors(parent)]
}

/** The words of its command line with spaces between them; empty when it has ended or has none. */
export function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process ended between the listing and the read, or belongs to another user: not ours to report either way.
    return ''
  }
}
