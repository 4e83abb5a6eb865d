/** From the content of a `smoke.config` file to its fixtures: names, values and paths checked. Pure. */
import { basename, dirname, resolve } from 'node:path'
import { checkValues } from './check.ts'
import { checkDeclared } from './check-declared.ts'
import { suggestion } from './nearest.ts'
import { notAllowed, OptionError, show } from './option-error.ts'
import { type FixtureOptions, fixtureRows, ownNames } from './smoke-config.ts'
import { nameOf, type WrittenName, type WrittenNames } from './written-names.ts'

/** One fixture of a file. */
export interface DeclaredFixture {
  /** Unique in its file; the name of the file's folder where a single fixture has none. */
  readonly label: string
  /** Checked, under the options' own names, with absolute paths; no default is applied yet. */
  readonly options: FixtureOptions
  /** What the file calls each of them. */
  readonly names: WrittenNames
}

/** A file that was read. */
export interface SmokeFile {
  /** Absolute. */
  readonly path: string
  readonly fixtures: readonly DeclaredFixture[]
}

type Fields = Readonly<Record<string, unknown>>

/** Options under their own names, and what the file calls them. */
interface Named {
  readonly options: Fields
  readonly names: WrittenNames
}

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
      const fixture = complete('', read('', shared, path))
      return { path, fixtures: [{ label: fixture.options.label ?? basename(dirname(path)), ...fixture }] }
    }
    return { path, fixtures: toFixtures(fixtures, shared, path) }
  })
}

function toFixtures(fixtures: unknown, shared: Fields, path: string): DeclaredFixture[] {
  if (!Array.isArray(fixtures) || fixtures.length === 0)
    throw notAllowed('fixtures', 'a list of at least one fixture', fixtures, 'give { "label": …, "bin": … } for each.')
  if (shared['label'] !== undefined)
    throw notAllowed('label', 'left out beside fixtures', shared['label'], 'give each fixture a label of its own.')
  const defaults = read('', shared, path)
  const seen = new Map<string, number>()
  return fixtures.map((fixture: unknown, index) => {
    const at = `fixtures[${index}]`
    if (!isFields(fixture)) throw notAllowed(at, 'an object', fixture, 'give { "label": …, "bin": … }.')
    const { options, names } = complete(`${at}.`, merged(defaults, read(`${at}.`, fixture, path)))
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
    return { label, options, names }
  })
}

/** What the fixture says over what the file says; names in `env` and `homes` one by one. */
function merged(defaults: Named, fixture: Named): Named {
  const options = { ...defaults.options, ...fixture.options }
  for (const name of ['env', 'homes']) {
    const [below, above] = [defaults.options[name], fixture.options[name]]
    if (isFields(below) && isFields(above)) options[name] = { ...below, ...above }
  }
  return { options, names: new Map([...defaults.names, ...fixture.names]) }
}

/** The options that stand in one place of the file, each checked by itself. */
function read(at: string, given: Fields, path: string): Named {
  const { options: named, names } = withOwnNames(at, given, path)
  const options = withFolder(named, dirname(path))
  checkValues({ label: 'x', binScript: path, ...options }, names)
  checkMode(options, names)
  checkDeclared(options, names)
  return { options, names }
}

/** A whole fixture: that nothing is missing, and that nothing contradicts anything. */
function complete(at: string, { options, names }: Named): { options: FixtureOptions; names: WrittenNames } {
  if (options['binScript'] === undefined)
    throw notAllowed(
      `${at}bin`,
      'given',
      undefined,
      'name the source file of the entry point, for instance "src/bin.ts".',
    )
  if (options['task'] !== undefined && options['binArgs'] !== undefined)
    throw new OptionError(
      'task',
      `${nameOf('task', names)} and ${nameOf('binArgs', names)} are both given: a task is appended to the default arguments, args replaces them.\n` +
        'Next: put the task into args, or take args out.',
    )
  return { options, names }
}

/** The options under their own names. */
function withOwnNames(at: string, given: Fields, path: string): Named {
  const options: Record<string, unknown> = {}
  const names = new Map<string, WrittenName>()
  for (const [key, value] of Object.entries(given)) {
    const option = ownNames.get(key) ?? key
    if (!Object.hasOwn(fixtureRows, option)) throw unknownName(at, key, value)
    if (names.has(option))
      throw new OptionError(
        option,
        `${at}${key} and ${nameOf(option, names)} are two names of one option.\nNext: take one of them out.`,
      )
    options[option] = value
    names.set(option, { name: `${at}${key}`, place: path })
  }
  return { options, names }
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
    if (name === 'model' && isFields(value))
      options[name] = Object.fromEntries(Object.entries(value).map(([field, path]) => [field, absolute(path)]))
    // A loader is a package, but for one that is written as a path.
    if (name === 'sourceImport' && typeof value === 'string' && /^\.{1,2}[/\\]/.test(value))
      options[name] = absolute(value)
  }
  return options
}

/** Left to others by the harness' own check, since there it may come from the environment. */
function checkMode({ mode }: Fields, names: WrittenNames): void {
  if (mode !== undefined && mode !== 'src' && mode !== 'lib')
    throw notAllowed(nameOf('mode', names), "'src' or 'lib'", mode, 'leave it out to let DSH_EXAMPLE_MODE decide.')
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
