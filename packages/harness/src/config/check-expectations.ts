/** Checks what a caller says in `turn` and `expect`. An expectation that can't fail is refused too. Pure. */
import { constants } from 'node:os'
import { maxExitCode } from './exit-code.ts'
import { toMatcher } from './expectations.ts'
import { isInside } from './inside.ts'
import { notAllowed, OptionError } from './option-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** `required`, `optional` or `{ output }`. */
export function checkTurn(name: string, value: unknown): void {
  if (value === 'required' || value === 'optional') return
  const allowed = "'required', 'optional' or { output }"
  if (!isFields(value)) throw notAllowed(name, allowed, value, 'give one of these, or leave it out.')
  checkNames(name, value, ['output'])
  if (value['output'] === undefined)
    throw notAllowed(`${name}.output`, 'given', undefined, `for any answer give ${name}: 'required'.`)
  checkTextMatch(`${name}.output`, value['output'])
}

/** A text, a RegExp, or `{ pattern, flags }`. The empty text is in every text, and the empty pattern matches it, so they are refused. */
export function checkTextMatch(name: string, value: unknown): void {
  const allowed = 'a text that is not empty, a RegExp, or { pattern, flags }'
  const next = 'a text must be contained; for the whole text use a pattern with ^ and $.'
  if (typeof value === 'string' && value !== '') return
  if (value instanceof RegExp) {
    if (value.source !== '(?:)') return
    throw new OptionError(name, `${name} must be a pattern that is not empty, got ${String(value)}.\nNext: ${next}`)
  }
  if (!isFields(value) || typeof value['pattern'] !== 'string') throw notAllowed(name, allowed, value, next)
  checkNames(name, value, ['pattern', 'flags'])
  const { pattern, flags = '' } = value as { readonly pattern: string; readonly flags?: unknown }
  if (pattern === '') throw notAllowed(`${name}.pattern`, 'a pattern that is not empty', pattern, next)
  if (!areFlags(flags)) throw notAllowed(`${name}.flags`, 'flags of a regular expression', flags, 'for instance "i".')
  try {
    toMatcher({ pattern, flags })
  } catch (error) {
    throw notAllowed(`${name}.pattern`, 'a regular expression', pattern, `${(error as Error).message}.`)
  }
}

function areFlags(flags: unknown): flags is string {
  if (typeof flags !== 'string') return false
  try {
    return new RegExp('', flags).test('')
  } catch {
    // A SyntaxError: a letter that is no flag, or one given twice.
    return false
  }
}

/** The fields of `Expectations`, each of its own shape. */
export function checkExpectations(name: string, value: unknown): void {
  if (!isFields(value)) throw notAllowed(name, 'an object', value, `give { ${Object.keys(fields).join(', ')} }.`)
  checkNames(name, value, Object.keys(fields))
  for (const [field, check] of Object.entries(fields))
    if (value[field] !== undefined) check(`${name}.${field}`, value[field])
}

const fields: Readonly<Record<string, (name: string, value: unknown) => void>> = {
  exitCode: (name, value) => checkInteger(name, value, 0, maxExitCode()),
  signal(name, value) {
    if (typeof value !== 'string' || !Object.hasOwn(constants.signals, value))
      throw notAllowed(name, "the name of a signal of this platform, such as 'SIGTERM'", value, 'give such a name.')
  },
  output: checkTextMatch,
  stdout: checkTextMatches,
  stderr: checkTextMatches,
  files: checkFiles,
  tools: checkTools,
  maxTokens: (name, value) => checkInteger(name, value, 0, Number.MAX_SAFE_INTEGER),
  durationMs: (name, value) => checkInteger(name, value, 1, Number.MAX_SAFE_INTEGER),
}

/** The names of those fields. */
export const expectationNames: readonly string[] = Object.keys(fields)

function checkTextMatches(name: string, value: unknown): void {
  if (!Array.isArray(value)) return checkTextMatch(name, value)
  if (value.length === 0) throw notAllowed(name, 'a list that is not empty', value, 'leave it out to expect nothing.')
  for (const [index, entry] of (value as unknown[]).entries()) checkTextMatch(`${name}[${index}]`, entry)
}

function checkFiles(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw notAllowed(name, 'a list of { path, present?, content? }', value, 'give a list.')
  if (value.length === 0) throw notAllowed(name, 'a list that is not empty', value, 'leave it out to expect nothing.')
  for (const [index, entry] of (value as unknown[]).entries()) {
    const at = `${name}[${index}]`
    if (!isFields(entry)) throw notAllowed(at, '{ path, present?, content? }', entry, 'give such an object.')
    checkNames(at, entry, ['path', 'present', 'content'])
    const { path, present, content } = entry
    if (!isInside(path))
      throw notAllowed(
        `${at}.path`,
        'a path relative to the working folder and inside it',
        path,
        'for instance "out.txt".',
      )
    if (present !== undefined && typeof present !== 'boolean')
      throw notAllowed(`${at}.present`, 'true or false', present, 'leave it out for true.')
    if (content === undefined) continue
    checkTextMatch(`${at}.content`, content)
    if (present === false)
      throw notAllowed(`${at}.content`, 'left out for a file that must be absent', content, 'take one of the two out.')
  }
}

function checkTools(name: string, value: unknown): void {
  if (isFields(value)) {
    checkNames(name, value, ['called', 'inOrder'])
    const { called, inOrder } = value
    checkToolNames(`${name}.called`, called, 'a list of tool names that is not empty')
    if (inOrder !== undefined && typeof inOrder !== 'boolean')
      throw notAllowed(`${name}.inOrder`, 'true or false', inOrder, 'leave it out for false.')
  } else checkToolNames(name, value, 'a list of tool names that is not empty, or { called, inOrder }')
}

function checkToolNames(name: string, value: unknown, allowed: string): void {
  if (!Array.isArray(value) || value.length === 0) throw notAllowed(name, allowed, value, 'name the tools.')
  for (const [index, tool] of (value as unknown[]).entries())
    if (typeof tool !== 'string' || tool === '')
      throw notAllowed(`${name}[${index}]`, 'the name of a tool', tool, 'name the tool as the model calls it.')
}

function checkInteger(name: string, value: unknown, min: number, max: number): void {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    throw notAllowed(name, `an integer from ${min} to ${max}`, value, 'give such a number.')
}

function checkNames(name: string, value: Fields, known: readonly string[]): void {
  const unknown = Object.keys(value).find((field) => !known.includes(field))
  if (unknown !== undefined)
    throw notAllowed(`a name in ${name}`, known.join(', '), unknown, 'take it out, or correct its name.')
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
