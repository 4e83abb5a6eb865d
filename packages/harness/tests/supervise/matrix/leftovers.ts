/** What is left of a case in the world: looked up in `/proc` and in the folder, not in the harness' own report. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { alive, commandLine } from '@loader-smoke/testkit'

/** The pids that a fixture has noted in its file so far, and whether it is ready. */
export function noted(file: string): { pids: number[]; ready: boolean } {
  const lines = read(file).split('\n')
  return { pids: [...new Set(lines.filter((line) => /^\d+$/.test(line)).map(Number))], ready: lines.includes('ready') }
}

/** Live processes (this one too) with a file below `folder` open, as their working folder, or in their command line. */
export function users(folder: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return alive(pids).filter(
    (pid) =>
      (pid !== process.pid && commandLine(pid).includes(folder)) || links(pid).some((link) => link.startsWith(folder)),
  )
}

function links(pid: number): string[] {
  try {
    const fds = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)
    return [`/proc/${pid}/cwd`, ...fds].flatMap((link) => readlinkSync(link))
  } catch {
    // The process ended meanwhile, or is another user's.
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not there (yet), or the process ended.
    return ''
  }
}
