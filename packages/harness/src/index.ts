/**
 * Runs a bin once in its own world, and judges what it did.
 * @example
 * const { stdout, turns } = await runLoaderSmoke({
 *   label: 'my-agent',
 *   binScript: fileURLToPath(new URL('../src/bin.ts', import.meta.url)),
 *   configPath: fileURLToPath(new URL('../cordis.yml', import.meta.url)),
 *   tsconfigPath: fileURLToPath(new URL('../../../tsconfig.base.json', import.meta.url)),
 *   turn: 'required',
 * })
 */
export * from '@loader-smoke/turn'
export type {
  Expectations,
  FileExpectation,
  TextMatch,
  ToolsExpectation,
  TurnExpectation,
} from './config/expectations.ts'
export { EXAMPLE_MODE_ENV, type ExampleMode, resolveExampleMode } from './config/mode.ts'
export { OptionError } from './config/option-error.ts'
export type { DeclaredSmokeOptions, LoaderSmokeOptions } from './config/options.ts'
export type { RerunCommand, RunningService, ServiceReport, SmokeService, SmokeWorld } from './config/services.ts'
export { type ExampleLaunch, type ExampleLaunchOptions, resolveExampleLaunch } from './launch/example-launch.ts'
export type { ServiceFact } from './launch/start-services.ts'
export type { Facts } from './observe/facts.ts'
export type { TurnFact } from './observe/report-file.ts'
export { checkLaunch, checkSmoke, recordSmoke } from './recorded.ts'
export type { LoaderSmokeResult } from './report/conclude.ts'
export type { SmokeRecord } from './report/record.ts'
export { SmokeError } from './report/smoke-error.ts'
export { runLoaderSmoke } from './run-loader-smoke.ts'
export { LOADER_SMOKE_TEST_TIMEOUT_MS } from './test-timeout.ts'
export type { CheckName, ErrorStage, FailedCheck, Verdict } from './verdict/verdict.ts'
