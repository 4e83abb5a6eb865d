/** Checks a caller's options against the table, before anything is started. Pure. */
import { isAbsolute } from 'node:path'
import { constants } from 'node:os'
import { checkExpectations, checkTextMatch, checkTurn } from './check-expectations.ts'
import { checkNames } from './check-names.ts'
import { maxExitCode } from './exit-code.ts'
import { isInside } from './inside.ts'
import { notAllowed } from './option-error.ts'
import { type OptionRow, type OptionName, optionRow, options } from './options.ts'
import { smokeNames } from './smoke-names.ts'
import { IN_CODE, nameOf, type WrittenNames } from './written-names.ts'

type Check = (name: string, value: unknown, row: OptionRow) => void

/**
 * Checks the options of a smoke in code: that they are an object, their names, then their values.
 * @throws OptionError for the first that is wrong.
 */
export function checkOptions(caller: unknown, names: WrittenNames = IN_CODE): void {
  checkNames(caller, smokeNames)
  checkValues(caller as Readonly<Record<string, unknown>>, names)
}

/**
 * Checks the value of every option that is given, and that no required one is missing; other names are not looked at.
 * @param given under the options' own names; `names` are what a message calls them.
 * @throws OptionError for the first that is wrong, in the order of the table.
 */
export function checkValues(given: Readonly<Record<string, unknown>>, names: WrittenNames = IN_CODE): void {
  for (const option of Object.keys(options) as OptionName[]) {
    const row = optionRow(option)
    const value = given[option]
    // The mode has a message of its own, whether it came from the option or from the environment: see mode.ts.
    if (row.only === 'declared' || option === 'mode') continue
    const name = nameOf(option, names)
    if (value !== undefined) checks[row.kind](name, value, row)
    else if (row.required) throw notAllowed(name, 'given', value, `pass ${name}: ${row.says}`)
  }
}

