import { type LoaderSmokeOptions, OptionError, runLoaderSmoke } from '@loader-smoke/harness'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { checkNodeVersion } from '../../src/node-version.ts'
import { arena, errorOf, fixture, program, tsconfigPath, withoutRerun } from '../fixtures/fixture.ts'

afterEach(() => vi.unstubAllEnvs())

const MODE_NEXT =
  "\nNext: set it, or the option mode, to 'src' (TypeScript source) or 'lib' (built output), or leave both unset for 'src'."

test.each<[string, Partial<LoaderSmokeOptions>, string]>([
  [
    'options',
    { mode: 'lbi' as 'lib' },
    `DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".\n` +
      "Next: the option mode says so; set it to 'src' (TypeScript source) or 'lib' (built output), or leave it out to let DSH_EXAMPLE_MODE decide.",
  ],
  [
    'options',
    { configPath: '/tmp' },
    'configPath must be a file, got "/tmp", which is a folder.\nNext: correct configPath.',
  ],
  [
    'options',
    { cwd: '/', configPath: 'tmp' },
    'configPath must be a file, got "tmp", which is a folder.\nNext: correct configPath.',
  ],
  [
    'options',
    { mode: 'src', tsconfigPath: undefined },
    "resolveExampleLaunch: 'src' mode needs tsconfigPath for the workspace paths map.\n" +
      "Next: in code, pass the absolute path of the tsconfig.json whose paths name your workspace packages; where a smoke is declared (tsConfig), add a tsconfig.json beside it. Or run the built output with mode 'lib'.",
  ],
  [
    'options',
    { binScript: '/p/bin.ts', libBinScript: undefined },
    'resolveExampleLaunch: expected a "/src/" segment or Windows equivalent in bin path "/p/bin.ts".\n' +
      'Next: pass the built entry point explicitly (libBin; in runLoaderSmoke libBinScript).',
  ],
  [
    'options',
    { mode: 'src', binScript: '/not/there.ts' },
    'binScript must be an existing file, got "/not/there.ts".\nNext: create it, or correct binScript.',
  ],
  [
    'options',
    { mode: 'src', tsconfigPath: '/tmp' },
    'tsconfigPath must be an existing file, got "/tmp", which is a folder.\nNext: correct tsconfigPath.',
  ],
  [
    'options',
    { cwd: '/not/there' },
    'cwd must be an existing folder, got "/not/there".\nNext: create it, or correct cwd.',
  ],
  [
    'options',
    { tempDirParent: tsconfigPath },
    `tempDirParent must be an existing folder, got "${tsconfigPath}", which is a file.\nNext: correct tempDirParent.`,
  ],
  ...['/none/loader.mjs', 'file:///none/loader.mjs', 'file://host/loader.mjs'].map(
    (sourceImport): [string, Partial<LoaderSmokeOptions>, string] => [
      'options',
      { mode: 'src', sourceImport },
      `sourceImport must be an existing file, got "${sourceImport}".\nNext: create it, or correct sourceImport.`,
    ],
  ),
  [
    'options',
    { mode: 'src', sourceImport: '/tmp' },
    'sourceImport must be an existing file, got "/tmp", which is a folder.\nNext: correct sourceImport.',
  ],
  [
    'options',
    { label: '' },
    'label must be a text of one line that is not empty, got "".\nNext: give label such a text.',
  ],
  [
    'options',
    { expext: { stdout: 'nope' } } as object,
    '"expext" is no option of a smoke. Did you mean expect?\nNext: correct its name, or take it out.',
  ],
])('an error of stage %s before anything is made: %j', async (stage, more, message) => {
  await using world = await arena()
  const prepared: string[] = []
  const options = fixture('exits', world, { prepare: (cwd) => void prepared.push(cwd), ...more })
  const error = await errorOf(options)
  expect(withoutRerun(error.message)).toBe(message)
  expect(error.verdict).toMatchObject({ kind: 'error', stage, facts: null })
  expect(prepared).toEqual([])
  expect(world.entries()).toEqual([])
})

test.each([undefined, null, [], 'x'])('options that are no object, %j, are an error like any other', async (given) => {
  const error = await errorOf(given as never)
  expect(error.message).toMatch(/^options must be an object, got .*\.\nNext: call it with \{ label, binScript, … \}\.$/)
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'options', facts: null })
})

test('a mode of the environment that is none', async () => {
  await using world = await arena()
  vi.stubEnv('DSH_EXAMPLE_MODE', 'lbi')
  const error = await errorOf(fixture('exits', world, { mode: undefined }))
  expect(error.message).toBe(`DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".${MODE_NEXT}`)
})

