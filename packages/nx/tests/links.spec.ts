/** Workspaces that are reached through a link, and links in them: whether a smoke ran is read from what its app wrote. */
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'
import { type Scratch, scratch, startNx } from './scratch.ts'

const MINUTES = 60_000

let workspace: Scratch
/** A link to the workspace, beside it. */
let link: string
const beside = (name: string) => join(dirname(workspace.path), name)

beforeAll(async () => {
  workspace = await scratch({ ...app('plain'), ...app('folder'), ...app('file'), ...app('away') })
  link = beside('link')
  await symlink(workspace.path, link, 'dir')
  for (const name of ['plain', 'folder', 'file', 'away']) {
    const bin = `packages/${name}/src/bin.ts`
    const log = JSON.stringify(pathToFileURL(beside('runs.log')).href)
    await workspace.write(bin, (await workspace.read(bin)).replace("'../../../../runs.log'", log))
  }
  await mkdir(workspace.file('shared'))
  await rename(workspace.file('packages/folder/src'), workspace.file('shared/src'))
  await symlink('../../shared/src', workspace.file('packages/folder/src'), 'dir')
  await rename(workspace.file('packages/file/src/greeting.ts'), workspace.file('shared/greeting.ts'))
  await symlink('../../../shared/greeting.ts', workspace.file('packages/file/src/greeting.ts'))
  await rename(workspace.file('packages/away/src'), beside('away'))
  await symlink(beside('away'), workspace.file('packages/away/src'), 'dir')
  // What lies outside finds its packages and the kind of its modules outside, too.
  await mkdir(beside('node_modules/@loader-smoke'), { recursive: true })
  await symlink(workspace.file('packages/turn'), beside('node_modules/@loader-smoke/turn'), 'dir')
  await writeFile(beside('package.json'), '{ "type": "module" }')
}, 2 * MINUTES)

afterAll(() => workspace[Symbol.asyncDispose]())

/** The apps that a call boots, which is made in the link; `env` and `args` beside what every call has. */
async function boots(
  projects: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<string[]> {
  const before = (await workspace.booted()).length
  const call = ['run-many', '-t', 'smoke', '-p', projects, '--output-style=static', ...args]
  const { exitCode, output } = await startNx(link, call, { PWD: link, ...env }, link).ended
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  return (await workspace.booted())
    .slice(before)
    .map(({ app, mode }) => `${app} ${mode}`)
    .toSorted()
}

it(
  'a workspace behind a link has the hits and misses of the workspace, in both modes and in batches',
  { timeout: 5 * MINUTES },
  async () => {
    const root = { NX_WORKSPACE_ROOT_PATH: link }
    expect(await boots('plain')).toEqual(['plain src'])
    expect(await boots('plain', root)).toEqual([])
    expect(await boots('plain', root, ['--batch'])).toEqual([])
    await workspace.write('packages/plain/src/greeting.ts', "export const greeting = 'changed'\n")
    expect(await boots('plain', root, ['--batch'])).toEqual(['plain src'])
    expect(await boots('plain', { ...root, DSH_EXAMPLE_MODE: 'lib' })).toEqual(['plain lib'])
    expect(await boots('plain', { DSH_EXAMPLE_MODE: 'lib' })).toEqual([])
  },
)

it(
  'sources behind links in a project count where they lie, and outside of the workspace in no key',
  { timeout: 5 * MINUTES },
  async () => {
    expect(await boots('folder,file,away')).toEqual(['away src', 'file src', 'folder src'])
    expect(await boots('folder,file,away')).toEqual(['away src'])
    for (const path of [workspace.file('shared/src/greeting.ts'), workspace.file('shared/greeting.ts')])
      await writeFile(path, `${await readFile(path, 'utf8')}// changed\n`)
    expect(await boots('folder,file')).toEqual(['file src', 'folder src'])
  },
)
