/** Fresh Nx workspaces that have this repository's packages from a registry, as a user has them: with npm, with pnpm, and on the oldest Nx that the plugin allows. */
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteCache } from '@loader-smoke/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registry, startRegistry } from './nx-registry.ts'
import { files, managers, type Workspace, workspaceAt } from './nx-workspace.ts'
import { ROOT } from './packed.ts'

const MINUTES = 60_000
const NEWEST = { nx: '24.0.6' }
/** As the peer range of the plugin says. */
const OLDEST = { nx: '23.3.0', '@nx/devkit': '23.3.0' }
const GENERATE = ['g', '@loader-smoke/nx:configuration', '@fresh/agent']
const RUN = ['run', '@fresh/agent:smoke']
const long = { timeout: 10 * MINUTES }
const REPLAYED = 'read the output from the cache'
let folder: string
let registry: Registry

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'loader-smoke-nx-e2e-')))
  registry = await startRegistry(join(folder, 'registry'), ['turn', 'harness', 'model-replay', 'nx'])
}, 10 * MINUTES)

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A workspace with an agent's package in it, installed and under git. */
async function freshWorkspace(manager: 'npm' | 'pnpm', versions: { readonly nx: string }): Promise<Workspace> {
  const workspace = workspaceAt(
    join(folder, `a wörkspace of ${manager}, ${versions.nx}`),
    managers[manager].exec,
    registry,
  )
  await workspace.write({ ...managers[manager].files(versions), ...files })
  await workspace.must([...managers[manager].install])
  await workspace.must(['git', 'init', '--quiet'])
  await workspace.commit()
  return workspace
}

async function addAndGenerate({ nx, read, changes, commit }: Workspace): Promise<void> {
  await nx(['add', '@loader-smoke/nx'])
  expect(JSON.parse(await read('nx.json')).plugins).toEqual(['@loader-smoke/nx'])
  await commit()
  const dry = await nx([...GENERATE, '--dry-run'])
  expect(dry).toContain('CREATE packages/agent/smoke.config.json')
  expect(await changes()).toBe('')
  await nx(GENERATE)
  await commit()
}

/** Makes the model refuse, sees the smoke fail twice, and takes the change back. */
async function failTwice({ root, tryNx, read, write, must }: Workspace): Promise<void> {
  const script = await read('packages/agent/model-script.yml')
  const refusing = script.replace('text: Hello from the script.', 'error: { status: 401, message: no key }')
  await write({ 'packages/agent/model-script.yml': refusing })
  for (const _ of [1, 2]) {
    const { code, output } = await tryNx(RUN)
    expect({ root, code, output }).toMatchObject({
      code: 1,
      output: expect.stringMatching(/@fresh\/agent root agent failed: /),
    })
  }
  await must(['git', 'checkout', '--quiet', '.'])
}

