/** Declared smokes as tests of vitest. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test, type TestContext } from 'vitest'
import { checkSmokeFile, type DeclaredFixture, type SmokeFile } from '../config/check-smoke-file.ts'
import { toFixtureRun } from '../config/fixture-options.ts'
import { defaultOf } from '../config/options.ts'
import type { SmokeConfig } from '../config/smoke-config.ts'
import { loadSmokeFile } from '../config/smoke-file.ts'
import type { LoaderSmokeResult } from '../report/conclude.ts'
import { runLoaderSmoke } from '../smoke.ts'
import { LOADER_SMOKE_TEST_TIMEOUT_MS } from '../test-timeout.ts'
import { modelFrom } from './model.ts'

/** Looks at a smoke that passed. */
export type AfterSmoke = (result: LoaderSmokeResult, label: string) => Promise<void> | void

/**
 * Declares a test for each fixture of `config`. Its deadline is the fixture's own with time to clean up, so that the smoke's message is
 * seen and not the runner's; a run that vitest cancels is stopped. What the bin wrote is told only when the test fails.
 * @param from `import.meta.url` of the caller: paths in `config` start at its folder.
 * @param after called with what a fixture that passed gave: for expectations of your own.
 * @throws OptionError at once, for a config that can't be run with.
 * @example
 * smokeTest({ label: 'my-agent', bin: '../src/bin.ts', config: '../cordis.yml', task: 'Say hello.' }, import.meta.url)
 */
export function smokeTest(config: SmokeConfig, from: string | URL, after?: AfterSmoke): void {
  declare(checkSmokeFile(config, toPath(from)), after)
}

/**
 * The same for a `smoke.config` file; `await` it at the top of a test file.
 * @param file an absolute path, or a URL: `new URL('../smoke.config.json', import.meta.url)`.
 */
export async function smokeTestFile(file: string | URL, after?: AfterSmoke): Promise<void> {
  declare(await loadSmokeFile(toPath(file)), after)
}

function declare({ path, fixtures }: SmokeFile, after: AfterSmoke | undefined): void {
  for (const fixture of fixtures) {
    test(`${fixture.label}`, { timeout: timeoutOf(fixture) }, (context) =>
      runFixture(fixture, dirname(path), context, after),
    )
  }
}

async function runFixture(
  fixture: DeclaredFixture,
  folder: string,
  { signal }: TestContext,
  after: AfterSmoke | undefined,
): Promise<void> {
  const { options, model, names } = toFixtureRun(fixture, { folder, environment: process.env, exists: isFile })
  const services = [...(model === null ? [] : [await modelFrom(model, folder)]), ...(options.services ?? [])]
  const result = await runLoaderSmoke({ ...options, services, signal }, names)
  await after?.(result, fixture.label)
}

/** The deadline of a test is to be behind that of its smoke by what the default leaves, whatever the smoke's own is. */
function timeoutOf({ options }: DeclaredFixture): number {
  const spare = LOADER_SMOKE_TEST_TIMEOUT_MS - defaultOf('processTimeoutMs') - defaultOf('graceMs')
  const wanted =
    (options.processTimeoutMs ?? defaultOf('processTimeoutMs')) + (options.graceMs ?? defaultOf('graceMs')) + spare
  return Math.min(wanted, 2_147_483_647)
}

function toPath(place: string | URL): string {
  return typeof place === 'string' && !place.startsWith('file:') ? place : fileURLToPath(place)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
