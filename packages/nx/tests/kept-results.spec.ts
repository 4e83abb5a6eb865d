/** What inference keeps between two calls, and what makes it look again. Whether it did is read from the file that it keeps its results in, which it writes anew then. */
import { mkdir, rm, stat, symlink, utimes } from 'node:fs/promises'
import type { CreateNodesResult } from '@nx/devkit'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createNodes } from '../src/plugin/create-nodes.ts'
import { json } from './scratch.ts'

const KEPT = '.nx/workspace-data/loader-smoke.json'

const files = {
  'tsconfig.base.json': '{}',
  'packages/app/project.json': json({ name: 'app' }),
  'packages/app/smoke.config.mts': `import { label } from './label.mts'
import task from './task.json' with { type: 'json' }
export default { label: label + (process.env.SMOKE_WORD ?? ''), task: task.text, bin: 'src/bin.ts', config: 'cordis.yml' }
`,
  'packages/app/label.mts': "export const label: string = 'one'\n",
  'packages/app/task.json': json({ text: 'Say hello.' }),
  'packages/app/cordis.yml': '- include: ../../shared/base.yml\n',
  'packages/app/src/bin.ts': "import './greeting'\nimport 'linked'\n",
  'packages/app/src/greeting.js': '',
  'packages/target/project.json': json({
    name: 'target',
    targets: { smoke: { executor: '@loader-smoke/nx:smoke', options: { bin: '{projectRoot}/bin.ts' } } },
  }),
  'packages/target/bin.ts': '',
  'packages/linked/index.ts': '',
  'shared/base.yml': '# nothing\n',
}

const inferred = ['packages/app/project.json', 'packages/app/smoke.config.mts', 'packages/target/project.json'] as const

async function infer(workspace: TempWorkspace, nxJson: object = {}): Promise<Map<string, CreateNodesResult>> {
  const context = { workspaceRoot: workspace.path, nxJsonConfiguration: nxJson }
  const results = await createNodes[1]([...inferred], undefined, context)
  // As Nx gets it, which hears of it as JSON.
  return new Map(JSON.parse(JSON.stringify(results)) as [string, CreateNodesResult][])
}

/** The names of what was inferred from the smoke file of `app`. */
function targets(results: Map<string, CreateNodesResult>): string[] {
  return Object.keys(results.get('packages/app/smoke.config.mts')?.projects?.['packages/app']?.targets ?? {})
}

/** The file that results are kept in, as one text for each time that it was written. */
async function written(workspace: TempWorkspace): Promise<string> {
  const { ino, mtimeMs } = await stat(workspace.file(KEPT))
  return `${ino} ${mtimeMs}`
}

/** The files whose results are kept. */
async function keptFiles(workspace: TempWorkspace): Promise<(string | undefined)[]> {
  const { results } = JSON.parse(await workspace.read(KEPT)) as { readonly results: readonly [key: string][] }
  return results.map(([key]) => key.split(' ').at(-1))
}

beforeEach(() => {
  vi.unstubAllEnvs()
  vi.stubEnv('DSH_EXAMPLE_MODE', undefined)
  vi.stubEnv('NX_WORKSPACE_DATA_DIRECTORY', undefined)
  vi.stubEnv('NX_CACHE_PROJECT_GRAPH', undefined)
})

const put = (name: string, content: string) => (workspace: TempWorkspace) => workspace.write(name, content)
const env = (values: Readonly<Record<string, string>>) => () => {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value)
}

describe('a second inference looks nowhere but at what it looked at', () => {
  it.each<[string, (workspace: TempWorkspace) => unknown]>([
    ['nothing', () => {}],
    ['a name of the environment that nobody reads', env({ UNRELATED: 'x' })],
    ['the shell', env({ SHELL: '/bin/zsh', TERM: 'dumb', SHLVL: '7', PWD: '/elsewhere', OLDPWD: '/', _: 'x' })],
    ['a new file at the root', put('notes.txt', '')],
    ['a new file in the project', put('packages/app/src/unread.ts', '')],
    ['a source of an unrelated project', put('packages/unrelated/index.ts', '')],
    ['the time stamps', (w) => utimes(w.file('packages/app/smoke.config.mts'), 1, 1)],
    ['a file rewritten as it was', put('shared/base.yml', files['shared/base.yml'])],
    ['the mode, given as an empty text', env({ DSH_EXAMPLE_MODE: '' })],
  ])('after a change of %s', async (_, change) => {
    await using workspace = await tempWorkspace(files)
    const first = await infer(workspace)
    const before = await written(workspace)
    await change(workspace)
    expect(await infer(workspace)).toEqual(first)
    expect(await written(workspace)).toBe(before)
  })
})

