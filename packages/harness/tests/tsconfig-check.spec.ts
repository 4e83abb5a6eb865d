/** The TypeScript project of source mode, looked at before anything starts. */
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { IN_CODE } from '../src/config/written-names.ts'
import { checkTsconfig, lostPath } from '../src/launch/tsconfig.ts'
import { arena, errorOf, fixture, withoutRerun } from './fixtures/fixture.ts'

const refusalIn = ({ file }: TempWorkspace, names = IN_CODE) => {
  try {
    checkTsconfig(file('tsconfig.json'), names)
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  }
}

const paths = (map: unknown, more = {}) => JSON.stringify({ compilerOptions: { paths: map, ...more } })

describe('refuses, by name,', () => {
  it.each<[string, string, string]>([
    ['a text that ends too early', '{\n  "compilerOptions": {', 'CloseBraceExpected at 2:23'],
    ['two values', '{} {}', 'EndOfFileExpected at 1:4'],
    ['no JSON at all', 'not json', 'InvalidSymbol at 1:1'],
    ['a missing comma, which the loader would overlook', '{ "include": [] "files": [] }', 'CommaExpected at 1:17'],
    ['a list', '[]', 'it is no object'],
    ['a text', '"x"', 'it is no object'],
    ['null', 'null', 'it is no object'],
    ['a number to extend', '{ "extends": 5 }', 'its extends is neither a text nor a list of texts'],
    ['a number among what is extended', '{ "extends": [5] }', 'its extends is neither a text nor a list of texts'],
    ['options that are none', '{ "compilerOptions": "x" }', 'its compilerOptions are no object'],
    ['paths that are none', paths(['x']), 'its paths are no object'],
    ['a path that is no list', paths({ a: './x' }), 'its paths give "a" no list of texts'],
  ])('%s', async (_, text, why) => {
    await using folder = await tempWorkspace({ 'tsconfig.json': text })
    expect(refusalIn(folder)).toBe(
      `tsconfigPath must be a file of JSON with comments, got "${folder.file('tsconfig.json')}": ${why}.\nNext: correct that file.`,
    )
  })

  it('a broken file that is extended, over any number of steps', async () => {
    await using folder = await tempWorkspace({
      'tsconfig.json': '{ "extends": ["./one.json", "./two.json"] }',
      'one.json': '{}',
      'two.json': '{ "extends": "./three" }',
      'three.json': '{ "compilerOptions": }',
    })
    expect(refusalIn(folder)).toBe(
      `tsconfigPath must be a file of JSON with comments, got "${folder.file('tsconfig.json')}", which extends "${folder.file('three.json')}": ValueExpected at 1:22.\n` +
        'Next: correct that file.',
    )
  })

  it.each<[string, string, string]>([
    ['a file to extend that is not there', '{ "extends": "./none.json" }', "File './none.json' not found"],
    ['one of several', '{ "extends": ["./none.json"] }', "File './none.json' not found"],
    [
      'a package to extend that is not installed',
      '{ "extends": "@none/such/base" }',
      "File '@none/such/base' not found",
    ],
    ['a circle', '{ "extends": "./tsconfig.json" }', 'Circularity detected while resolving configuration: <file>'],
    ['a pattern of two stars', paths({ 'a*b*': ['./x'] }), "Pattern 'a*b*' can have at most one '*' character"],
    [
      'a bare path without a base',
      paths({ a: ['x'] }),
      "Non-relative paths are not allowed when 'baseUrl' is not set. Did you forget a leading './'?",
    ],
  ])('%s', async (_, text, why) => {
    await using folder = await tempWorkspace({ 'tsconfig.json': text })
    const file = folder.file('tsconfig.json')
    expect(refusalIn(folder)).toBe(
      `tsconfigPath must be a project that can be loaded, got "${file}": ${why.replace('<file>', file)}.\n` +
        'Next: correct it there, or install the package that it extends.',
    )
  })
})

