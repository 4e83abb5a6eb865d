/** From a target's options to the harness' options. Pure: what is on the disk is asked through `exists`. */
import { EXAMPLE_MODE_ENV, type LoaderSmokeOptions, OptionError } from '@loader-smoke/harness'
import { suggestion } from '@loader-smoke/harness/config'
import { type GivenOptions, optionNames, pathNames, withoutAliases, aliasesOf } from '../../declared/names.ts'
import { type Anchor, insideOf, slashed, toAbsolute } from '../../declared/paths.ts'
import { splitArguments } from '../../declared/split-arguments.ts'

/** The task that the options belong to. */
export interface TaskPlace extends Anchor {
  readonly projectName: string
  readonly targetName: string
}

/** A smoke that is ready but for its mode, its services and the way it is run again. */
export interface RunOptions {
  readonly harness: Omit<LoaderSmokeOptions, 'mode' | 'rerun' | 'signal'>
  /** As given, after aliases. */
  readonly mode: string | undefined
  readonly inferredMode: string | undefined
  /** Absolute path of the model script. */
  readonly modelScript: string | undefined
  readonly task: string | undefined
}

/** Where a TypeScript project is looked for when `tsconfigPath` is left out: the first that exists. */
const TSCONFIGS = ['{projectRoot}/tsconfig.json', '{workspaceRoot}/tsconfig.base.json', '{workspaceRoot}/tsconfig.json']

/**
 * @param given the options as Nx combined them from target, configuration and command line.
 * @param environment of the runner: `passEnv` takes from it.
 * @throws OptionError for an option that doesn't exist, or that contradicts another.
 */
export function toRunOptions(
  given: GivenOptions,
  place: TaskPlace,
  environment: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): RunOptions {
  const options = smokeOptions(given)
  const { task: givenTask, model, passEnv, inferredMode, mode, binArgs, env, turn, envMode, ...rest } = options
  // `--task=` takes a target's task away.
  const task = givenTask === '' ? undefined : givenTask
  if (task !== undefined && binArgs !== undefined)
    throw new OptionError(
      'task',
      'task and binArgs were both given: task is appended to the default arguments, binArgs replaces them.\n' +
        'Next: put the task into binArgs, or take binArgs out.',
    )
  const paths = Object.fromEntries(
    pathNames
      .filter((name) => typeof rest[name] === 'string')
      .map((name) => [name, toAbsolute(rest[name] as string, place)]),
  )
  const configPath = paths['configPath']
  const tsconfigPath = paths['tsconfigPath'] ?? TSCONFIGS.map((path) => toAbsolute(path, place)).find(exists)
  const args = binArgs !== undefined ? toArguments(binArgs, place, exists) : defaultArguments(configPath, task)
  const passed = passedEnvironment(passEnv, environment)
  const harness: Record<string, unknown> = {
    label: `${place.projectName}:${place.targetName}`,
    ...rest,
    ...paths,
    turn: turn ?? 'required',
    envMode: envMode ?? 'strict',
    env: { ...passed, ...(env as object | undefined) },
  }
  if (tsconfigPath !== undefined) harness['tsconfigPath'] = tsconfigPath
  if (args !== undefined) harness['binArgs'] = args
  if (task !== undefined && turn === 'optional') harness['turn'] = 'required'
  return {
    harness: harness as unknown as RunOptions['harness'],
    mode: mode as string | undefined,
    inferredMode: inferredMode as string | undefined,
    modelScript: modelScript(model, place),
    task: task as string | undefined,
  }
}

/** @throws OptionError for the first name that is no option, with the one that was probably meant. */
function checkNames(options: GivenOptions): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name) || NX_OWN.has(name)) continue
    const known = optionNames.filter((option) => option !== 'inferredMode')
    const all = known.flatMap((option) => [option, ...aliasesOf(option)])
    throw new OptionError(
      name,
      `${name} is no option of this executor, got ${JSON.stringify(options[name])}.` +
        suggestion(name, all) +
        `\nNext: use one of ${known.join(', ')}; arguments for the bin go into --args.`,
    )
  }
}

/** The given options that are options of a smoke, under their own names: without what Nx itself puts beside them. */
export function smokeOptions(given: GivenOptions): GivenOptions {
  const options = withoutAliases(given)
  checkNames(options)
  return Object.fromEntries(Object.entries(options).filter(([name]) => !NX_OWN.has(name)))
}

/** What Nx itself puts beside the options. */
const NX_OWN = new Set([
  '_',
  '$0',
  '__overrides_unparsed__',
  '__overrides__',
  'verbose',
  'outputStyle',
  'configuration',
])

function defaultArguments(configPath: unknown, task: unknown): string[] | undefined {
  if (task === undefined) return undefined
  return [...(configPath === undefined ? [] : [configPath as string]), task as string]
}

/** An argument that names an existing file below the project is made absolute: the bin runs in a folder of its own. */
export function toArguments(binArgs: unknown, place: TaskPlace, exists: (path: string) => boolean): unknown {
  const list = typeof binArgs === 'string' ? splitArguments(binArgs) : binArgs
  if (!Array.isArray(list)) return list
  return list.map((argument: unknown) => {
    if (typeof argument !== 'string') return argument
    const token = /^\{(?:workspaceRoot|projectRoot)\}/.test(argument)
    const path = toAbsolute(argument, place)
    const below = insideOf(`${slashed(place.projectRoot)}/`, slashed(argument))
    return token || (below !== null && below !== '' && exists(path)) ? path : argument
  })
}

function passedEnvironment(
  passEnv: unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (passEnv === undefined) return {}
  if (
    !Array.isArray(passEnv) ||
    !passEnv.every((name) => typeof name === 'string' && name !== '' && !name.includes('='))
  )
    throw new OptionError(
      'passEnv',
      `passEnv must be a list of environment names, got ${JSON.stringify(passEnv)}.\nNext: for instance ["MY_FLAG"].`,
    )
  const passed: Record<string, string> = {}
  for (const name of passEnv as string[]) {
    const value = environment[name]
    if (value !== undefined && name !== EXAMPLE_MODE_ENV) passed[name] = value
  }
  return passed
}

function modelScript(model: unknown, place: TaskPlace): string | undefined {
  if (model === undefined) return undefined
  const script = typeof model === 'string' ? model : (model as { script?: unknown } | null)?.script
  if (typeof script !== 'string' || script === '')
    throw new OptionError(
      'model',
      `model must be { "script": "<file>" }, got ${JSON.stringify(model)}.\nNext: name the file that the model server answers from.`,
    )
  return toAbsolute(script, place)
}
