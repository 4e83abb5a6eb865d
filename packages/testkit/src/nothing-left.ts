/** Looks in the world, not in the harness' own report, for what a run should have taken away: processes and folders. */
import { readdirSync } from 'node:fs'
import { processesWith } from './processes.ts'
import { waitFor } from './wait-for.ts'

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
