/** A form that an MCP server asks for: its JSON Schema as fields, and the values back as content. Pure. */
import type { AnswerValue, Field, FieldOption } from '@loader-smoke/agent-sdk'
import type { ServerRequestParams } from '../wire/messages.ts'

type Elicitation = ServerRequestParams<'mcpServer/elicitation/request'>

/** One property of the schema, of which nothing is certain: it comes from a third party's server. */
type Property = Readonly<Record<string, unknown>>

/** The fields of a schema, in its order. */
export function fromSchema(schema: Elicitation['requestedSchema']): readonly Field[] {
  const { properties, required } = record(schema)
  const needed = new Set(list(required))
  return Object.entries(record(properties)).map(([id, value]) => {
    const property = record(value)
    const { title, description } = property
    return {
      id,
      label: typeof title === 'string' && title !== '' ? title : id,
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
      ...shape(property),
      required: needed.has(id),
    }
  })
}

/** The values as content: numbers, which a form carries as text, become numbers where the schema wants them. */
export function toContent(
  schema: Elicitation['requestedSchema'],
  values: Readonly<Record<string, AnswerValue>>,
): Record<string, unknown> {
  const properties = record(record(schema)['properties'])
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => [id, toJson(record(properties[id])['type'], value)]),
  )
}

function toJson(type: unknown, value: AnswerValue): unknown {
  if ((type !== 'integer' && type !== 'number') || typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  // Text that is no number goes as it is: the server that asked says what is wrong with it.
  return Number.isNaN(number) ? value : number
}

function shape(property: Property): Pick<Field, 'kind' | 'options'> {
  if (property['type'] === 'boolean') return { kind: 'boolean' }
  if (property['type'] === 'array') return { kind: 'multi_select', options: choices(record(property['items'])) }
  const options = choices(property)
  return options.length > 0 ? { kind: 'select', options } : { kind: 'text' }
}

function choices(property: Property): readonly FieldOption[] {
  const titled = [...list(property['oneOf']), ...list(property['anyOf'])].map(record)
  if (titled.length > 0)
    return titled.map((choice) => ({
      value: String(choice['const']),
      label: String(choice['title'] ?? choice['const']),
    }))
  const names = list(property['enumNames'])
  return list(property['enum']).map((value, index) => ({ value: String(value), label: String(names[index] ?? value) }))
}

function record(value: unknown): Property {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