test.each<[string, Record<string, string>, string]>([
  ['npm', { 'package.json': '{"name":"app","scripts":{"build":"x"}}', 'package-lock.json': '{}' }, 'npm run build'],
  ['pnpm', { 'package.json': '{"name":"app","scripts":{"build":"x"}}', 'pnpm-lock.yaml': '' }, 'pnpm run build'],
  ['bun', { 'package.json': '{"name":"app","packageManager":"bun@1.2.0"}' }, 'bun run build'],
  [
    'npm in a workspace',
    {
      'package.json': '{"workspaces":["p/*"]}',
      'package-lock.json': '{}',
      'p/app/package.json': '{"name":"@a/app","scripts":{"build":"x"}}',
    },
    'npm run build --workspace @a/app',
  ],
  [
    'pnpm in a workspace',
    {
      'package.json': '{"packageManager":"pnpm@10.1.0"}',
      'pnpm-workspace.yaml': '',
      'p/app/package.json': '{"name":"@a/app","scripts":{"build":"x"}}',
    },
    'pnpm --filter @a/app run build',
  ],
  [
    'yarn in a workspace, where only the root builds',
    { 'package.json': '{"workspaces":["p/*"]}', 'yarn.lock': '', 'p/app/package.json': '{"name":"app"}' },
    'yarn run build',
  ],
])('a missing built entry names the build command of %s', async (_, files, command) => {
  await using world = await arena()
  await using repository = await tempWorkspace(files)
  const folder = 'p/app/package.json' in files ? 'p/app' : '.'
  const binScript = await repository.write(`${folder}/src/bin.ts`, '')
  const error = await errorOf(fixture('app', world, { binScript, libBinScript: undefined }))
  const entry = repository.file(folder, 'lib/bin.js')
  expect(withoutRerun(error.message)).toBe(`app has no built entry ${entry}\nNext: run \`${command}\` first.`)
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'launch', facts: null })
})

test.each([
  ['{"bin":"./dist/bin.js"}', 'dist/bin.js'],
  ['{"bin":{"other":"dist/other.js","mine":"./out/bin.mjs"}}', 'out/bin.mjs'],
  ['{"exports":{"./bin":{"types":"./x.d.ts","default":"./build/bin.js"}}}', 'build/bin.js'],
  ['{"bin":"./lib/bin.js"}', null],
  ['{"name":"none"}', null],
])('a manifest %s names the built entry %s', async (manifest, named) => {
  await using world = await arena()
  await using app = await tempWorkspace({ 'package.json': manifest, 'src/bin.ts': '' })
  const error = await errorOf(fixture('app', world, { binScript: app.file('src/bin.ts'), libBinScript: undefined }))
  const hint = `\npackage.json names the built entry ${app.file(named ?? '')}: pass it as libBinScript (libBin) if that is the one.`
  expect(withoutRerun(error.message)).toBe(
    `app has no built entry ${app.file('lib/bin.js')}\nNext: run \`npm run build\` first.${named === null ? '' : hint}`,
  )
})

test('a temporary folder that can’t be made is an error of the machine, not of the fixture', async () => {
  await using world = await arena()
  const tempDirPrefix = 'x'.repeat(300)
  const error = await errorOf(fixture('exits', world, { tempDirPrefix }))
  expect(error.message).toMatch(
    /^the temporary folder of exits can't be made below .*: ENAMETOOLONG.*\.\nNext: free space there or make it writable, or name another folder with tempDirParent\.$/,
  )
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'world', facts: null })
})

test('source mode runs the source although there is no built entry', async () => {
  await using world = await arena()
  const options = fixture('exits', world, { mode: 'src', libBinScript: undefined, binArgs: [] })
  expect((await runLoaderSmoke(options)).command).toContain(program('exits'))
})

test.each(['20.20.2', '22.17.0', '23.11.0'])(
  'Node %s is told that it is too old, before anything is loaded',
  (version) => {
    expect(() => checkNodeVersion(version)).toThrow(
      new OptionError(
        'node',
        `@loader-smoke/harness needs Node 22.18 or newer, or 24 and newer, got ${version}.\nNext: install such a Node, or put it first in PATH.`,
      ),
    )
  },
)

test.each(['22.18.0', '22.22.1', '24.0.0', '25.1.0'])('Node %s is new enough', (version) => {
  expect(() => checkNodeVersion(version)).not.toThrow()
})

test.each<[string, (c: AbortController) => Partial<LoaderSmokeOptions>]>([
  ['before the start', (c) => (c.abort(new Error('enough')), {})],
  ['during prepare', (c) => ({ prepare: () => new Promise(() => c.abort(new Error('enough'))) })],
  ['during a service', (c) => ({ services: [{ start: () => new Promise(() => c.abort(new Error('enough'))) }] })],
])('an abort %s rejects with its reason, and nothing is left', async (_, more) => {
  await using world = await arena()
  const controller = new AbortController()
  const options = fixture('exits', world, { ...more(controller), signal: controller.signal })
  await expect(runLoaderSmoke(options)).rejects.toThrow(new Error('enough'))
  expect(world.entries()).toEqual([])
})

test.each([
  ['is too long', `/${'x'.repeat(5_000)}`],
  ['leads through a file', `${tsconfigPath}/bin.ts`],
])('a path that %s is one of nothing', async (_, binScript) => {
  await using world = await arena()
  const error = await errorOf(fixture('exits', world, { mode: 'src', binScript }))
  const shown = JSON.stringify(binScript.length > 200 ? `${binScript.slice(0, 200)}…` : binScript)
  expect(withoutRerun(error.message)).toBe(
    `binScript must be an existing file, got ${shown}.\nNext: create it, or correct binScript.`,
  )
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'options', facts: null })
})