describe.each(['npm', 'pnpm'] as const)('a fresh Nx workspace with %s', (name) => {
  let workspace: Workspace
  const affected = async () =>
    (await workspace.nx(['show', 'projects', '--affected', '-t', 'smoke', '--base=HEAD'])).trim()

  it('adds the plugin and generates a smoke, a second time without a change', long, async () => {
    workspace = await freshWorkspace(name, NEWEST)
    await addAndGenerate(workspace)
    expect(await workspace.nx(['list', '@loader-smoke/nx'])).toMatch(/configuration[^]*smoke/)
    expect(await workspace.nx(GENERATE)).toContain('packages/agent/smoke.config.json is there and stays as it is.')
    expect(await workspace.changes()).toBe('')
    expect(JSON.parse(await workspace.nx(['show', 'target', '@fresh/agent:smoke', '--json']))).toMatchObject({
      cache: true,
      executor: '@loader-smoke/nx:smoke',
    })
  })

  it('runs it, replays it, and replays no failure', long, async () => {
    expect(await workspace.nx(RUN)).toContain('answer  Hello from the script.')
    expect(await workspace.nx(RUN)).toContain(REPLAYED)
    expect(await workspace.nx(['run', '@fresh/agent:smoke-ci'])).toMatch(/passed in .* \(lib\)/)
    expect(await affected()).toBe('')
    await workspace.write({
      'packages/agent/base.yml': `${await workspace.read('packages/agent/base.yml')}# changed\n`,
    })
    expect(await affected()).toBe('@fresh/agent')
    await failTwice(workspace)
    expect(await workspace.nx(RUN)).toContain(REPLAYED)
  })

  it('shares it through a remote cache, and runs nothing when that is down', long, async () => {
    await using remote = await remoteCache()
    const call = [...RUN, '--task=Say hello, please.']
    expect(await workspace.nx(call, remote.env)).not.toContain('[remote cache]')
    await workspace.must(['git', 'clone', '--quiet', '.', `../klön of ${name}`])
    const clone = workspaceAt(join(folder, `klön of ${name}`), managers[name].exec, registry)
    await clone.must([...managers[name].install])
    const replayed = await clone.nx(call, remote.env)
    expect(replayed).toContain('[remote cache]')
    expect(replayed).toContain('answer  Hello from the script.')
    expect(JSON.parse(await clone.read('packages/agent/.smoke/smoke/report.json'))).toMatchObject({ version: 1 })
    expect(remote.hits()).toBe(1)

    const other = [...RUN, '--task=Say hello again.']
    const down = await clone.tryNx(other, { ...remote.env, NX_SELF_HOSTED_REMOTE_CACHE_SERVER: 'http://127.0.0.1:9' })
    const refused = await clone.tryNx(other, { ...remote.env, NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: 'wrong' })
    expect(down).toMatchObject({ code: 1, output: expect.stringContaining('http://127.0.0.1:9/v1/cache/') })
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('this token is not known') })
    expect(down.output + refused.output).not.toContain('passed in')
    expect(await clone.nx(other)).toContain('passed in')
  })

  it('takes the plugin out again', long, async () => {
    const { plugins: _, ...others } = JSON.parse(await workspace.read('nx.json')) as { plugins: unknown }
    await workspace.write({ 'nx.json': others })
    await workspace.must([...managers[name].remove])
    expect(await workspace.nx(['show', 'project', '@fresh/agent', '--json'])).not.toContain('smoke')
    expect(await workspace.nx(['run', '@fresh/agent:build'])).toContain('Successfully ran target build')
    expect((await workspace.tryNx(RUN)).code).toBe(1)
  })
})

describe('the oldest Nx that the plugin allows', () => {
  it('adds, generates, replays what is unchanged only, builds first in mode lib, and runs batches', long, async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(ROOT, 'packages/nx/package.json'), 'utf8'))
    expect(peerDependencies).toEqual({ nx: `^${OLDEST.nx} || ^24.0.0`, '@nx/devkit': `^${OLDEST.nx} || ^24.0.0` })
    const workspace = await freshWorkspace('pnpm', OLDEST)
    const { nx, read, write } = workspace
    await addAndGenerate(workspace)
    expect(await nx(['--version'])).toContain(`Local: v${OLDEST.nx}`)
    expect(await nx(RUN)).toContain('answer  Hello from the script.')
    expect(await nx(RUN)).toContain(REPLAYED)
    await write({ 'packages/agent/base.yml': `${await read('packages/agent/base.yml')}# changed\n` })
    expect(await nx(RUN)).not.toContain(REPLAYED)
    expect(await nx(RUN, { DSH_EXAMPLE_MODE: 'lib' })).toMatch(/nx run @fresh\/agent:build[^]*passed in .* \(lib\)/)
    await failTwice(workspace)

    const smoke = JSON.parse(await read('packages/agent/smoke.config.json')) as object
    await write({
      'packages/second/package.json': { name: '@fresh/second', private: true },
      'packages/second/smoke.config.json': {
        ...smoke,
        bin: '../agent/src/bin.ts',
        config: '../agent/cordis.yml',
        tsConfig: '../agent/tsconfig.json',
      },
    })
    const batch = await nx(['run-many', '-t', 'smoke', '--batch', '--skip-nx-cache', '--output-style=static'])
    expect(batch).toContain('Running 2 tasks with @loader-smoke/nx:smoke')
    expect(batch.match(/passed in/g)).toHaveLength(2)
  })
})
