/** Notices that files change. */
import { watch } from 'node:fs'
import { sep } from 'node:path'
import type { Stop } from './stop.ts'

/** Changes come in bursts: so long after the last one a run starts. */
const QUIET_MS = 150
/** Folders that a run or its tools write to; a change there is no reason to run again. */
const IGNORED = new Set(['node_modules', '.git', '.smoke', '.nx', '.turbo'])

/** Watches from when it is opened, so that a change during a run is not lost. */
export interface Watch extends Disposable {
  /** Resolves true once something changed since the last call and then nothing for a moment; false when the program is to stop. */
  changed(stop: Stop): Promise<boolean>
}

/** Watches everything below `folder`, except what runs and tools write. @throws the system's error when it can't be watched. */
export function openWatch(folder: string): Watch {
  let dirty = false
  let wake: () => void = nothing
  const watcher = watch(folder, { recursive: true }, (_, filename) => {
    if (filename !== null && isIgnored(filename)) return
    dirty = true
    wake()
  })
  return {
    changed: ({ aborted }) =>
      new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined
        const settle = (result: boolean) => {
          clearTimeout(timer)
          aborted.removeEventListener('abort', stopped)
          wake = nothing
          dirty = false
          resolve(result)
        }
        const stopped = () => settle(false)
        wake = () => {
          clearTimeout(timer)
          timer = setTimeout(() => settle(true), QUIET_MS)
        }
        aborted.addEventListener('abort', stopped)
        if (aborted.aborted) stopped()
        else if (dirty) wake()
      }),
    [Symbol.dispose]: () => watcher.close(),
  }
}

/** Whether a change of this file (relative to the watched folder) is no reason to run again. Pure. */
export function isIgnored(path: string): boolean {
  return path.split(sep).some((part) => IGNORED.has(part))
}

function nothing(): void {}
