/** Inference in a real Nx, where each call is a process of its own: how often the code of a smoke file ran is read from what it wrote. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app } from './app.ts'
import { json, type Scratch, scratch } from './scratch.ts'

const MINUTES = 60_000

let workspace: Scratch

/** How often the smoke file of `code` was run so far. */
async function evaluations(): Promise<number> {
  const log = await readFile(join(workspace.path, '..', 'evaluated.log'), 'utf8').catch(() => '')
  return log.split('\n').length - 1
}

beforeAll(async () => {
  workspace = await scratch({
    ...app('app'),
    ...app('code', {}),
    'packages/code/label.mts': "export const label = 'first'\n",
    'packages/code/smoke.config.mts': `import { appendFileSync } from 'node:fs'
import { label } from './label.mts'
appendFileSync(new URL('../../../evaluated.log', import.meta.url), \`\${label}\\n\`)
export default { label, bin: 'src/bin.ts', config: 'cordis.yml', task: 'Say hello.' }
`,
  })
}, 2 * MINUTES)

afterAll(() => workspace[Symbol.asyncDispose]())

/** The inferred targets of `code`, and how often its smoke file was run for that. */
async function infer(env: Readonly<Record<string, string>> = {}): Promise<{ targets: string[]; evaluated: number }> {
  const before = await evaluations()
  const { exitCode, output } = await workspace.nx(['show', 'project', 'code', '--json'], env)
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  const { targets } = JSON.parse(output) as { readonly targets: object }
  const smokes = Object.keys(targets).filter((name) => name.startsWith('smoke'))
  return { targets: smokes, evaluated: (await evaluations()) - before }
}

it(
  'runs a smoke file again for a change of it or its imports, and for none of its surroundings',
  { timeout: 5 * MINUTES },
  async () => {
    const first = ['smoke', 'smoke-ci', 'smoke-ci--first']
    expect(await infer()).toEqual({ targets: first, evaluated: 1 })
    expect(await infer({ UNRELATED: 'x', SHELL: '/bin/other', TERM: 'dumb' })).toEqual({ targets: first, evaluated: 0 })
    await workspace.write('packages/code/src/unread.ts', '')
    await workspace.write('notes.txt', '')
    expect(await infer()).toEqual({ targets: first, evaluated: 0 })
    await workspace.write('packages/code/label.mts', "export const label = 'second'\n")
    expect(await infer()).toEqual({ targets: ['smoke', 'smoke-ci', 'smoke-ci--second'], evaluated: 1 })
    expect((await workspace.nx(['reset', '--onlyWorkspaceData'])).exitCode).toBe(0)
    expect(await infer()).toEqual({ targets: ['smoke', 'smoke-ci', 'smoke-ci--second'], evaluated: 1 })
  },
)

it('keeps nothing that a daemon made of code which it had evaluated before', { timeout: 5 * MINUTES }, async () => {
  const daemon = { NX_DAEMON: 'true' }
  await workspace.write('packages/code/label.mts', "export const label = 'third' + (process.env.WORD ?? '')\n")
  await infer(daemon)
  await infer({ ...daemon, WORD: '-word' })
  expect((await infer({ WORD: '-word' })).targets).toEqual(['smoke', 'smoke-ci', 'smoke-ci--third-word'])
  await workspace.write('packages/code/label.mts', "export const label = 'fourth'\n")
  await infer(daemon)
  expect((await infer()).targets).toEqual(['smoke', 'smoke-ci', 'smoke-ci--fourth'])
})

it(
  'leaves the other targets alone when the code of a smoke file hangs, and says so in its own',
  { timeout: 5 * MINUTES },
  async () => {
    const file = 'packages/hangs/smoke.config.mts'
    await workspace.write('packages/hangs/project.json', json({ name: 'hangs' }))
    await workspace.write(
      file,
      "setInterval(() => {}, 1_000)\nawait new Promise(() => {})\nexport default { bin: 'bin.ts' }\n",
    )
    const { exitCode, output } = await workspace.nx(['run-many', '-t', 'smoke', '-p', 'app,hangs'])
    expect(exitCode).toBe(1)
    expect(await workspace.boots()).toEqual(['src'])
    expect(output).toContain(`✖ hangs:smoke did not run
${workspace.file(file)} was not imported within 10 s: it, or what it imports, awaits what never comes, or what takes longer.
Next: take that out; a smoke.config only exports its smokes.
`)
  },
)
