/** What the files around a failed run say about it. */
import { mkdir, symlink } from 'node:fs/promises'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { findClues } from '../src/observe/clues.ts'

const files = {
  'package.json': '{ "name": "root", "workspaces": ["packages/*"], "packageManager": "npm@11.0.0" }',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "@mapped/*": ["./nope/*"] } } }',
  'packages/app/package.json': '{ "name": "app", "dependencies": { "declared": "1.0.0" } }',
  'packages/app/cordis.yml': '[]',
  'packages/lib/package.json': '{ "name": "lib", "scripts": { "build": "tsc" } }',
  'packages/plain/package.json': '{ "name": "plain" }',
}

async function cluesOf(texts: { stderr?: string; stdout?: string; warning?: string }, configName = 'cordis.yml') {
  await using folder = await tempWorkspace(files)
  await mkdir(folder.file('node_modules'))
  await symlink(folder.file('packages/lib'), folder.file('node_modules/lib'), 'junction')
  const here = (text = '') => text.replaceAll('<folder>', folder.path)
  const spec = {
    configPath: folder.file('packages/app', configName),
    bin: { source: '/nowhere/bin.ts', built: null },
    mode: 'src',
    tsconfigPath: folder.file('tsconfig.json'),
  } as const
  const warnings = texts.warning === undefined ? [] : [here(texts.warning)]
  const clues = findClues(spec, folder.path, here(texts.stderr), here(texts.stdout), warnings)
  return JSON.parse(JSON.stringify(clues).replaceAll(folder.path, '<folder>'))
}

const nothing = { missingConfig: null, unresolved: null }
const manifest = '<folder>/packages/app/package.json'

it('finds nothing in the output of a run that failed for its own reasons', async () => {
  expect(await cluesOf({ stderr: 'TypeError: x is not a function', warning: 'patch: entry "x" not found' })).toEqual(
    nothing,
  )
})

it('notes a config that is not there', async () => {
  expect(await cluesOf({}, 'other.yml')).toEqual({ ...nothing, missingConfig: '<folder>/packages/app/other.yml' })
})

it.each([
  [{ stderr: "Cannot find package 'declared' imported from /x" }, { name: 'declared', declared: true }],
  [{ stdout: "Cannot find package '@a/b/c' imported from /x" }, { name: '@a/b', declared: false }],
  [
    { stderr: "Cannot find package '@mapped/a' imported from /x" },
    { name: '@mapped/a', declared: false, lost: '<folder>/nope/a' },
  ],
  [{ warning: "Cannot find package '@a/b' imported from /x" }, { name: '@a/b', declared: false, byLoader: true }],
])('names the package that was not found, by whom, and who must declare it: %j', async (texts, found) => {
  expect(await cluesOf(texts)).toEqual({ ...nothing, unresolved: { manifest, ...found } })
})

it.each(['stderr', 'stdout', 'warning'])(
  'names in %s the unbuilt file of a workspace package and its build',
  async (where) => {
    const file = '<folder>/packages/lib/lib/index.js'
    const command = 'npm run build --workspace lib'
    for (const specifier of [file, `file://${file}`, '<folder>/node_modules/lib/lib/index.js'])
      expect(await cluesOf({ [where]: `Cannot find module '${specifier}' imported from /x` })).toEqual({
        ...nothing,
        unbuilt: { file, command },
      })
  },
)

it.each([
  ['of an installed package', '<folder>/node_modules/other/lib/index.js'],
  ['of a package that has no build', '<folder>/packages/plain/lib/index.js'],
  ['that is there', '<folder>/packages/lib/package.json'],
  ['of another host', 'file://elsewhere/lib/index.js'],
])('takes no file for unbuilt %s', async (_title, file) => {
  expect(await cluesOf({ stderr: `Cannot find module '${file}' imported from /x` })).toEqual(nothing)
})
