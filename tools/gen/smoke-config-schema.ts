/** The JSON schema of `smoke.config.json`, for editors: from the same rows as the executor's. Pure. */
import type { Rows, Schema } from './executor-schema.ts'
import { toProperties } from './executor-schema.ts'

const text: Schema = { type: 'string' }
/** What a file says otherwise than a command line: there is no text to be split or taken for an object. */
const inFile: Readonly<Record<string, Schema>> = {
  model: {
    type: 'object',
    properties: { script: text, recording: text },
    oneOf: [{ required: ['script'] }, { required: ['recording'] }],
    additionalProperties: false,
  },
  strings: { type: 'array', items: text },
  environment: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  folders: { type: 'object', additionalProperties: text },
}

/** The schema of a file whose fixtures have these rows; code-only ones are left out. */
export function toSmokeConfigSchema(rows: Rows): Schema {
  const properties = toProperties(rows)
  const options: Record<string, Schema> = {}
  for (const [name, row] of Object.entries(rows)) {
    if (row.only === 'code') continue
    const { aliases: _, anyOf, ...property } = properties[name] ?? {}
    const shape = inFile[row.kind] ?? (anyOf === undefined ? {} : { anyOf })
    const plain = Object.fromEntries(Object.entries(property).filter(([key]) => !key.startsWith('x-')))
    const schema: Schema = {
      ...plain,
      ...(row.values === undefined ? {} : { enum: row.values }),
      ...shape,
      description: row.kind === 'path' ? `${row.says} Relative paths start at this file.` : row.says,
    }
    for (const given of [name, ...(row.declared?.aliases ?? [])]) options[given] = schema
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'smoke.config.json',
    description:
      'One smoke of a package, or several as fixtures; what stands beside fixtures holds for each that does not say otherwise.',
    type: 'object',
    properties: {
      $schema: text,
      ...options,
      fixtures: {
        type: 'array',
        minItems: 1,
        description: 'The smokes of the file, each with a label of its own.',
        items: { type: 'object', properties: options, required: ['label'], additionalProperties: false },
      },
    },
    additionalProperties: false,
    anyOf: [{ required: ['bin'] }, { required: ['binScript'] }, { required: ['fixtures'] }],
    if: { required: ['fixtures'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: { properties: { label: false } },
  }
}
