/** The rows of the cache-truth table that concern options: one for each option that a target can have. */
import type { GivenOptions } from '../src/declared/names.ts'

/** What is given instead of what the row's target had. `<name>` is that of the row's project; `undefined` takes an option away. */
export interface OptionChange {
  /** All options of the target before, when they are others than those of every row. */
  readonly from?: GivenOptions
  readonly to: GivenOptions
}

const file = { smokeConfig: 'shared/<name>/smoke.config.json' }

/** A row for each option, under the name it was given by. Every value is one that the app passes with. */
export const optionChanges: Readonly<Record<string, OptionChange>> = {
  label: { to: { label: 'other' } },
  binScript: { to: { bin: '{projectRoot}/src/other.ts' } },
  configPath: { to: { config: '{projectRoot}/other.yml' } },
  tsconfigPath: { to: { tsConfig: '{projectRoot}/tsconfig.other.json' } },
  mode: { to: { mode: 'lib' } },
  task: { to: { task: 'Say something else.' } },
  model: { to: { model: { script: 'models/other.yml' } } },
  binArgs: { to: { task: undefined, args: ['{projectRoot}/other.yml', 'Say hello.'] } },
  libBinScript: { to: { libBin: '{projectRoot}/lib/bin.js' } },
  sourceImport: { to: { sourceImport: 'tsx/esm' } },
  env: { to: { env: { WORD: 'b ' } } },
  envMode: { to: { envMode: 'inherit' } },
  homes: { to: { homes: { X_HOME: '.x' } } },
  stdin: { to: { stdin: 'typed' } },
  tempDirPrefix: { to: { tempDirPrefix: 'other-' } },
  tempDirParent: { to: { tempDirParent: 'shared/<name>/worlds' } },
  cwd: { to: { cwd: 'shared/<name>/worlds' } },
  keepWorld: { to: { keepWorld: 'on-failure' } },
  processTimeoutMs: { to: { processTimeoutMs: 29_000 } },
  'timeout, the other name of processTimeoutMs': { to: { timeout: 29_000 } },
  graceMs: { to: { graceMs: 1_000 } },
  maxOutputBytes: { to: { maxOutputBytes: 1_000_000 } },
  expectedExitCode: { to: { expectedExitCode: 0 } },
  turn: { to: { turn: { output: 'hello' } } },
  expect: { to: { expect: { output: 'hello' } } },
  containment: { to: { containment: 'group' } },
  onSurvivors: { to: { onSurvivors: 'fail' } },
  redact: { to: { redact: ['secret'] } },
  passEnv: { to: { passEnv: ['OTHER_WORD'] } },
  stream: { to: { stream: true } },
  smokeConfig: { from: file, to: { smokeConfig: 'shared/<name>/other/smoke.config.json' } },
  fixture: { from: { ...file, fixture: 'one' }, to: { ...file, fixture: 'two' } },
}

/** Options without a row, and why. */
export const withoutRow: Readonly<Record<string, string>> = {
  expectedSignal: 'only a run that a signal ends passes with it',
  inferredMode: 'nobody writes it: the rows about the mode in the environment are its rows',
}