const checks: Readonly<Record<OptionRow['kind'], Check>> = {
  text(name, value, { noSeparator }) {
    if (typeof value !== 'string' || value.trim() === '' || /[\0\r\n]/.test(value))
      throw notAllowed(name, 'a text of one line that is not empty', value, `give ${name} such a text.`)
    if (noSeparator && /[/\\]/.test(value))
      throw notAllowed(
        name,
        'without a path separator (/ or \\)',
        value,
        'give the beginning of a name only; tempDirParent sets the folder.',
      )
  },
  path(name, value, { relative }) {
    if (value instanceof URL || (typeof value === 'string' && value.startsWith('file:')))
      throw notAllowed(name, 'a path and no URL', value, 'turn it into a path with fileURLToPath(…).')
    if (typeof value !== 'string' || value === '')
      throw notAllowed(name, 'a path that is not empty', value, `give ${name} as a text.`)
    if (value.includes('\0')) throw notAllowed(name, 'a path without NUL', value, 'take that character out.')
    const next = 'make it absolute, for instance with fileURLToPath(new URL(…, import.meta.url)).'
    if (!relative && !isAbsolute(value)) throw notAllowed(name, 'an absolute path', value, next)
  },
  integer(name, value, { min, max: maxAnywhere, exitCode, unit, default: fallback }) {
    const max = exitCode ? maxExitCode() : maxAnywhere
    if (!Number.isInteger(value) || (value as number) < (min ?? -Infinity) || (value as number) > (max ?? Infinity)) {
      const range = `an integer from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`
      const next =
        fallback === undefined ? 'give such a number.' : `give such a number, or leave it out for ${fallback}.`
      throw notAllowed(name, range, value, next)
    }
  },
  choice(name, value, { values = [] }) {
    if (values.includes(value as string)) return
    const allowed = values.map((choice) => `'${choice}'`).join(' or ')
    throw notAllowed(name, allowed, value, 'give one of these, or leave it out.')
  },
  signalName(name, value) {
    if (typeof value !== 'string' || !Object.hasOwn(constants.signals, value))
      throw notAllowed(name, "the name of a signal of this platform, such as 'SIGTERM'", value, 'give such a name.')
  },
  strings: checkStrings,
  environment: checkEnvironment,
  folders(name, value) {
    for (const [key, folder] of entriesOf(name, value)) {
      checkEnvironmentName(name, key)
      if (!isInside(folder))
        throw notAllowed(
          `${name}.${key}`,
          'a relative folder inside the world',
          folder,
          `for instance ".${key.toLowerCase().replaceAll('_', '-')}".`,
        )
    }
  },
  input(name, value) {
    if (typeof value !== 'string' && !(value instanceof Uint8Array))
      throw notAllowed(name, 'a text or bytes', value, 'leave it out to close standard input at once.')
  },
  turn: checkTurn,
  expect: checkExpectations,
  secrets(name, value) {
    if (!Array.isArray(value))
      throw notAllowed(name, 'a list of texts and patterns', value, 'give a list, even of one entry.')
    for (const [index, entry] of (value as unknown[]).entries()) checkTextMatch(`${name}[${index}]`, entry)
  },
  model() {},
  flag() {},
  hook(name, value) {
    if (typeof value !== 'function') throw notAllowed(name, 'a function', value, `pass ${name}(cwd).`)
  },
  listener(name, value) {
    if (typeof value !== 'function') throw notAllowed(name, 'a function', value, `pass ${name}(stream, text).`)
  },
  abort(name, value) {
    if (!(value instanceof AbortSignal))
      throw notAllowed(
        name,
        'an AbortSignal',
        value,
        "pass a controller's signal; for an expected signal see expectedSignal.",
      )
  },
  services(name, value) {
    const next = 'each start gives { env?, stop, report? }.'
    if (!Array.isArray(value)) throw notAllowed(name, 'a list of { start(world) }', value, next)
    for (const [index, entry] of (value as unknown[]).entries())
      if (!canStart(entry)) throw notAllowed(`${name}[${index}]`, '{ start(world) }', entry, next)
  },
  rerun(name, value) {
    const next = 'give the command unquoted, its program first.'
    const { argv, env } = toFields(value) ?? {}
    if (!Array.isArray(argv)) throw notAllowed(name, '{ argv, env? } with a list in argv', value, next)
    if (argv.length === 0) throw notAllowed(`${name}.argv`, 'a list of at least one text', argv, next)
    checkStrings(`${name}.argv`, argv)
    for (const [key, entry] of env === undefined ? [] : entriesOf(`${name}.env`, env))
      if (typeof entry !== 'string') throw notAllowed(`${name}.env.${key}`, 'a text', entry, 'quote numbers.')
  },
}

function checkStrings(name: string, value: unknown): void {
  if (!Array.isArray(value))
    throw notAllowed(name, 'a list of texts', value, 'give a list; each entry is one argument.')
  for (const [index, entry] of (value as unknown[]).entries())
    if (typeof entry !== 'string' || entry.includes('\0'))
      throw notAllowed(`${name}[${index}]`, 'a text without NUL', entry, 'each entry is one argument, unquoted.')
}

/** Names and texts, or null for a name that is taken away. @throws OptionError */
export function checkEnvironment(name: string, value: unknown): void {
  for (const [key, entry] of entriesOf(name, value)) {
    checkEnvironmentName(name, key)
    if (entry !== undefined && entry !== null && (typeof entry !== 'string' || entry.includes('\0')))
      throw notAllowed(
        `${name}.${key}`,
        'a text without NUL, or null',
        entry,
        'quote numbers; null takes the name away.',
      )
  }
}

function toFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function canStart(entry: unknown): boolean {
  return typeof (entry as { start?: unknown } | null)?.start === 'function'
}

function entriesOf(name: string, value: unknown): [string, unknown][] {
  // A list, or a Map, whose entries are no properties: they would be lost.
  if (typeof value !== 'object' || value === null || Symbol.iterator in value)
    throw notAllowed(name, 'an object of names and values', value, 'give { NAME: value }.')
  return Object.entries(value)
}

function checkEnvironmentName(name: string, key: string): void {
  if (key === '' || /[=\0]/.test(key))
    throw notAllowed(`a name in ${name}`, "an environment name without '='", key, 'give the name alone.')
}
