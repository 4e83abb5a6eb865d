import { rm } from 'node:fs/promises'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { containmentFinding } from '../src/doctor/diagnose.ts'
import { nodeFinding } from '../src/doctor/finding.ts'
import { call, packageWith } from './program.ts'

type Finding = { readonly state: string; readonly about: string; readonly found: string; readonly next?: string }

const findings = async (cwd: string, env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout } = await call(['doctor', '--json'], { cwd, env })
  return { code, found: JSON.parse(stdout) as Finding[] }
}

describe('doctor', () => {
  it('finds nothing wrong with a good project, and says so', async () => {
    await using folder = await packageWith({ good: '' })
    const { code, found } = await findings(folder.path)
    expect(found.filter(({ state }) => state === 'wrong')).toEqual([])
    expect(found.map(({ about }) => about)).toEqual([
      'Node',
      'Containment',
      'Mode',
      'Temporary folder',
      'smoke.config.json',
      'good',
    ])
    expect(code).toBe(0)
    const { stdout } = await call(['doctor'], { cwd: folder.path })
    expect(stdout).toMatch(/✓ Mode {15}src \(DSH_EXAMPLE_MODE is not set\)\n[^]*\nReady to run\.\n$/)
  })

  it("says that turbo's logs must be ignored, and where", async () => {
    await using root = await tempWorkspace({ 'turbo.json': '{"tasks": {}}', 'app/smoke.config.json': '{}' })
    const turbo = async () => (await findings(root.file('app'))).found.find(({ about }) => about === 'turbo')
    expect(await turbo()).toMatchObject({ state: 'note', next: 'add .turbo/ to ../.gitignore.' })
    await root.write('.gitignore', '.turbo\n')
    expect(await turbo()).toEqual({ state: 'good', about: 'turbo', found: root.file('turbo.json') })
  })

  it('names a missing TypeScript project, a missing bin, a missing built file, a wrong mode, a wrong config', async () => {
    await using folder = await packageWith({ good: '' }, { fixture: { good: { tsConfig: 'tsconfig.gone.json' } } })
    const file = folder.file('smoke.config.json')
    expect((await findings(folder.path)).found.at(-1)).toEqual({
      state: 'wrong',
      about: 'good',
      found: `${file}: fixtures[0].tsConfig must be an existing file, got "${folder.file('tsconfig.gone.json')}".`,
      next: 'create it, or correct fixtures[0].tsConfig.',
    })
    await folder.write('smoke.config.json', '{"label": "none", "bin": "src/none.ts"}')
    const missing = await findings(folder.path)
    expect(missing.code).toBe(1)
    expect(missing.found.at(-1)).toEqual({
      state: 'wrong',
      about: 'none',
      found: `${file}: bin must be an existing file, got "${folder.file('src/none.ts')}".`,
      next: 'create it, or correct bin.',
    })
    expect((await findings(folder.path, { DSH_EXAMPLE_MODE: 'lib' })).found.at(-1)).toEqual({
      state: 'wrong',
      about: 'none',
      found: `none has no built entry ${folder.file('lib/none.js')}`,
      next: 'run `npm run build` first.',
    })
    expect((await findings(folder.path, { DSH_EXAMPLE_MODE: 'lbi' })).found).toContainEqual(
      expect.objectContaining({
        state: 'wrong',
        about: 'Mode',
        found: `DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".`,
      }),
    )
    await folder.write('smoke.config.json', '{"label": "none", "bin": "src/none.ts", "tmeout": 1}')
    expect((await findings(folder.path)).found.at(-1)?.found).toMatch(
      /tmeout is no option of a smoke, got 1\. Did you mean timeout\?/,
    )
  })

  it('refuses the TypeScript projects and the models that a run refuses, in its words', async () => {
    await using folder = await packageWith({ good: '' })
    await folder.write('tsconfig.json', '{ "extends": "./gone.json" }')
    expect(await findings(folder.path)).toMatchObject({
      code: 1,
      found: expect.arrayContaining([
        {
          state: 'wrong',
          about: 'good',
          found: `the nearest tsConfig must be a project that can be loaded, got "${folder.file('tsconfig.json')}": File './gone.json' not found.`,
          next: 'correct it there, or install the package that it extends.',
        },
      ]),
    })
    await rm(folder.file('tsconfig.json'))
    expect((await findings(folder.path)).found.at(-1)).toEqual({
      state: 'wrong',
      about: 'good',
      found: `${folder.file('smoke.config.json')}: mode 'src' needs a TypeScript project, and no tsconfig.json is beside the smoke or above it.`,
      next: "add a tsconfig.json ({} is enough), name one elsewhere with tsConfig, or run the built output with mode 'lib'.",
    })
    await folder.write('tsconfig.json', '{}')
    await folder.write('model.yml', 'turns: [{ txet: hello }]')
    await folder.write(
      'smoke.config.json',
      JSON.stringify({ label: 'good', bin: 'src/good.ts', model: { script: 'model.yml' } }),
    )
    const { code, found } = await findings(folder.path)
    expect(code).toBe(1)
    expect(found.at(-1)).toEqual({
      state: 'wrong',
      about: 'good',
      found:
        `${folder.file('smoke.config.json')}: model.script can't be used: model-replay: ${folder.file('model.yml')} can't be used as a script:\n` +
        '  - turns[0] has the unknown key "txet" (did you mean "text"?); allowed: name, expect, text, reasoning, refusal, toolCalls, content, usage, finish, error, fault, headers, delayMs, chunkDelayMs, times, optional.',
    })
  })

  it('says what a machine without perl contains, and how to contain all', () => {
    expect(containmentFinding('group+sweep', 'linux')).toEqual({
      state: 'note',
      about: 'Containment',
      found: 'group+sweep: a process that leaves its group and clears its environment can outlive its bin',
      next: 'install perl (perl-base is enough): with it every process is contained.',
    })
  })

  it('knows which Node is too old', () => {
    expect(['20.20.2', '22.17.9', '23.11.0'].map((version) => nodeFinding(version).state)).toEqual([
      'wrong',
      'wrong',
      'wrong',
    ])
    expect(['22.18.0', '24.0.0', '26.1.0'].map((version) => nodeFinding(version).state)).toEqual([
      'good',
      'good',
      'good',
    ])
    expect(containmentFinding('subreaper', 'linux').state).toBe('good')
    expect(containmentFinding('tree', 'win32')).toEqual({
      state: 'note',
      about: 'Containment',
      found: 'tree: a process whose parent has ended can outlive its bin',
    })
  })
})
