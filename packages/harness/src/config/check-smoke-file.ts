/** From the content of a `smoke.config` file to its fixtures: names, values and paths checked. Pure. */
import { basename, dirname, resolve } from 'node:path'
import { checkValues } from './check.ts'
import { suggestion } from './nearest.ts'
import { notAllowed, OptionError, show } from './option-error.ts'
import { type FixtureOptions, fixtureRows, ownNames } from './smoke-config.ts'

/** One fixture of a file. */
export interface DeclaredFixture {
  /** Unique in its file; the name of the file's folder where a single fixture has none. */
  readonly label: string
  /** Checked, under the options' own names, with absolute paths; no default is applied yet. */
  readonly options: FixtureOptions
}

/** A file that was read. */
export interface SmokeFile {
  /** Absolute. */
  readonly path: string
  readonly fixtures: readonly DeclaredFixture[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The fixtures that `content` declares.
 * @param path of the file, absolute: relative paths in it start at its folder.
 * @throws OptionError whose message begins with the path, for the first thing in it that can't be run.
 */
export function checkSmokeFile(content: unknown, path: string): SmokeFile {
  return inFile(path, () => {
    if (!isFields(content))
      throw notAllowed('the file', 'an object with a fixture, or with fixtures', content, 'see "$schema".')
    const { $schema: _, fixtures, ...shared } = content
    if (fixtures === undefined) {
      const options = toOptions('', shared, path)
      return { path, fixtures: [{ label: options.label ?? basename(dirname(path)), options }] }
    }
    return { path, fixtures: toFixtures(fixtures, shared, path) }
  })
}

function toFixtures(fixtures: unknown, shared: Fields, path: string): DeclaredFixture[] {
  if (!Array.isArray(fixtures) || fixtures.length === 0)
    throw notAllowed('fixtures', 'a list of at least one fixture', fixtures, 'give { "label": …, "bin": … } for each.')
  if (shared['label'] !== undefined)
    throw notAllowed('label', 'left out beside fixtures', shared['label'], 'give each fixture a label of its own.')
  const defaults = withOwnNames('', shared)
  const seen = new Map<string, number>()
  return fixtures.map((fixture: unknown, index) => {
    const at = `fixtures[${index}]`
    if (!isFields(fixture)) throw notAllowed(at, 'an object', fixture, 'give { "label": …, "bin": … }.')
    const options = toOptions(`${at}.`, merged(defaults, withOwnNames(`${at}.`, fixture)), path)
    const { label } = options
    if (label === undefined)
      throw notAllowed(`${at}.label`, 'given where a file has fixtures', label, 'give it a name.')
    const first = seen.get(label)
    if (first !== undefined)
      throw notAllowed(
        `${at}.label`,
        `unlike that of fixtures[${first}]`,
        label,
        'give each fixture a label of its own.',
      )
    seen.set(label, index)
    return { label, options }
  })
}

/** What the fixture says over what the file says; names in `env` and `homes` one by one. */
function merged(defaults: Fields, fixture: Fields): Fields {
  const both = { ...defaults, ...fixture }
  for (const name of ['env', 'homes'])
    if (isFields(defaults[name]) && isFields(fixture[name])) both[name] = { ...defaults[name], ...fixture[name] }
  return both
}

function toOptions(at: string, given: Fields, path: string): FixtureOptions {
  const named = withOwnNames(at, given)
  const options = withFolder(named, dirname(path))
  if (options['binScript'] === undefined)
    throw notAllowed(
      `${at}bin`,
      'given',
      undefined,
      'name the source file of the entry point, for instance "src/bin.ts".',
    )
  inFixture(at, () => checkValues({ label: 'x', ...options }))
  checkDeclaredOnly(at, options)
  if (options['task'] !== undefined && options['binArgs'] !== undefined)
    throw new OptionError(
      'task',
      `${at}task and ${at}args are both given: a task is appended to the default arguments, args replaces them.\n` +
        'Next: put the task into args, or take args out.',
    )
  return options as FixtureOptions
}

/** The options under their own names. */
function withOwnNames(at: string, given: Fields): Fields {
  const named: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = ownNames.get(key) ?? key
    if (!Object.hasOwn(fixtureRows, name)) throw unknownName(at, key, value)
    if (Object.hasOwn(named, name))
      throw new OptionError(
        name,
        `${at}${key} and ${at}${name} are two names of one option.\nNext: take one of them out.`,
      )
    named[name] = value
  }
  return named
}

function unknownName(at: string, name: string, value: unknown): OptionError {
  const known = Object.entries(fixtureRows)
    .filter(([, row]) => row.declared?.priority !== 'internal')
    .flatMap(([own, row]) => row.declared?.aliases ?? [own])
  const near = suggestion(name, [...known, ...Object.keys(fixtureRows), 'fixtures'])
  return new OptionError(
    name,
    `${at}${name} is no option of a smoke, got ${show(value)}.${near}\nNext: use one of ${known.join(', ')}.`,
  )
}

/** Makes paths absolute, and puts the folder where `${configDir}` stands in a path, an argument or the environment. */
function withFolder(named: Fields, folder: string): Fields {
  const fill = (text: string) => text.replaceAll('${configDir}', () => folder)
  const absolute = (value: unknown) =>
    typeof value === 'string' && value !== '' ? resolve(folder, fill(value)) : value
  const options: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(named)) {
    if (value === undefined) continue
    options[name] = value
    if (fixtureRows[name]?.kind === 'path') options[name] = absolute(value)
    if (name === 'binArgs' && Array.isArray(value))
      options[name] = value.map((entry: unknown) => (typeof entry === 'string' ? fill(entry) : entry))
    if (name === 'env' && isFields(value))
      options[name] = Object.fromEntries(
        Object.entries(value).map(([key, entry]) => [key, typeof entry === 'string' ? fill(entry) : entry]),
      )
    if (name === 'model' && isFields(value)) options[name] = { ...value, script: absolute(value['script']) }
    // A loader is a package, but for one that is written as a path.
    if (name === 'sourceImport' && typeof value === 'string' && /^\.{1,2}[/\\]/.test(value))
      options[name] = absolute(value)
  }
  return options
}

