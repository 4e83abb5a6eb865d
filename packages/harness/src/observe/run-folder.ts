/** Tells a run whose own folder was taken away from one that could not be read. */
import { existsSync } from 'node:fs'
import type { World } from '../launch/world.ts'

/** `error`, or what it came from: the bin removed the private folder that holds its streams and its turn report. */
export function orRemoved(error: unknown, { runDir }: Pick<World, 'runDir'>): unknown {
  if (existsSync(runDir)) return error
  return new Error(
    `the folder of its streams and its turn report is gone, ${runDir}.\n` +
      'Next: see what in the bin removes folders that it did not make; that one is named by LOADER_SMOKE_REPORT.',
    { cause: error },
  )
}
