/** Every way in which an app here is broken. */
import type { LoaderSmokeOptions } from '@loader-smoke/harness'

/** How an app is run. */
export interface How {
  /** Path in this package. */
  readonly bin: string
  /** Name of a file in `configs/`; without one the bin gets no arguments. */
  readonly config?: string
  /** Name of a file in `scripts/`: a model server answers from it. */
  readonly script?: string
  readonly options?: Partial<LoaderSmokeOptions>
}

/** One broken app. */
export interface Case extends How {
  readonly name: string
  readonly breaks: string
  /** Whose fault the verdict says it is: the app's (`fail`), or that of who described the run (`error`). */
  readonly kind: 'fail' | 'error'
}

const app = { bin: 'src/app.ts', kind: 'fail' } as const

/** All that must fail. */
export const cases: readonly Case[] = [
  { name: 'exits-7', breaks: 'exits 7', bin: 'src/exits-7.ts', kind: 'fail' },
  {
    name: 'exits-0',
    breaks: 'exits well where 7 is expected',
    bin: 'src/exits-0.ts',
    kind: 'fail',
    options: { expectedExitCode: 7 },
  },
  { name: 'kills-itself', breaks: 'is killed by a signal', bin: 'src/kills-itself.ts', kind: 'fail' },
  {
    name: 'hangs',
    breaks: 'never exits',
    bin: 'src/hangs.ts',
    kind: 'fail',
    options: { processTimeoutMs: 10_000, graceMs: 0, mode: 'lib' },
  },
  { name: 'no-agents-service', breaks: 'has no service that holds agents', config: 'no-agents-service', ...app },
  { name: 'no-agent', breaks: 'has no agent', config: 'no-agent', ...app },
  { name: 'two-agents', breaks: 'has two agents', config: 'two-agents', ...app },
  {
    name: 'swallowed-401',
    breaks: 'exits 0 though the provider refused the key',
    bin: 'src/swallows.ts',
    config: 'app',
    script: 'refuses-the-key',
    kind: 'fail',
  },
  {
    name: 'cut-off-at-length',
    breaks: 'gets an answer that ends at the token limit',
    bin: 'src/swallows.ts',
    config: 'app',
    script: 'cut-off-at-length',
    kind: 'fail',
  },
  {
    name: 'no-finish-reason',
    breaks: 'takes an answer without a finish reason for a whole one',
    config: 'app',
    script: 'no-finish-reason',
    ...app,
  },
  {
    name: 'unexpected-request',
    breaks: 'asks the model something that its script does not expect',
    config: 'app',
    script: 'expects-another-task',
    ...app,
  },
  { name: 'unknown-plugin', breaks: 'names a plugin that is not installed', config: 'unknown-plugin', ...app },
  { name: 'invalid-yaml', breaks: 'has a config that is no YAML', config: 'invalid-yaml', ...app },
  {
    name: 'unknown-patch',
    breaks: 'patches an entry that does not exist, and answers all the same',
    config: 'unknown-patch',
    script: 'answers',
    ...app,
  },
  { name: 'plugin-throws', breaks: 'has a plugin that throws', config: 'plugin-throws', ...app },
  { name: 'never-settles', breaks: 'has a plugin that never gets ready', config: 'never-settles', ...app },
  {
    name: 'never-settles-alive',
    breaks: 'has a plugin that never gets ready and keeps the process alive',
    config: 'never-settles-alive',
    ...app,
    options: { processTimeoutMs: 3_000, graceMs: 0, mode: 'lib' },
  },
  {
    name: 'not-built',
    breaks: 'has no built output in lib mode',
    bin: 'unbuilt/src/bin.ts',
    kind: 'error',
    options: { mode: 'lib' },
  },
]
