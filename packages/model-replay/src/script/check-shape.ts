/** Checks data against a shape and says each problem in words: where, what was given, what is allowed. */
import { nearestWord } from './nearest-word.ts'
import type { Fields, Shape } from './shape.ts'

/** Every problem of `value` against `shape`; empty when it fits. `path` names the place, such as `turns[2].usage`. */
export function checkShape(value: unknown, shape: Shape, path = ''): string[] {
  const at = path === '' ? 'the script' : path
  const wrong = (expected: string) => [`${at} is ${show(value)}; expected ${expected}.`]
  switch (shape.kind) {
    case 'string':
      if (typeof value !== 'string') return wrong('text')
      return value.length < (shape.minLength ?? 0) ? wrong('text that is not empty') : []
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong('true or false')
    case 'number':
    case 'integer': {
      const fits =
        typeof value === 'number' &&
        (shape.kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) &&
        value >= (shape.min ?? -Infinity) &&
        value <= (shape.max ?? Infinity)
      const range = `from ${shape.min ?? 'any'} to ${shape.max ?? 'any'}`
      return fits ? [] : wrong(`${shape.kind === 'integer' ? 'a whole number' : 'a number'} ${range}`)
    }
    case 'choice': {
      if (shape.of.includes(value as string)) return []
      const guess = typeof value === 'string' ? nearestWord(value, shape.of.map(String)) : undefined
      return wrong(`${listOf(shape.of.map((allowed) => JSON.stringify(allowed)))}${didYouMean(guess)}`)
    }
    case 'json':
      return value === undefined ? wrong('a JSON value') : []
    case 'list':
      if (!Array.isArray(value)) return wrong('a list')
      if (value.length < (shape.min ?? 0)) return wrong(`a list of at least ${shape.min}`)
      return value.flatMap((entry, index) => checkShape(entry, shape.of, `${path}[${index}]`))
    case 'map':
      if (!isRecord(value)) return wrong('a mapping')
      return Object.entries(value).flatMap(([key, entry]) => checkShape(entry, shape.of, join(path, key)))
    case 'object':
      return isRecord(value) ? checkFields(value, shape.fields, path) : wrong(`a mapping (${shape.says})`)
    case 'either': {
      const candidates = shape.of.filter((one) => looksLike(value, one))
      if (candidates.length === 0) return wrong(listOf(shape.of.map(kindName)))
      const attempts = candidates.map((one) => checkShape(value, one, path))
      return attempts.find((problems) => problems.length === 0) ?? attempts[0] ?? []
    }
  }
}

function checkFields(value: Readonly<Record<string, unknown>>, fields: Fields, path: string): string[] {
  const at = path === '' ? 'the script' : path
  const allowed = Object.keys(fields)
  const problems: string[] = []
  for (const [key, entry] of Object.entries(value)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (field === undefined) {
      problems.push(
        `${at} has the unknown key ${JSON.stringify(key)}${didYouMean(nearestWord(key, allowed))}; allowed: ${allowed.join(', ')}.`,
      )
    } else if (entry !== undefined) problems.push(...checkShape(entry, field, join(path, key)))
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.required && value[name] === undefined)
      problems.push(`${at} has no ${JSON.stringify(name)}: ${field.says}`)
  }
  return problems
}

/** Whether `value` is a mapping: an object that is neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function looksLike(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
    case 'integer':
      return typeof value === 'number'
    case 'choice':
      return shape.of.some((allowed) => typeof allowed === typeof value)
    case 'list':
      return Array.isArray(value)
    case 'map':
    case 'object':
      return isRecord(value)
    case 'json':
      return true
    case 'either':
      return shape.of.some((one) => looksLike(value, one))
  }
}

function kindName(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      return 'text'
    case 'boolean':
      return 'true or false'
    case 'number':
    case 'integer':
      return 'a number'
    case 'choice':
      return listOf(shape.of.map((allowed) => JSON.stringify(allowed)))
    case 'list':
      return 'a list'
    case 'map':
    case 'object':
      return `a mapping (${shape.says})`
    case 'json':
      return 'a JSON value'
    case 'either':
      return listOf(shape.of.map(kindName))
  }
}

function show(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isRecord(value)) return `a mapping with ${Object.keys(value).slice(0, 8).join(', ') || 'no keys'}`
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function join(path: string, key: string): string {
  const step = /^[A-Za-z_$][\w$-]*$/.test(key) ? key : JSON.stringify(key)
  return path === '' ? step : `${path}.${step}`
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function didYouMean(guess: string | undefined): string {
  return guess === undefined ? '' : ` (did you mean ${JSON.stringify(guess)}?)`
}
