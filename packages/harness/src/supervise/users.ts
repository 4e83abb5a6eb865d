/** Which folders are used by a live process: as its working folder, by an open file, or by the cookie of their run. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sep } from 'node:path'
import { COOKIE_NAME } from './reach.ts'

/** One run's folders and the cookie its processes carry. */
export interface RunMarks {
  readonly cookie: string
  /** Absolute real paths. */
  readonly folders: readonly string[]
}

/** For each of `runs`, whether a process that may be looked at uses it. All false where there is no `/proc`. */
export function usersOf(runs: readonly RunMarks[]): boolean[] {
  const used = runs.map(() => false)
  for (const pid of processIds()) {
    const environment = `\0${attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? ''}`
    const links = linksOf(pid)
    for (const [index, { cookie, folders }] of runs.entries()) {
      used[index] ||=
        environment.includes(`\0${COOKIE_NAME}=${cookie}\0`) || links.some((link) => isBelow(link, folders))
    }
  }
  return used
}

function processIds(): string[] {
  return (attempt(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name))
}

function linksOf(pid: string): string[] {
  const fds = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  const links = ['cwd', 'root', ...fds.map((fd) => `fd/${fd}`)]
  return links.flatMap((link) => attempt(() => readlinkSync(`/proc/${pid}/${link}`)) ?? [])
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}${sep}`))
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // The process ended meanwhile, or belongs to another user, or there is no /proc.
    return null
  }
}
