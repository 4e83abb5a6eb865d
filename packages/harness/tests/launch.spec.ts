import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { toBuiltBin } from '../src/launch/bin.ts'
import { resolveExampleLaunch } from '../src/launch/example-launch.ts'
import { withoutSourceFlags } from '../src/launch/node-options.ts'

const saying = (message: string) => expect.objectContaining({ message })

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['/p/src/bin.ts', '/p/lib/bin.js'],
  ['/src/p/src/deep/bin.mts', '/src/p/lib/deep/bin.mjs'],
  ['/p/src/bin.cts', '/p/lib/bin.cjs'],
  ['/p/src/bin.tsx', '/p/lib/bin.js'],
  ['/p/src/bin.js', '/p/lib/bin.js'],
  ['/p/src/my.ts.bin.ts', '/p/lib/my.ts.bin.js'],
  ['C:\\p\\src\\bin.ts', 'C:\\p\\lib\\bin.js'],
  ['C:/src/p\\src\\bin.ts', 'C:/src/p\\lib\\bin.js'],
])('the built entry of %s is %s', (source, built) => {
  expect(toBuiltBin(source)).toBe(built)
})

test.each(['/p/bin.ts', '/p/srcs/bin.ts', 'src/bin.ts', '/p/src'])('%s has no built entry to derive', (source) => {
  expect(() => toBuiltBin(source)).toThrow(
    saying(
      `resolveExampleLaunch: expected a "/src/" segment or Windows equivalent in bin path "${source}".\n` +
        'Next: pass the built entry point explicitly (libBin; in runLoaderSmoke libBinScript).',
    ),
  )
})

test.each([
  ['--conditions=@loader-smoke/source', ''],
  ['--conditions @loader-smoke/source --no-warnings', '--no-warnings'],
  ['-C @loader-smoke/source', ''],
  ['-C=other --conditions=other', '-C=other --conditions=other'],
  ['--import tsx --max-old-space-size=99', '--max-old-space-size=99'],
  ['--import=file:///n/tsx/dist/loader.mjs', ''],
  ['--require "C:\\\\n m\\\\tsx\\\\preflight.cjs" -r ./mine.cjs', '-r ./mine.cjs'],
  ['--import ./tsx-like.mjs', '--import ./tsx-like.mjs'],
  ['--title "two words" --conditions=@loader-smoke/source', '--title "two words"'],
  ['', ''],
])('NODE_OPTIONS %j without what leads to source is %j', (given, left) => {
  expect(withoutSourceFlags(given)).toBe(left)
})

test('source mode: Node, the loader as an absolute URL, the source entry, its arguments, and the paths map', () => {
  expect(
    resolveExampleLaunch({
      srcBin: '/p/src/bin.ts',
      configArgs: ['--config', 'c'],
      mode: 'src',
      tsconfigPath: '/t.json',
      env: { A: 'a' },
    }),
  ).toEqual({
    command: process.execPath,
    args: ['--import', tsx, '/p/src/bin.ts', '--config', 'c'],
    env: { A: 'a', TSX_TSCONFIG_PATH: '/t.json' },
  })
})

test('built mode: plain Node and the built entry; an inherited paths map is taken away', () => {
  vi.stubEnv('NODE_OPTIONS', undefined)
  const launch = resolveExampleLaunch({ srcBin: '/p/src/bin.ts', mode: 'lib', env: { TSX_TSCONFIG_PATH: '/t.json' } })
  expect(launch).toStrictEqual({
    command: process.execPath,
    args: ['/p/lib/bin.js'],
    env: { TSX_TSCONFIG_PATH: undefined },
  })
})

test('built mode takes what leads to source out of the inherited NODE_OPTIONS', () => {
  vi.stubEnv('NODE_OPTIONS', '--conditions=@loader-smoke/source')
  const { env } = resolveExampleLaunch({ srcBin: '/p/bin.ts', libBin: '/p/out.js', mode: 'lib' })
  expect(env).toStrictEqual({ TSX_TSCONFIG_PATH: undefined, NODE_OPTIONS: undefined })
  vi.stubEnv('NODE_OPTIONS', '--no-warnings --import tsx')
  expect(resolveExampleLaunch({ srcBin: '/p/bin.ts', libBin: '/p/out.js', mode: 'lib' }).env).toStrictEqual({
    TSX_TSCONFIG_PATH: undefined,
    NODE_OPTIONS: '--no-warnings',
  })
})

test('the mode comes from the environment when no option names it', () => {
  vi.stubEnv('DSH_EXAMPLE_MODE', 'lib')
  expect(resolveExampleLaunch({ srcBin: '/p/src/bin.ts', libBin: '/p/dist/bin.js' }).args).toEqual(['/p/dist/bin.js'])
  vi.stubEnv('DSH_EXAMPLE_MODE', 'lbi')
  expect(() => resolveExampleLaunch({ srcBin: '/p/src/bin.ts' })).toThrow(
    `DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".`,
  )
})

test('source mode without a TypeScript project is refused', () => {
  expect(() => resolveExampleLaunch({ srcBin: '/p/src/bin.ts', mode: 'src' })).toThrow(
    "resolveExampleLaunch: 'src' mode needs tsconfigPath for the workspace paths map.",
  )
})

test('a loader that only has an import entry is found', async () => {
  await using app = await tempWorkspace({
    'node_modules/my-loader/package.json': '{"exports":{".":{"import":"./load.mjs"}}}',
    'node_modules/my-loader/load.mjs': '',
  })
  // In a Node of its own: the test runner's resolves with the import condition anyway.
  const program = `
    import { resolveLoader } from ${JSON.stringify(new URL('../src/launch/loader.ts', import.meta.url).href)}
    console.log(resolveLoader('my-loader', ${JSON.stringify(app.file('src/bin.ts'))}))`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: {}, encoding: 'utf8' })
  expect(said.trim()).toBe(pathToFileURL(app.file('node_modules/my-loader/load.mjs')).href)
})

test('another loader is found from the package of the bin, by its name or its path', async () => {
  await using app = await tempWorkspace({
    'node_modules/my-loader/package.json': '{"exports":"./load.mjs"}',
    'node_modules/my-loader/load.mjs': '',
  })
  const launchWith = (sourceImport: string) =>
    resolveExampleLaunch({ srcBin: app.file('src/bin.ts'), mode: 'src', tsconfigPath: '/t.json', sourceImport }).args[1]
  expect(launchWith('my-loader')).toBe(pathToFileURL(app.file('node_modules/my-loader/load.mjs')).href)
  expect(launchWith(app.file('own.mjs'))).toBe(pathToFileURL(app.file('own.mjs')).href)
  expect(launchWith('tsx/esm')).toMatch(/^file:.*\/tsx\/dist\/esm\/index\.mjs$/)
  expect(() => launchWith('not-there')).toThrow(
    saying(
      `sourceImport must be an installed loader, got "not-there", which is found neither from ${app.file('src/bin.ts')} nor from this package.\n` +
        "Next: install it in the bin's package, or leave sourceImport out for 'tsx'.",
    ),
  )
})