describe('takes, as TypeScript does,', () => {
  it.each<[string, Record<string, string>]>([
    ['nothing', { 'tsconfig.json': '' }],
    ['comments and trailing commas', { 'tsconfig.json': '// all of it\n{ "compilerOptions": { "strict": true, }, }' }],
    ['a byte order mark', { 'tsconfig.json': '\uFEFF{}' }],
    ['a base without its ending', { 'tsconfig.json': '{ "extends": "./base" }', 'base.json': '{}' }],
    [
      'a base in a package, by its exports',
      {
        'tsconfig.json': '{ "extends": "@my/config/strict" }',
        'node_modules/@my/config/package.json': '{ "exports": { "./strict": "./tsconfig.strict.json" } }',
        'node_modules/@my/config/tsconfig.strict.json': '{ // as published\n }',
      },
    ],
    [
      'a map that leads nowhere, which only matters to a bin that imports by it',
      { 'tsconfig.json': paths({ a: ['./x'] }) },
    ],
    [
      "a path from the project's own folder in a base",
      {
        'tsconfig.json': '{ "extends": "./up/base.json" }',
        'up/base.json': paths({ '~/*': ['${configDir}/src/*'] }),
        'src/a.ts': '',
      },
    ],
  ])('%s', async (_, files) => {
    await using folder = await tempWorkspace(files)
    expect(refusalIn(folder)).toBe('accepted')
  })
})

it.each<[string, Record<string, string>, string | null]>([
  ['leads nowhere', { 'tsconfig.json': paths({ '@my/*': ['./pakages/*'] }) }, 'pakages/a'],
  [
    'is turned elsewhere by its base',
    { 'tsconfig.json': paths({ '@my/a': ['a/src'] }, { baseUrl: './nope' }), 'a/src/index.ts': '' },
    'nope/a/src',
  ],
  [
    'is inherited and leads nowhere',
    { 'tsconfig.json': '{ "extends": "./up/base.json" }', 'up/base.json': paths({ '@my/a': ['./x.ts', './y'] }) },
    'up/x.ts',
  ],
  ['leads nowhere first, and then somewhere', { 'tsconfig.json': paths({ '@my/a': ['./x', './y'] }), 'y/z': '' }, null],
  ['leads to a folder', { 'tsconfig.json': paths({ '@my/*': ['./*/src'] }), 'a/src/i.ts': '' }, null],
  ['leads to a file without its ending', { 'tsconfig.json': paths({ '@my/a': ['./src/a'] }), 'src/a.ts': '' }, null],
  ['leads to what a source is built to', { 'tsconfig.json': paths({ '@my/a': ['./src/a.js'] }), 'src/a.ts': '' }, null],
  ['leads through a file', { 'tsconfig.json': paths({ '@my/a': ['./index.ts/a'] }), 'index.ts': '' }, 'index.ts/a'],
  ['can no longer be read', { 'tsconfig.json': '{ "extends": "./gone.json" }' }, null],
  ['names others', { 'tsconfig.json': paths({ '@my/b': ['./x'] }) }, null],
  ['is not there', { 'tsconfig.json': '{}' }, null],
])('tells where a map leads that %s', async (_, files, lost) => {
  await using folder = await tempWorkspace(files)
  expect(lostPath(folder.file('tsconfig.json'), '@my/a')).toBe(lost === null ? null : folder.file(lost))
})

it('is told before anything is made, under the name that a person wrote', async () => {
  await using world = await arena()
  await using folder = await tempWorkspace({ 'tsconfig.json': '{' })
  const tsconfigPath = folder.file('tsconfig.json')
  const why = `must be a file of JSON with comments, got "${tsconfigPath}": CloseBraceExpected at 1:2.\nNext: correct that file.`
  expect(refusalIn(folder, new Map([['tsconfigPath', { name: 'tsConfig', place: '/p' }]]))).toBe(`/p: tsConfig ${why}`)
  const error = await errorOf(fixture('exits', world, { mode: 'src', tsconfigPath }))
  expect(withoutRerun(error.message)).toBe(`tsconfigPath ${why}`)
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'options', facts: null })
  expect(world.entries()).toEqual([])
})

it('is not looked at for built output', async () => {
  await using world = await arena()
  await using folder = await tempWorkspace({ 'tsconfig.json': '{' })
  const error = await errorOf(fixture('exits', world, { tsconfigPath: folder.file('tsconfig.json'), binArgs: ['7'] }))
  expect(error.verdict.kind).toBe('fail')
})
