/** One smoke with its record, whatever came of it: what runners that report use instead of `runLoaderSmoke`. */
import type { LoaderSmokeOptions } from './config/options.ts'
import type { WrittenNames } from './config/written-names.ts'
import { checkNodeVersion } from './node-version.ts'
import type { SmokeRecord } from './report/record.ts'
import { SmokeError } from './report/smoke-error.ts'

/**
 * Runs a smoke and resolves with its record, also when it did not pass.
 * @param root the caller's folder: a failure points to the first file below it that the run names.
 * @param names what the options are called where a person wrote them; left out, each has its own name.
 * @throws OptionError before anything is started, for options that can't be run with; the abort signal's reason when it aborts.
 */
export async function recordSmoke(
  options: LoaderSmokeOptions,
  root: string,
  names?: WrittenNames,
): Promise<SmokeRecord> {
  checkNodeVersion()
  // As late as the stages themselves: importing the package stays light.
  const { resolve } = await import('./config/resolve.ts')
  const { toRecord } = await import('./report/record.ts')
  const { runLoaderSmoke } = await import('./smoke.ts')
  const spec = resolve(options, process.env, names)
  try {
    const { verdict, keptWorld } = await runLoaderSmoke(options, names)
    return toRecord(spec, verdict, { keptWorld, root })
  } catch (error) {
    if (!(error instanceof SmokeError)) throw error
    return toRecord(spec, error.verdict, { keptWorld: error.keptWorld, root })
  }
}

/** Checks options without running them. Rejects with OptionError for the first that can't be run with. */
export async function checkSmoke(options: LoaderSmokeOptions, names?: WrittenNames): Promise<void> {
  const { resolve } = await import('./config/resolve.ts')
  resolve(options, process.env, names)
}

/**
 * Looks at all that a run looks at before it makes or starts anything: the options, the entry, the TypeScript project, the loader, the folders.
 * @returns the absolute path of the entry that would be started.
 * @throws OptionError or LaunchError for the first thing that a run would refuse.
 */
export async function checkLaunch(options: LoaderSmokeOptions, names?: WrittenNames): Promise<string> {
  checkNodeVersion()
  const { resolve } = await import('./config/resolve.ts')
  const { entryOf } = await import('./launch/argv.ts')
  const { resolveLoader } = await import('./launch/loader.ts')
  const { checkFiles } = await import('./launch/preflight.ts')
  const spec = resolve(options, process.env, names)
  checkFiles(spec, names)
  if (spec.mode === 'src') resolveLoader(spec.loader, spec.bin.source, names)
  return entryOf(spec)
}
