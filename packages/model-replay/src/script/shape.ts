/** Small descriptions of JSON data, written once: the TypeScript type, the check at load and the published JSON schema derive from them. */

export type Shape =
  | { readonly kind: 'string'; readonly says: string; readonly minLength?: number }
  | { readonly kind: 'number'; readonly says: string; readonly min?: number; readonly max?: number }
  | { readonly kind: 'integer'; readonly says: string; readonly min: number; readonly max: number }
  | { readonly kind: 'boolean'; readonly says: string }
  | { readonly kind: 'choice'; readonly says: string; readonly of: readonly (string | number | boolean)[] }
  | { readonly kind: 'json'; readonly says: string }
  | { readonly kind: 'list'; readonly says: string; readonly of: Shape; readonly min?: number }
  | { readonly kind: 'map'; readonly says: string; readonly of: Shape }
  | { readonly kind: 'object'; readonly says: string; readonly fields: Fields }
  | { readonly kind: 'either'; readonly says: string; readonly of: readonly Shape[] }

/** Fields of an object by name. A field is optional unless it says `required: true`. */
export type Fields = Readonly<Record<string, Shape & { readonly required?: true }>>

/** The TypeScript type of the data that `S` describes. */
export type Infer<S> = S extends { kind: 'string' }
  ? string
  : S extends { kind: 'number' | 'integer' }
    ? number
    : S extends { kind: 'boolean' }
      ? boolean
      : S extends { kind: 'choice'; of: readonly (infer V)[] }
        ? V
        : S extends { kind: 'json' }
          ? unknown
          : S extends { kind: 'list'; of: infer E }
            ? readonly Infer<E>[]
            : S extends { kind: 'map'; of: infer E }
              ? Readonly<Record<string, Infer<E>>>
              : S extends { kind: 'object'; fields: infer F }
                ? InferFields<F>
                : S extends { kind: 'either'; of: readonly (infer E)[] }
                  ? Infer<E>
                  : never

type RequiredNames<F> = { [K in keyof F]: F[K] extends { required: true } ? K : never }[keyof F]
type InferFields<F> = { readonly [K in RequiredNames<F>]: Infer<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredNames<F>>]?: Infer<F[K]>
}

/** The JSON Schema (draft-07) of `shape`; unknown keys are not allowed. */
export function toJsonSchema(shape: Shape): Record<string, unknown> {
  const description = shape.says
  switch (shape.kind) {
    case 'string':
      return { description, type: 'string', ...(shape.minLength === undefined ? {} : { minLength: shape.minLength }) }
    case 'number':
    case 'integer':
      return {
        description,
        type: shape.kind,
        ...(shape.min === undefined ? {} : { minimum: shape.min }),
        ...(shape.max === undefined ? {} : { maximum: shape.max }),
      }
    case 'boolean':
      return { description, type: 'boolean' }
    case 'choice':
      return { description, enum: shape.of }
    case 'json':
      return { description }
    case 'list':
      return {
        description,
        type: 'array',
        items: toJsonSchema(shape.of),
        ...(shape.min === undefined ? {} : { minItems: shape.min }),
      }
    case 'map':
      return { description, type: 'object', additionalProperties: toJsonSchema(shape.of) }
    case 'object': {
      const fields = Object.entries(shape.fields)
      const required = fields.filter(([, field]) => field.required).map(([name]) => name)
      return {
        description,
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(fields.map(([name, field]) => [name, toJsonSchema(field)])),
        ...(required.length === 0 ? {} : { required }),
      }
    }
    case 'either':
      return { description, anyOf: shape.of.map(toJsonSchema) }
  }
}