describe('a second inference computes again', () => {
  it.each<[string, (workspace: TempWorkspace) => unknown]>([
    ['the smoke file', put('packages/app/smoke.config.mts', "export default { bin: 'src/bin.ts' }")],
    ['the config', put('packages/app/cordis.yml', '- include: ../../shared/other.yml\n')],
    ['a config that it includes', put('shared/base.yml', '- skills: ../packages\n')],
    ['the bin', put('packages/app/src/bin.ts', "import '../../../shared/x.ts'\n")],
    ['a file that was not there and comes first now', put('packages/app/src/greeting.ts', '')],
    ['the removal of a file', (w) => rm(w.file('packages/app/src/greeting.js'))],
    ['a tsconfig that was not there', put('packages/app/tsconfig.json', json({ extends: '../../shared/x.json' }))],
    ['a manifest that was not there', put('packages/app/package.json', json({ dependencies: { linked: '*' } }))],
    [
      'a link to a package of the workspace',
      async (w) => {
        await mkdir(w.file('node_modules'))
        await symlink('../packages/linked', w.file('node_modules/linked'))
      },
    ],
    ['the mode', env({ DSH_EXAMPLE_MODE: 'lib' })],
    ['the wish of Nx for no cache', env({ NX_CACHE_PROJECT_GRAPH: 'false' })],
    ['the removal of what was kept, as nx reset does', (w) => rm(w.file(KEPT))],
  ])('after a change of %s', async (_, change) => {
    await using workspace = await tempWorkspace(files)
    await infer(workspace)
    const before = await written(workspace)
    await change(workspace)
    const after = await infer(workspace)
    expect(await written(workspace)).not.toBe(before)
    // It is what would be inferred with nothing kept, and is kept in its turn.
    await using fresh = await tempWorkspace({})
    vi.stubEnv('NX_WORKSPACE_DATA_DIRECTORY', fresh.path)
    expect(after).toEqual(await infer(workspace))
  })

  it('after a change of nx.json, and keeps the results for both', async () => {
    await using workspace = await tempWorkspace(files)
    const plain = await infer(workspace)
    const named = await infer(workspace, { namedInputs: { smoke: ['default'] } })
    expect(named).not.toEqual(plain)
    const before = await written(workspace)
    expect(await infer(workspace)).toEqual(plain)
    expect(await infer(workspace, { namedInputs: { smoke: ['default'] } })).toEqual(named)
    expect(await written(workspace)).toBe(before)
  })
})

it('keeps what it can beside a smoke file whose code may depend on anything', async () => {
  await using workspace = await tempWorkspace({
    ...files,
    'packages/app/smoke.config.mts': `import { readdirSync } from 'node:fs'
const [label] = readdirSync(new URL('src', import.meta.url))
export default { label, bin: 'src/bin.ts' }
`,
  })
  await infer(workspace)
  expect(await keptFiles(workspace)).toEqual(['packages/app/project.json', 'packages/target/project.json'])
})

it.each<[string, (workspace: TempWorkspace) => unknown]>([
  ['what it imports', put('packages/app/label.mts', "export const label = 'two'\n")],
  ['data that it imports', put('packages/app/task.json', json({ text: 'Say no.' }))],
  ['a name of the environment that it spells', env({ SMOKE_WORD: 'x' })],
])('keeps nothing of a smoke file that this process has evaluated before a change of %s', async (_, change) => {
  await using workspace = await tempWorkspace(files)
  await infer(workspace)
  await change(workspace)
  await rm(workspace.file(KEPT))
  await infer(workspace)
  expect(await keptFiles(workspace)).toEqual(['packages/app/project.json', 'packages/target/project.json'])
})

