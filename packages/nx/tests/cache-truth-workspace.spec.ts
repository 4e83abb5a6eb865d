/** The part of the cache-truth table that concerns a whole workspace or a single call: environment, command line, lockfile, the plugin itself. One change at a time. */
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { type RemoteCache, remoteCache } from '@loader-smoke/testkit'
import { json, type Scratch, scratch } from './scratch.ts'

const MINUTES = 60_000
const TARGET = smokeTarget({ passEnv: ['WORD'] })

/** One call after the first, and what it must be. */
interface Row {
  readonly change: string
  readonly must: 'hit' | 'miss'
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  /** Where `nx` is called, relative to the workspace. */
  readonly from?: string
  /** File → what is added at its end; a file that isn't there is made. All is as before after the row. */
  readonly add?: Readonly<Record<string, string>>
  readonly edit?: (workspace: Scratch) => Promise<unknown>
  /** The same call again must be a hit: the change is in the key. Default true; false for what is never replayed. */
  readonly settles?: false
}

const lockfile = (versions: Readonly<Record<string, string>>) =>
  json({
    name: 'scratch',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'scratch', workspaces: ['packages/*'] },
      ...Object.fromEntries(
        Object.entries(versions).map(([name, version]) => [
          `node_modules/${name}`,
          { version, integrity: `sha512-${name}${version}` },
        ]),
      ),
    },
  })
const INSTALLED = { tsx: '4.23.15', yaml: '2.9.1', 'left-pad': '1.0.0' }
const relock = (name: string) => (workspace: Scratch) =>
  workspace.write('package-lock.json', lockfile({ ...INSTALLED, [name]: '9.9.9' }))
const source = (path: string) => ({ [path]: '\n// changed\n' })

const rows: readonly Row[] = [
  { change: 'nothing', must: 'hit' },
  { change: 'the root tsconfig', must: 'miss', add: { 'tsconfig.base.json': ' ' } },
  { change: 'a tsconfig beside it that nothing extends', must: 'hit', add: { 'tsconfig.other.json': '{}' } },
  { change: "the plugin's source", must: 'miss', add: source('packages/nx/src/executors/smoke/lines.ts') },
  { change: "the harness' source", must: 'miss', add: source('packages/harness/src/smoke.ts') },
  { change: "the model server's source", must: 'miss', add: source('packages/model-replay/src/index.ts') },
  { change: "the turn's source", must: 'miss', add: source('packages/turn/src/index.ts') },
  { change: 'the version of the loader in the lockfile', must: 'miss', edit: relock('tsx') },
  { change: 'the version of a package that the harness uses', must: 'miss', edit: relock('yaml') },
  { change: 'the version of any other package: an app may load it by name', must: 'miss', edit: relock('left-pad') },
  {
    change: 'the version of Node',
    must: 'miss',
    edit: (workspace) => otherNode(workspace),
    env: { PATH: '<other node>' },
  },
  { change: 'the mode as an empty text', must: 'hit', env: { DSH_EXAMPLE_MODE: '' } },
  { change: 'the mode as src', must: 'hit', env: { DSH_EXAMPLE_MODE: 'src' } },
  { change: 'the mode as lib', must: 'miss', env: { DSH_EXAMPLE_MODE: 'lib' } },
  { change: 'a declared name of the environment', must: 'miss', env: { WORD: 'other ' } },
  { change: 'an undeclared name of the environment', must: 'hit', env: { UNDECLARED: 'x' } },
  { change: 'a key of a model service', must: 'hit', env: { OPENAI_API_KEY: 'sk-x' } },
  { change: 'a proxy', must: 'hit', env: { HTTP_PROXY: 'http://127.0.0.1:9' } },
  { change: 'the time zone', must: 'miss', env: { TZ: 'Asia/Tokyo' } },
  { change: 'the language', must: 'miss', env: { LANG: 'de_DE.UTF-8' } },
  { change: 'CI', must: 'hit', env: { CI: 'true' } },
  { change: 'colours', must: 'hit', env: { NO_COLOR: '1' } },
  { change: 'TMPDIR', must: 'hit', env: { TMPDIR: '<workspace>' } },
  { change: 'HOME', must: 'hit', env: { HOME: '<workspace>' } },
  { change: 'the folder of the call', must: 'hit', from: 'packages/example' },
  { change: 'an undeclared name in the .env of the workspace', must: 'hit', add: { '.env': 'UNDECLARED=x\n' } },
  { change: 'a declared name in the .env of the workspace', must: 'miss', add: { '.env': 'WORD=file\n' } },
  {
    change: 'the mode in the .env of the workspace',
    must: 'miss',
    add: { '.env': 'DSH_EXAMPLE_MODE=lib\nWORD=built \n' },
  },
  {
    change: 'a declared name in the .env of the project',
    must: 'miss',
    add: { 'packages/example/.env': 'WORD=file\n' },
  },
  { change: 'a configuration', must: 'miss', args: ['--configuration=slow'] },
  { change: 'a task on the command line', must: 'miss', args: ['--task=Say no.'] },
  { change: 'a deadline on the command line', must: 'miss', args: ['--processTimeoutMs=29000'] },
  {
    change: 'a config on the command line, which the key does not know',
    must: 'miss',
    args: ['--config={projectRoot}/other.yml'],
    settles: false,
  },
  {
    change: 'arguments on the command line',
    must: 'miss',
    args: ['--args=packages/example/other.yml hi'],
    settles: false,
  },
  { change: 'an unrelated project', must: 'hit', add: { 'packages/unrelated/src/bin.ts': '// changed' } },
  { change: 'the README of the workspace', must: 'hit', add: { 'README.md': 'changed' } },
]