/** What the harness' own check leaves to others: options that only a declared smoke has, and the mode, which there may come from the environment. */
function checkDeclaredOnly(at: string, { mode, task, model, passEnv }: Fields): void {
  if (mode !== undefined && mode !== 'src' && mode !== 'lib')
    throw notAllowed(`${at}mode`, "'src' or 'lib'", mode, 'leave it out to let DSH_EXAMPLE_MODE decide.')
  if (task !== undefined && (typeof task !== 'string' || task.trim() === '' || task.includes('\0')))
    throw notAllowed(`${at}task`, 'a text that is not empty', task, 'say what the root agent shall do.')
  if (model !== undefined) {
    if (!isFields(model) || typeof model['script'] !== 'string' || model['script'] === '')
      throw notAllowed(
        `${at}model`,
        '{ "script": "<file>" }',
        model,
        'name the file that the model server answers from.',
      )
    const unknown = Object.keys(model).find((name) => name !== 'script')
    if (unknown !== undefined)
      throw notAllowed(`a name in ${at}model`, 'script', unknown, 'take it out, or correct its name.')
  }
  if (passEnv !== undefined && (!Array.isArray(passEnv) || !passEnv.every(isEnvironmentName)))
    throw notAllowed(`${at}passEnv`, 'a list of environment names', passEnv, 'for instance ["MY_FLAG"].')
}

function isEnvironmentName(entry: unknown): boolean {
  return typeof entry === 'string' && entry !== '' && !/[=\0]/.test(entry)
}

/** Runs a check of the harness' own and says in which fixture its option stands. */
function inFixture(at: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof OptionError ? new OptionError(error.option, `${at}${error.message}`, error) : error
  }
}

function inFile<T>(path: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw error instanceof OptionError ? new OptionError(error.option, `${path}: ${error.message}`, error) : error
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