it('keeps nothing of a smoke file that is too large to be compared', async () => {
  await using workspace = await tempWorkspace({
    ...files,
    'packages/app/smoke.config.mts': '',
    'packages/target/project.json': json({
      name: 'target',
      targets: { smoke: { executor: '@loader-smoke/nx:smoke', options: { smokeConfig: '{projectRoot}/smokes.json' } } },
    }),
    'packages/target/smokes.json': json({ bin: 'bin.ts' }) + ' '.repeat(2_000_000),
  })
  await infer(workspace)
  expect(await keptFiles(workspace)).toEqual(['packages/app/project.json'])
})

it('sees a second smoke file beside one whose result is kept', async () => {
  await using workspace = await tempWorkspace(files)
  await infer(workspace)
  await workspace.write('packages/app/smoke.config.json', '{}')
  expect(targets(await infer(workspace))).toEqual(['smoke'])
})

it('keeps nothing of a smoke file that can not be used: what mends it may lie anywhere', async () => {
  await using workspace = await tempWorkspace({ ...files, 'packages/app/smoke.config.mts': "import 'not-installed'\n" })
  expect(targets(await infer(workspace))).toEqual(['smoke'])
  await workspace.write('packages/app/smoke.config.mts', files['packages/app/smoke.config.mts'])
  expect(targets(await infer(workspace))).toEqual(['smoke', 'smoke-ci', 'smoke-ci--one'])
})

describe('a kept file does no harm', () => {
  it.each<[string, (text: string) => string]>([
    ['cut short', (text) => text.slice(0, 100)],
    ['empty', () => ''],
    ['no object', () => 'null'],
    ['without its parts', (text) => json({ code: (JSON.parse(text) as { code: string }).code })],
    ['with looks that are not there', (text) => text.replace(/"looks":\[.*?\],"results"/, '"looks":[],"results"')],
    ['of other code', (text) => text.replace(/"code":"[^"]*"/, '"code":"other"').replaceAll('one', 'wrong')],
  ])('that is %s', async (_, damage) => {
    await using workspace = await tempWorkspace(files)
    const first = await infer(workspace)
    const text = await workspace.read(KEPT)
    await workspace.write(KEPT, damage(text))
    expect(await infer(workspace)).toEqual(first)
    expect(await workspace.read(KEPT)).toBe(text)
  })

  it('that can not be written, and leaves no draft', async () => {
    await using workspace = await tempWorkspace({ ...files, '.nx/workspace-data': 'a file' })
    const first = await infer(workspace)
    expect(await infer(workspace)).toEqual(first)
    expect(await workspace.read('.nx/workspace-data')).toBe('a file')
  })

  it('that came with a copy of the workspace', async () => {
    await using workspace = await tempWorkspace(files)
    await using copy = await tempWorkspace({ ...files, 'packages/app/label.mts': "export const label = 'copied'\n" })
    await infer(workspace)
    await copy.write(KEPT, await workspace.read(KEPT))
    expect(targets(await infer(copy))).toContain('smoke-ci--copied')
  })

  it('that several calls write at a time, nor does it grow with what is no longer there', async () => {
    await using workspace = await tempWorkspace(files)
    const first = await infer(workspace)
    await Promise.all(Array.from({ length: 8 }, (_, index) => infer(workspace, { namedInputs: { [index]: [] } })))
    for (let index = 0; index < 8; index++) await infer(workspace, { namedInputs: { [`more${index}`]: [] } })
    const { results } = JSON.parse(await workspace.read(KEPT)) as { readonly results: readonly unknown[] }
    expect(results).toHaveLength(3 * inferred.length)
    expect(await infer(workspace)).toEqual(first)
  })

  it('and holds no value of the environment', async () => {
    await using workspace = await tempWorkspace(files)
    vi.stubEnv('SMOKE_WORD', 'in-plain-sight')
    await workspace.write(
      'packages/app/smoke.config.mts',
      "process.env.SMOKE_WORD\nexport default { bin: 'src/bin.ts' }",
    )
    await infer(workspace)
    const text = await workspace.read(KEPT)
    expect(text).toContain('SMOKE_WORD')
    expect(text).not.toContain('in-plain-sight')
  })
})
