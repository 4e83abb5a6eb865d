/** Waits for a file to change. */
import { watch } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Stop } from './stop.ts'

/** Changes come in bursts: so long after the last one a run starts. */
const QUIET_MS = 150
/** Folders that a run or a build writes to; a change there is no reason to run again. */
const IGNORED = new Set(['node_modules', '.git', '.smoke', '.nx', '.turbo'])

/** Resolves with the path of the first change below `folder` once none came for a moment, or with null when the program is to stop. */
export async function untilChange(folder: string, { aborted }: Stop): Promise<string | null> {
  const quiet = new AbortController()
  let first: string | null = null
  let timer: NodeJS.Timeout | undefined
  try {
    for await (const { filename } of watch(folder, {
      recursive: true,
      signal: AbortSignal.any([aborted, quiet.signal]),
    })) {
      if (filename === null || filename.split(sep).some((part) => IGNORED.has(part))) continue
      first ??= filename
      clearTimeout(timer)
      timer = setTimeout(() => quiet.abort(), QUIET_MS)
    }
  } catch (error) {
    // The watcher ends by its signal: ours when it became quiet, or the program's stop. Anything else is no end of it.
    if ((error as Error).name !== 'AbortError') throw error
  } finally {
    clearTimeout(timer)
  }
  return aborted.aborted ? null : first
}
