/** The entry of the package: loads the stages on the first run, so that importing the package costs little more than its names. */
import type { LoaderSmokeOptions } from './config/options.ts'
import { checkNodeVersion } from './node-version.ts'
import type { LoaderSmokeResult } from './report/conclude.ts'

/**
 * Runs a fixture's real entry point once, in an isolated folder of its own, and judges what it did.
 * Resolves for a run that met every expectation. When it settles, no process of the run is left, and its folder is gone unless `keepWorld` kept it.
 * @throws SmokeError for everything else: its message begins with the reason, its `verdict` has every fact; the abort signal's reason when it aborts.
 */
export async function runLoaderSmoke(options: LoaderSmokeOptions): Promise<LoaderSmokeResult> {
  checkNodeVersion()
  const stages = await import('./smoke.ts')
  return stages.runLoaderSmoke(options)
}
