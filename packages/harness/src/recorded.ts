/** One smoke with its record, whatever came of it: what runners that report use instead of `runLoaderSmoke`. */
import type { LoaderSmokeOptions } from './config/options.ts'
import { resolve } from './config/resolve.ts'
import { type SmokeRecord, toRecord } from './report/record.ts'
import { SmokeError } from './report/smoke-error.ts'
import { runLoaderSmoke } from './smoke.ts'

/**
 * Runs a smoke and resolves with its record, also when it did not pass.
 * @param root the caller's folder: a failure points to the first file below it that the run names.
 * @throws OptionError before anything is started, for options that can't be run with; the abort signal's reason when it aborts.
 */
export async function recordSmoke(options: LoaderSmokeOptions, root: string): Promise<SmokeRecord> {
  const spec = resolve(options, process.env)
  try {
    const { verdict, keptWorld } = await runLoaderSmoke(options)
    return toRecord(spec, verdict, { keptWorld, root })
  } catch (error) {
    if (!(error instanceof SmokeError)) throw error
    return toRecord(spec, error.verdict, { keptWorld: error.keptWorld, root })
  }
}

/** Checks options without running them. @throws OptionError for the first that can't be run with. */
export function checkSmoke(options: LoaderSmokeOptions): void {
  resolve(options, process.env)
}
