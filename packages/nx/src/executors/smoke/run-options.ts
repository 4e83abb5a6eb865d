/** From a target's options to the harness' options. Pure: what is on the disk is asked through `exists`. */
import { EXAMPLE_MODE_ENV, type LoaderSmokeOptions, OptionError } from '@loader-smoke/harness'
import {
  type DeclaredModel,
  type FixtureModel,
  nameOf,
  notAllowed,
  suggestion,
  toFixtureModel,
  writtenAs,
  type WrittenNames,
  withNearestTsconfig,
} from '@loader-smoke/harness/config'
import { checkGiven, withAbsolutePaths } from '../../declared/check-given.ts'
import { type GivenOptions, optionNames, withoutAliases, aliasesOf } from '../../declared/names.ts'
import { type Anchor, insideOf, slashed, toAbsolute, tsconfigPlaces } from '../../declared/paths.ts'
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
  /** What the model server is started with. */
  readonly model: FixtureModel | undefined
  readonly task: string | undefined
  /** What the options are called where they are written. */
  readonly names: WrittenNames
}

/**
 * @param given the options as Nx combined them from target, configuration and command line.
 * @param environment of the runner: `passEnv` takes from it.
 * @param names what the options are called where they are written.
 * @throws OptionError for an option that doesn't exist, a value that it doesn't allow, or options that contradict each other.
 */
export function toRunOptions(
  given: GivenOptions,
  place: TaskPlace,
  environment: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
  names: WrittenNames,
): RunOptions {
  const options = smokeOptions(given)
  checkGiven(options, place, names)
  const { task, model, passEnv, inferredMode, mode, binArgs, env, turn, envMode, ...rest } = options
  if (task !== undefined && binArgs !== undefined)
    throw new OptionError(
      'task',
      `${nameOf('task', names)} and ${nameOf('binArgs', names)} are both given: a task is appended to the default arguments, args replaces them.\n` +
        'Next: put the task into args, or take args out.',
    )
  const absolute = withAbsolutePaths(rest, place)
  const configPath = absolute['configPath']
  const tsconfigPath = absolute['tsconfigPath'] ?? tsconfigPlaces(place).find(exists)
  const args = binArgs !== undefined ? toArguments(binArgs, place, exists) : defaultArguments(configPath, task)
  const passed = passedEnvironment(passEnv, environment)
  const harness: Record<string, unknown> = {
    label: `${place.projectName}:${place.targetName}`,
    ...absolute,
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
    model: modelOf(model, place),
    task: task as string | undefined,
    names: absolute['tsconfigPath'] === undefined ? withNearestTsconfig(names) : names,
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
        `\nNext: use one of ${known.map((option) => aliasesOf(option)[0] ?? option).join(', ')}; arguments for the bin go into --args.`,
    )
  }
}

/** Whether what the bin prints is to be seen while it runs. @throws OptionError */
export function wantsStream(stream: unknown, names: WrittenNames): boolean {
  if (stream === undefined || typeof stream === 'boolean') return stream === true
  throw notAllowed(writtenAs('stream', names), 'true or false', stream, 'give one of these, or leave it out.')
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
  const passed: Record<string, string> = {}
  for (const name of (passEnv ?? []) as readonly string[]) {
    const value = environment[name]
    if (value !== undefined && name !== EXAMPLE_MODE_ENV) passed[name] = value
  }
  return passed
}

/** What a checked `model` asks for, with an absolute path. */
export function modelOf(model: unknown, place: TaskPlace): FixtureModel | undefined {
  if (model === undefined) return undefined
  const declared = typeof model === 'string' ? { script: model } : (model as DeclaredModel)
  return toFixtureModel(declared, (path) => toAbsolute(path, place))
}
