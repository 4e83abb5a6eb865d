/** Notices that turbo was killed: it can't pass that on, and its tasks would go on for nobody. */
import { execFileSync } from 'node:child_process'

const EVERY_MS = 250

/** A process as `ps` lists it. */
export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  /** Path or name of the program. */
  readonly command: string
}

/**
 * Under turbo, calls `gone` once when its process is no more; does nothing elsewhere, nor where processes can't be listed (Windows).
 * Returns what ends the watch; the watch keeps no program alive.
 */
export function watchTurbo(env: NodeJS.ProcessEnv, gone: () => void): () => void {
  const turbo =
    (env['TURBO_HASH'] ?? '') === '' || process.platform === 'win32'
      ? undefined
      : turboAbove(process.pid, listProcesses())
  if (turbo === undefined) return () => {}
  const timer = setInterval(() => {
    if (isAlive(turbo)) return
    clearInterval(timer)
    gone()
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The nearest process above `pid` whose program is turbo. Pure. */
export function turboAbove(pid: number, processes: readonly ListedProcess[]): number | undefined {
  const byPid = new Map(processes.map((entry) => [entry.pid, entry]))
  const seen = new Set<number>()
  for (let at = byPid.get(pid); at !== undefined && !seen.has(at.pid); at = byPid.get(at.parent)) {
    seen.add(at.pid)
    if (at.pid !== pid && /(?:^|\/)turbo$/.test(at.command)) return at.pid
  }
  return undefined
}

/** The lines of `ps`. Pure. */
export function parseProcesses(text: string): ListedProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(\S.*?)\s*$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

function listProcesses(): ListedProcess[] {
  try {
    return parseProcesses(
      execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 2_000,
      }),
    )
  } catch {
    // Small images have no ps, or one without these flags: then a killed turbo goes unnoticed, as the README says.
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
