/** The sweep at the start of a runner: once per process and folder, told on standard error. */
import { realpathSync } from 'node:fs'
import { sweepStale } from './sweep.ts'

/** A sweep that is longer goes on behind the verdict, or at the next start where the process ends before. */
const WAIT_MS = 50

const begun = new Map<string, Promise<void>>()

/** Sweeps `parent` unless this process has; resolves when that is over. Never rejects: a folder that can't be read is reported by the run that needs it. */
export function sweepOnce(parent: string): Promise<void> {
  const sweep = begun.get(parent) ?? sweepAndTell(parent)
  begun.set(parent, sweep)
  return sweep
}

/** Resolves when `sweep` is over, or soon: who waits for a verdict does not wait for what others have left. */
export async function awaitSoon(sweep: Promise<void>): Promise<void> {
  const { promise: soon, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  await Promise.race([sweep, soon])
  clearTimeout(timer)
}

async function sweepAndTell(parent: string): Promise<void> {
  let real: string
  try {
    real = realpathSync(parent)
  } catch {
    // Not there: there is nothing to sweep.
    return
  }
  for (const { world, ownerPid } of await sweepStale(real)) {
    process.stderr.write(`loader-smoke: removed ${world}, left by a run of process ${ownerPid}, which was killed\n`)
  }
}
