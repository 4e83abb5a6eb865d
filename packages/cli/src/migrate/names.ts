/** What a test may import from the harness that it migrates from, and find in ours under the same name. */

/** The package that tests import today, unless `--from` names another. */
export const PEER = '@deepseek-ai/dsh-loader-smoke'

/** The package that they import afterwards. */
export const HARNESS = '@loader-smoke/harness'

/** Values and types; a name that isn't here keeps its import as it is. */
export const KNOWN_NAMES: ReadonlySet<string> = new Set([
  'EXAMPLE_MODE_ENV',
  'ExampleLaunch',
  'ExampleLaunchOptions',
  'ExampleMode',
  'FixtureTurnOptions',
  'FixtureTurnResult',
  'LOADER_SMOKE_TEST_TIMEOUT_MS',
  'LoaderSmokeOptions',
  'LoaderSmokeResult',
  'resolveExampleLaunch',
  'resolveExampleMode',
  'runFixtureTurn',
  'runLoaderSmoke',
])

/** Something that stays as it is. */
export interface Left {
  /** Counted from 1. */
  readonly line: number
  readonly why: string
}
