/** Finds the settings in a config that the plugin's own schema doesn't know: they would be ignored in silence. Pure. */
import { didYouMean, listed } from '../nearest.ts'
import type { ProfileProblem } from '../profile-error.ts'

/** What of a Schemastery schema is read here. */
export interface Schema {
  readonly type?: string
  readonly dict?: Readonly<Record<string, Schema | undefined>>
  readonly inner?: Schema
  readonly list?: readonly Schema[]
  readonly '~standard'?: { readonly vendor?: string }
}

/** An entry as it was mounted. */
export interface ConfiguredEntry {
  readonly id: string
  readonly name: string
  /** Before `!!js` expressions are evaluated; what they give is not looked into. */
  readonly config: unknown
  readonly schema: Schema | undefined
  /** The layer whose config this is. */
  readonly from: string
}

/** One key that the schema doesn't have, and those it has at that place. */
interface Unknown {
  readonly path: readonly string[]
  readonly known: readonly string[]
}

/** One problem for each unknown key of `entry`; none when its plugin has no schema, or one of another library. */
export function unknownConfigKeys({ id, name, config, schema, from }: ConfiguredEntry): ProfileProblem[] {
  if (schema?.['~standard']?.vendor !== 'schemastery') return []
  return unknown(config, schema, []).map(({ path, known }) => ({
    what: `${from} gives the entry "${id}" ('${name}') the config key "${path.join('.')}", which its plugin doesn't know.${didYouMean(path.at(-1) ?? '', known)}`,
    next: `correct the key; at that place the plugin knows ${listed(known) || 'no key'}.`,
  }))
}

function unknown(value: unknown, schema: Schema, path: readonly string[]): Unknown[] {
  if (Array.isArray(value)) {
    const element = schema.type === 'array' ? schema.inner : undefined
    return element === undefined ? [] : value.flatMap((one, index) => unknown(one, element, [...path, String(index)]))
  }
  if (typeof value !== 'object' || value === null || '__jsExpr' in value) return []
  const known = keysOf(schema)
  if (known === null) {
    const inner = schema.type === 'dict' ? schema.inner : undefined
    return inner === undefined ? [] : Object.entries(value).flatMap(([key, one]) => unknown(one, inner, [...path, key]))
  }
  return Object.entries(value).flatMap(([key, one]) => {
    const field = known.get(key)
    if (field === undefined) return { path: [...path, key], known: [...known.keys()] }
    return field === 'any' ? [] : unknown(one, field, [...path, key])
  })
}

/** Keys of an object schema with what is known of each; null for a schema that takes keys of any name. */
function keysOf(schema: Schema): Map<string, Schema | 'any'> | null {
  if (schema.type === 'object')
    return new Map(Object.entries(schema.dict ?? {}).map(([key, field]) => [key, field ?? 'any']))
  if (schema.type === 'transform') return schema.inner === undefined ? null : keysOf(schema.inner)
  if (schema.type !== 'intersect' && schema.type !== 'union') return null
  const parts = (schema.list ?? []).map(keysOf)
  // Of a union, branches that take no object (a string, a constant) don't count; one that takes any key allows all.
  if (
    parts.length === 0 ||
    (schema.list ?? []).some((part) => ['any', 'dict', 'lazy', 'is'].includes(part.type ?? 'any'))
  )
    return null
  const all = parts.filter((part) => part !== null)
  if (all.length === 0) return null
  const keys = new Map<string, Schema | 'any'>()
  // A key that two branches have may mean something else in each: it is known, and not looked into.
  for (const part of all) for (const [key, field] of part) keys.set(key, keys.has(key) ? 'any' : field)
  return keys
}
