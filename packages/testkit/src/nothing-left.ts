/** Looks in the world, not in the harness' own report, for what a run should have taken away: processes and folders. */
import { readdirSync, readFileSync } from 'node:fs'
import { waitFor } from './wait-for.ts'

/** A live process, as `/proc` tells it. */
export interface LiveProcess {
  readonly pid: number
  readonly command: string
}

/** Live processes (no zombies) whose command line or environment contains `marker`. Linux only: reads `/proc`. */
export function processesWith(marker: string): LiveProcess[] {
  const found: LiveProcess[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    const command = read(`/proc/${name}/cmdline`)
    const environ = read(`/proc/${name}/environ`)
    if (!command.includes(marker) && !environ.includes(marker)) continue
    if (/^State:\s+[ZX]/m.test(read(`/proc/${name}/status`))) continue
    found.push({ pid, command: command.replaceAll('\0', ' ').trim() })
  }
  return found
}

/** Resolves when no live process carries `marker` and `folder` (if given) has no entry; rejects with what is left after `deadlineMs` (default 5,000). */
export async function assertNothingLeft(marker: string, folder?: string, deadlineMs = 5_000): Promise<void> {
  let left = ''
  try {
    await waitFor(
      'nothing to be left',
      () => {
        const processes = processesWith(marker).map(({ pid, command }) => `process ${pid} ${command}`)
        const entries = folder === undefined ? [] : readdirSync(folder).map((entry) => `entry ${entry} in ${folder}`)
        left = [...processes, ...entries].join('\n')
        return left === ''
      },
      { deadlineMs },
    )
  } catch (error) {
    throw new Error(`left behind after ${deadlineMs} ms:\n${left}`, { cause: error })
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process ended between the listing and the read, or belongs to another user: not ours to report either way.
    return ''
  }
}
