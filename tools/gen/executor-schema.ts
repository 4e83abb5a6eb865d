/** The JSON schema of the Nx executor, from the table of options. Pure. */
import type { OptionRow } from '@loader-smoke/harness/options'

/** A part of a JSON schema. */
export type Schema = { readonly [key: string]: unknown }

/** Rows by name, in the order in which they are shown. */
export type Rows = Readonly<Record<string, OptionRow>>

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }
const pattern: Schema = {
  type: 'object',
  properties: { pattern: { type: 'string', description: 'A regular expression.' }, flags: text },
  required: ['pattern'],
}
const textMatch: Schema = { anyOf: [text, pattern] }
const textMatches: Schema = { anyOf: [text, pattern, { type: 'array', items: textMatch }] }

/** What each kind is, for editors. `anyOf` where the command line may give a text: Nx would split it at commas in a `oneOf`. */
const schemaOfKind: Readonly<Record<OptionRow['kind'], Schema>> = {
  text,
  path: text,
  choice: text,
  signalName: text,
  input: text,
  integer: { type: 'integer' },
  flag: { type: 'boolean' },
  strings: { anyOf: [texts, text] },
  environment: { type: 'object' },
  folders: { type: 'object' },
  secrets: { type: 'array', items: textMatch },
  model: { anyOf: [{ type: 'object', properties: { script: text, recording: text } }, text] },
  turn: {
    anyOf: [
      { type: 'string', enum: ['required', 'optional'] },
      { type: 'object', properties: { output: textMatch }, required: ['output'] },
    ],
  },
  expect: {
    type: 'object',
    properties: {
      exitCode: { type: 'integer' },
      signal: text,
      output: textMatch,
      stdout: textMatches,
      stderr: textMatches,
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: text, present: { type: 'boolean' }, content: textMatch },
          required: ['path'],
        },
      },
      tools: {
        anyOf: [
          texts,
          { type: 'object', properties: { called: texts, inOrder: { type: 'boolean' } }, required: ['called'] },
        ],
      },
      maxTokens: { type: 'integer' },
      durationMs: { type: 'integer' },
    },
  },
  hook: {},
  listener: {},
  abort: {},
  services: {},
  rerun: {},
}

/**
 * The schema of the executor: every row that JSON can say. Editors see what is allowed; Nx itself takes any value, since its own refusal ends a whole
 * batch and is printed as Node's stack of an unhandled rejection: the executor's check says what is wrong, and fails the one task.
 */
export function toExecutorSchema(rows: Rows): Schema {
  return {
    $schema: 'https://json-schema.org/schema',
    version: 2,
    title: 'smoke',
    description:
      'Boots an agent app from its real entry point in a world of its own, drives one task, and judges what happened.',
    type: 'object',
    cli: 'nx',
    properties: Object.fromEntries(
      Object.entries(toProperties(rows)).map(([name, property]) => [name, takingAnything(property)]),
    ),
    definitions: {
      // Each type by itself: Nx takes a list, an object or null only where that is the one type.
      anything: { anyOf: ['string', 'number', 'boolean', 'array', 'object', 'null'].map((type) => ({ type })) },
    },
  }
}

/** The strict property of each row that JSON can say. */
export function toProperties(rows: Rows): Readonly<Record<string, Schema>> {
  const declared = Object.entries(rows).filter(([, row]) => row.only !== 'code')
  return Object.fromEntries(declared.map(([name, row]) => [name, toProperty(name, row)]))
}

/** Nx is done with a value that one of `anyOf` allows, and converts what the command line gives by `type` alone; editors look at all of it. */
function takingAnything({ anyOf, properties, required, ...property }: Schema): Schema {
  const wide = { anyOf: [{ $ref: '#/definitions/anything' }] }
  if (anyOf !== undefined) return { ...property, ...wide, allOf: [{ anyOf }] }
  // Nx looks for defaults inside of an object before it looks whether there is one.
  const { type, ...others } = property
  return properties === undefined
    ? { ...property, ...wide }
    : { ...others, ...wide, allOf: [{ type, properties, ...(required === undefined ? {} : { required }) }] }
}

function toProperty(name: string, row: OptionRow): Schema {
  const { declared = {} } = row
  const fallback = declared.default ?? row.default
  return {
    ...schemaOfKind[row.kind],
    // A mode that is none must reach the harness: its message names the variable that it may have come from.
    ...(row.values !== undefined && name !== 'mode' ? { enum: row.values } : {}),
    ...(row.kind === 'integer' ? { minimum: row.min, maximum: row.max } : {}),
    description:
      row.kind === 'path'
        ? `${row.says} Relative paths start at the workspace root; {projectRoot} and {workspaceRoot} may be used.`
        : row.says,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(declared.aliases === undefined ? {} : { aliases: declared.aliases }),
    ...(declared.priority === undefined ? {} : { 'x-priority': declared.priority }),
    ...(declared.completion === undefined ? {} : { 'x-completion-type': declared.completion }),
    ...(declared.completionGlob === undefined ? {} : { 'x-completion-glob': declared.completionGlob }),
  }
}
