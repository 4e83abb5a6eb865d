/** From a declared smoke and the flags of a call to what the harness runs. */
import { statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { checkSmoke, type LoaderSmokeOptions, resolveExampleMode, type RerunCommand } from '@loader-smoke/harness'
import { type FixtureModel, toFixtureRun, unusableModel, type WrittenNames } from '@loader-smoke/harness/config'
import { checkModel, modelService } from '@loader-smoke/model-replay'
import type { Flags } from '../usage/parse.ts'
import { splitWords } from '../usage/split-words.ts'
import { UsageError } from '../usage/usage-error.ts'
import type { DeclaredSmoke } from './select.ts'

/** A smoke that is ready to run. */
export interface PlannedSmoke {
  readonly label: string
  readonly mode: 'src' | 'lib'
  /** Absolute path of the file that declares it. */
  readonly file: string
  readonly options: LoaderSmokeOptions
  /** What the file calls the options. */
  readonly names: WrittenNames
  /** Nothing but DSH_EXAMPLE_MODE decided the mode. */
  readonly modeFrom: 'call' | 'environment'
  /** Environment names that are handed to the bin. */
  readonly passEnv: readonly string[]
  /** Absolute paths of the declared files that a run reads, beside the TypeScript project and a recording. */
  readonly reads: readonly string[]
  readonly model: FixtureModel | null
}

/** Where the debugger listens with `--inspect`. */
export const INSPECT_ADDRESS = '127.0.0.1:9229'

/**
 * The smokes as the harness takes them, each checked before any is started; with `--repeat` as often as asked.
 * Rejects with OptionError for what can't be run with, and UsageError for flags that contradict each other.
 */
export async function planSmokes(
  smokes: readonly DeclaredSmoke[],
  flags: Flags,
  folder: string,
): Promise<PlannedSmoke[]> {
  if (flags['inspect'] && smokes.length > 1)
    throw new UsageError(
      `--inspect takes one smoke, and ${smokes.length} were chosen.\nNext: name one of ${smokes.map(({ label }) => label).join(', ')}.`,
    )
  if (flags['task'] !== undefined && flags['args'] !== undefined)
    throw new UsageError(
      '--task and --args were both given: a task is appended to the default arguments, --args replaces them.\nNext: put the task into --args.',
    )
  const times = (flags['repeat'] as number | undefined) ?? 1
  const planned = smokes.map((smoke) => planSmoke(smoke, flags, folder))
  for (const { options, names, model } of planned) {
    await checkSmoke(options, names)
    if (model === null) continue
    await checkModel(model).catch((error: unknown) => {
      throw unusableModel(model, error, names)
    })
  }
  if (times === 1) return planned
  return planned.flatMap((smoke) =>
    Array.from({ length: times }, (_, index) => {
      const label = `${smoke.label} #${index + 1}`
      return { ...smoke, label, options: { ...smoke.options, label } }
    }),
  )
}

function planSmoke({ label, file, fixture }: DeclaredSmoke, flags: Flags, folder: string): PlannedSmoke {
  const place = { folder: dirname(file), environment: process.env, exists: isFile }
  const { options, model, names } = toFixtureRun({ ...fixture, label }, place, {
    mode: flags['mode'] as 'src' | 'lib' | undefined,
    task: flags['task'] as string | undefined,
    binArgs: flags['args'] === undefined ? undefined : splitWords(String(flags['args']), '--args'),
    processTimeoutMs: flags['timeout'] as number | undefined,
    keepWorld: flags['keep-world'] as LoaderSmokeOptions['keepWorld'],
  })
  const mode = resolveExampleMode(options.mode ?? process.env['DSH_EXAMPLE_MODE'])
  const services = [...(model === null ? [] : [modelService(model)]), ...(options.services ?? [])]
  const complete = { ...options, mode, services, rerun: rerunOf(label, file, mode, flags, folder) }
  return {
    label,
    mode,
    file,
    options: flags['inspect'] ? underDebugger(complete) : complete,
    names,
    modeFrom: options.mode === undefined ? 'environment' : 'call',
    passEnv: fixture.options.passEnv ?? [],
    reads: [file, options.binScript, options.configPath, scriptOf(model)].filter((path) => typeof path === 'string'),
    model,
  }
}

/** A recording names no further files, although its texts may look as if they did. */
function scriptOf(model: FixtureModel | null): string | undefined {
  return model !== null && 'script' in model ? model.script : undefined
}

/** The bin waits for the debugger; a person takes longer than any deadline. */
function underDebugger(options: LoaderSmokeOptions): LoaderSmokeOptions {
  const given = options.env?.['NODE_OPTIONS']
  const nodeOptions = `${given ? `${given} ` : ''}--inspect-brk=${INSPECT_ADDRESS}`
  return { ...options, processTimeoutMs: 2_147_483_647, env: { ...options.env, NODE_OPTIONS: nodeOptions } }
}

function rerunOf(label: string, file: string, mode: string, flags: Flags, folder: string): RerunCommand {
  const config = relative(folder, file)
  const again: string[] = []
  for (const name of ['task', 'args', 'timeout'])
    if (flags[name] !== undefined) again.push(`--${name}`, String(flags[name]))
  return { argv: ['npx', 'loader-smoke', 'run', label, '--config', config, '--mode', mode, ...again] }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
