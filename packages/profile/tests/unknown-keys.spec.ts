/** Which keys of a config its plugin's schema doesn't know. */
import z from '@deepseek-ai/schemastery'
import { expect, test } from 'vitest'
import { type Schema, unknownConfigKeys } from '../src/config/unknown-keys.ts'

const keys = (schema: unknown, config: unknown) =>
  unknownConfigKeys({ id: 'a', name: 'plug', from: 'overlay o', config, schema: schema as Schema }).map(
    ({ what }) => /config key "([^"]+)"/.exec(what)?.[1],
  )

const inner = z.object({ min: z.number(), max: z.number() })

test.each<[string, unknown, unknown, string[]]>([
  ['a known key', z.object({ a: z.string() }), { a: 'x' }, []],
  ['an unknown one', z.object({ a: z.string() }), { b: 'x' }, ['b']],
  ['inside of an object', z.object({ a: inner }), { a: { min: 1, mx: 2 } }, ['a.mx']],
  ['inside of a list', z.object({ a: z.array(inner) }), { a: [{ min: 1 }, { mim: 1 }] }, ['a.1.mim']],
  ['any key of a dictionary, but not of its values', z.dict(inner), { one: { min: 1 }, two: { mix: 1 } }, ['two.mix']],
  [
    'of either branch of a union',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { a: '', b: '', c: '' },
    ['c'],
  ],
  ['of a union that takes anything', z.union([z.object({ a: z.string() }), z.any()]), { c: '' }, []],
  ['of an object or a text', z.union([z.string(), inner]), { mn: 1 }, ['mn']],
  [
    'of all parts of an intersection',
    z.intersect([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { a: '', b: '', c: '' },
    ['c'],
  ],
  ['below anything', z.object({ a: z.any() }), { a: { whatever: 1 } }, []],
  ['an expression', z.object({ a: inner }), { a: { __jsExpr: 'x' } }, []],
  ['no config at all', z.object({ a: z.string() }), undefined, []],
  ['a plugin without a schema', undefined, { a: 1 }, []],
])('%s', (_, schema, config, expected) => {
  expect(keys(schema, config)).toEqual(expected)
})

test('tells the nearest keys, where the config is from, and what is known there', () => {
  const schema = z.object({ thinking: z.string(), model: z.string() }) as unknown as Schema
  expect(unknownConfigKeys({ id: 'a', name: 'plug', from: 'overlay o', config: { thinkin: '' }, schema })).toEqual([
    {
      what: `overlay o gives the entry "a" ('plug') the config key "thinkin", which its plugin doesn't know. Nearest: "thinking".`,
      next: 'correct the key; at that place the plugin knows thinking, model.',
    },
  ])
})