let workspace: Scratch
let cloned: Scratch
let remote: RemoteCache
/** Boots of the first call. */
let first: number

const files = {
  ...app('example', { smoke: { ...TARGET, configurations: { slow: { processTimeoutMs: 60_000 } } } }),
  ...app('unrelated', {}),
  'packages/example/other.yml': '# other\n',
  'package-lock.json': lockfile(INSTALLED),
}

beforeAll(async () => {
  remote = await remoteCache()
  workspace = await scratch(files)
  first = await boots(workspace, {}, remote.env)
  cloned = await scratch(files, 'klon mit Ümlaut', workspace.path)
}, 10 * MINUTES)

afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]()
  await cloned?.[Symbol.asyncDispose]()
  await remote?.[Symbol.asyncDispose]()
})

/** Calls `nx run example:smoke` and gives how often the app was booted by it. */
async function boots(
  where: Scratch,
  { args = [], env = {}, from = '.' }: Omit<Row, 'change' | 'must'>,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  const before = (await where.boots()).length
  const places = { '<other node>': `${where.file('other-node')}:${process.env['PATH']}`, '<workspace>': where.path }
  const filled = Object.entries(env).map(([name, value]) => [name, places[value as keyof typeof places] ?? value])
  const { exitCode, output } = await where.nx(
    ['run', 'example:smoke', ...args],
    { ...Object.fromEntries(filled), ...more },
    from,
  )
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  return (await where.boots()).length - before
}

/** Puts a `node` of another version first on the path: what a key sees of the version comes from there. */
async function otherNode(where: Scratch): Promise<void> {
  await mkdir(where.file('other-node'), { recursive: true })
  await where.write(
    'other-node/node',
    `#!/bin/sh\ncase "$1" in -p) echo v99.0.0linuxx64 ;; *) exec '${process.execPath}' "$@" ;; esac\n`,
  )
  await chmod(where.file('other-node/node'), 0o755)
}

it('the smoke is booted by the first call', () => {
  expect(first).toBe(1)
})

describe.each([
  ['a local cache', () => workspace, () => ({})],
  ['a remote cache, in another clone', () => cloned, () => remote.env],
] as const)('with %s, a smoke', (_, where, env) => {
  it.each(rows.map((row) => [row.must, row.change, row] as const))(
    'is a %s after a change of %s',
    async (must, _change, row) => {
      const place = where()
      const { add = {}, edit } = row
      const touched = [...Object.keys(add), ...(edit === undefined ? [] : ['package-lock.json'])]
      const before = new Map<string, string | undefined>()
      for (const name of touched) before.set(name, await place.read(name).catch(() => undefined))
      for (const [name, text] of Object.entries(add)) await place.write(name, `${before.get(name) ?? ''}${text}`)
      await edit?.(place)
      try {
        const booted = await boots(place, row, env())
        const settled = row.settles === false ? 1 : 0
        // The same again: what missed is in the cache now. Once is enough, and a hit needs no second look.
        const again = must === 'miss' && place === workspace ? await boots(place, row) : settled
        expect({ booted, again }).toEqual({ booted: must === 'hit' ? 0 : 1, again: settled })
      } finally {
        for (const [name, content] of before)
          if (content === undefined) await rm(join(place.path, name))
          else await place.write(name, content)
      }
    },
    2 * MINUTES,
  )
})
