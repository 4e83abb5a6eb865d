/** From a declared fixture to the options of `runLoaderSmoke`. Pure: what is on the disk is asked through `exists`. */
import { dirname, join } from 'node:path'
import type { DeclaredFixture } from './check-smoke-file.ts'
import { type FixtureModel, modelFile, toFixtureModel } from './declared-model.ts'
import type { ExampleMode } from './mode.ts'
import { OptionError } from './option-error.ts'
import type { LoaderSmokeOptions } from './options.ts'
import type { Environment } from './resolve.ts'
import { nameOf, withNearestTsconfig, writtenAs, type WrittenNames } from './written-names.ts'

/** What one call changes of what the file says. */
export interface FixtureOverrides {
  readonly mode?: ExampleMode | undefined
  readonly task?: string | undefined
  readonly binArgs?: readonly string[] | undefined
  readonly processTimeoutMs?: number | undefined
  readonly keepWorld?: LoaderSmokeOptions['keepWorld']
}

/** What stands around the file. */
export interface FixturePlace {
  /** Of the file; the search for a TypeScript project starts there. */
  readonly folder: string
  /** Of the caller: `passEnv` takes from it. */
  readonly environment: Environment
  exists(path: string): boolean
}

/** A fixture that is ready but for who watches it: `signal`, `rerun`, and the server of `model`. */
export interface FixtureRun {
  readonly options: LoaderSmokeOptions
  /** Null when the fixture wants no model server. */
  readonly model: FixtureModel | null
  /** What its file calls the options, for messages. */
  readonly names: WrittenNames
}

/**
 * The options of `runLoaderSmoke` for a declared fixture, with the defaults that a declared smoke has: `envMode: 'strict'`, `turn: 'required'`, and the
 * nearest TypeScript project.
 * @throws OptionError for a call that contradicts the file, and for a config or a file of its model that isn't there.
 */
export function toFixtureRun(
  fixture: DeclaredFixture,
  place: FixturePlace,
  overrides: FixtureOverrides = {},
): FixtureRun {
  const given = { ...fixture.options, ...definedOf(overrides) }
  if (overrides.binArgs !== undefined && overrides.task === undefined) delete given.task
  if (overrides.task !== undefined && overrides.binArgs === undefined && given.binArgs !== undefined)
    throw new OptionError(
      'task',
      `task is given and ${fixture.label} declares args (${writtenAs('binArgs', fixture.names)}): a task is appended to the default arguments, args replaces them.\n` +
        'Next: give the task as part of the arguments (--args).',
    )
  const { task, model, passEnv, ...options } = given
  const { configPath } = options
  requireFile('configPath', '', configPath, fixture.names, place)
  if (model !== undefined) {
    const { field, path } = modelFile(model)
    requireFile('model', field, path, fixture.names, place)
  }
  const binArgs =
    options.binArgs ?? (task === undefined ? undefined : [...(configPath === undefined ? [] : [configPath]), task])
  return {
    model: model === undefined ? null : toFixtureModel(model),
    names: options.tsconfigPath === undefined ? withNearestTsconfig(fixture.names) : fixture.names,
    options: {
      turn: 'required',
      envMode: 'strict',
      ...options,
      label: fixture.label,
      binScript: options.binScript ?? '',
      tsconfigPath: options.tsconfigPath ?? nearestTsconfig(place.folder, place.exists),
      binArgs,
      env: { ...passedEnvironment(passEnv, place.environment), ...options.env },
    },
  }
}

/** Names that show that a folder is the root of a repository: no TypeScript project is looked for above it. */
const ROOTS = ['.git', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'nx.json', 'turbo.json']

/** The TypeScript project of a smoke file in `folder` that names none: the first `tsconfig.json` (else also `tsconfig.base.json`) from there up to the root of the repository. */
export function nearestTsconfig(folder: string, exists: (path: string) => boolean): string | undefined {
  const own = join(folder, 'tsconfig.json')
  if (exists(own)) return own
  for (let at = folder; ; at = dirname(at)) {
    const found = ['tsconfig.base.json', 'tsconfig.json'].map((name) => join(at, name)).find(exists)
    if (found !== undefined) return found
    if (dirname(at) === at || ROOTS.some((name) => exists(join(at, name)))) return undefined
  }
}

function requireFile(
  option: string,
  field: string,
  path: string | undefined,
  names: WrittenNames,
  { exists }: FixturePlace,
): void {
  if (path !== undefined && !exists(path))
    throw new OptionError(
      option,
      `${writtenAs(option, names)}${field} must be an existing file, got ${JSON.stringify(path)}.\nNext: create it, or correct ${nameOf(option, names)}${field}.`,
    )
}

function passedEnvironment(names: readonly string[] | undefined, environment: Environment): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of names ?? []) {
    const value = environment[name]
    if (value !== undefined) passed[name] = value
  }
  return passed
}

function definedOf<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>
}
