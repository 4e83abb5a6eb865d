import { describe, expect, it } from 'vitest'
import { declaredTargets, projectName } from '../src/plugin/declared-targets.ts'
import {
  type SmokeFileTargets,
  type Surroundings,
  targetGroups,
  targetsFor,
  targetsForFile,
} from '../src/plugin/targets.ts'

const executor = '@loader-smoke/nx:smoke'
const reads = {
  files: ['packages/app/cordis.yml', 'shared/base.yml'],
  folders: ['shared/skills'],
  outside: [],
  ownSources: [],
  passEnv: [],
}

/** Reads that show which options they are of. */
function readingItsBin({ binScript }: Record<string, unknown>) {
  return { ...reads, files: [String(binScript)] }
}

/** What each target depends on. */
function dependsOn(inferred: ReturnType<typeof targetsForFile>) {
  return Object.fromEntries(Object.entries(inferred).map(([name, target]) => [name, target.dependsOn]))
}

const surroundings: Surroundings = {
  project: 'app',
  names: { smoke: 'smoke', ci: 'smoke-ci', build: 'build' },
  environmentMode: null,
  readsOf: () => reads,
  smokesOf: (given) => [given],
  namedInput: null,
  taken: new Set(),
}

/** What is inferred for targets in a project.json. */
function infer(targets: Record<string, unknown>, around: Partial<Surroundings> = {}, nxJson = {}) {
  const { smokes, names: taken } = declaredTargets({ path: 'packages/app/project.json', content: { targets } }, nxJson)
  return Object.assign({}, ...smokes.map((smoke) => targetsFor(smoke, { ...surroundings, taken, ...around })))
}

/** The parts of inferred targets that depend on the mode. */
function modes(inferred: ReturnType<typeof infer>) {
  return Object.fromEntries(
    Object.entries<any>(inferred).map(([name, { dependsOn, options }]) => [name, { dependsOn, ...options }]),
  )
}

const options = { bin: '{projectRoot}/src/bin.ts', config: '{projectRoot}/cordis.yml' }

describe('the targets of a declared smoke', () => {
  it('are itself and its lib twin, whole', () => {
    expect(infer({ smoke: { executor, options } })).toMatchSnapshot()
  })

  it.each<[string, string | null, unknown, unknown]>([
    ['unset', null, undefined, { mode: 'src', inferredMode: 'src' }],
    ['src', 'src', undefined, { mode: 'src', inferredMode: 'src' }],
    ['lib', 'lib', ['build'], { mode: 'lib', inferredMode: 'lib' }],
    ['a word that is no mode', 'lbi', undefined, { mode: 'lbi', inferredMode: 'lbi' }],
  ])('with %s in the environment', (_, environmentMode, dependsOn, inferred) => {
    expect(modes(infer({ smoke: { executor, options } }, { environmentMode }))).toEqual({
      smoke: { dependsOn, ...(inferred as object) },
      'smoke-ci': { dependsOn: ['build'], binScript: options.bin, configPath: options.config, mode: 'lib' },
    })
  })

  it.each(['src', 'lib'])('with mode %s written down are one, whatever the environment says', (mode) => {
    const inferred = modes(infer({ smoke: { executor, options: { ...options, mode } } }, { environmentMode: 'lib' }))
    expect(inferred).toEqual({ smoke: { dependsOn: mode === 'lib' ? ['build'] : undefined } })
  })

  it('keep their own name', () => {
    expect(Object.keys(infer({ 'boot check': { executor, options } }))).toEqual(['boot check', 'boot check-ci'])
  })

  it('leave out a twin whose name is taken', () => {
    const inferred = infer({ smoke: { executor, options }, 'smoke-ci': { executor: 'nx:noop' } })
    expect(Object.keys(inferred)).toEqual(['smoke'])
  })

  it('take a mode from targetDefaults as written down', () => {
    const nxJson = { targetDefaults: { smoke: { options: { mode: 'lib' } } } }
    expect(modes(infer({ smoke: { executor, options } }, {}, nxJson))).toEqual({ smoke: { dependsOn: ['build'] } })
  })

  it('build with the target that the workspace names', () => {
    const inferred = infer(
      { smoke: { executor, options } },
      { names: { smoke: 'smoke', ci: 'smoke-ci', build: 'compile' } },
    )
    expect(inferred['smoke-ci'].dependsOn).toEqual(['compile'])
  })

  it('give the twin their configurations, but for a mode in them', () => {
    const configurations = { slow: { timeout: 60_000 }, lib: { mode: 'lib' } }
    const inferred = infer({ smoke: { executor, options, configurations, defaultConfiguration: 'slow' } })
    expect(inferred['smoke-ci'].configurations).toEqual({ slow: { processTimeoutMs: 60_000 }, lib: {} })
    expect(inferred['smoke-ci'].defaultConfiguration).toBe('slow')
  })

  it('read built files when a configuration may run them', () => {
    const built = { fileset: '{projectRoot}/{lib,dist,build}/**/*', includeIgnored: true }
    const withLib = infer({ smoke: { executor, options, configurations: { lib: { mode: 'lib' } } } })
    expect(withLib.smoke.inputs).toContainEqual(built)
    expect(infer({ smoke: { executor, options } }).smoke.inputs).not.toContainEqual(built)
  })

  it('are not cached with the whole environment in reach', () => {
    expect(infer({ smoke: { executor, options: { ...options, envMode: 'inherit' } } }).smoke.cache).toBe(false)
    expect(infer({ smoke: { executor, options, configurations: { x: { envMode: 'inherit' } } } }).smoke.cache).toBe(
      false,
    )
  })

  it('are cached and keyed by every fixture of a smoke file that they name', () => {
    const fixtures = [
      { binScript: '/w/a.ts', passEnv: ['A'] },
      { binScript: '/w/b.ts', envMode: 'inherit' },
    ]
    const target = { smoke: { executor, options: { smokeConfig: 'smokes/smoke.config.json' } } }
    const { smoke } = infer(target, { readsOf: readingItsBin, smokesOf: () => fixtures })
    expect(smoke.cache).toBe(false)
    const files = (smoke.inputs as { fileset?: string }[]).map(({ fileset }) => fileset)
    expect(files).toEqual(expect.arrayContaining(['{workspaceRoot}//w/a.ts', '{workspaceRoot}//w/b.ts']))
  })

  it('are not cached with a file outside of the workspace', () => {
    const inferred = infer(
      { smoke: { executor, options } },
      { readsOf: () => ({ ...reads, outside: ['/else/where.yml'] }) },
    )
    expect(inferred.smoke.cache).toBe(false)
  })

  it('have the values of passed names in their key', () => {
    const inferred = infer({ smoke: { executor, options } }, { readsOf: () => ({ ...reads, passEnv: ['WORD'] }) })
    expect(inferred.smoke.inputs).toContainEqual({ env: 'WORD' })
  })

  it("take the workspace's own input for sources", () => {
    const { inputs } = infer({ smoke: { executor, options } }, { namedInput: 'smoke' }).smoke
    expect(inputs.slice(0, 3)).toEqual(['smoke', { input: 'smoke', dependencies: true }, '!{projectRoot}/.smoke/**'])
  })
})

describe('the targets of a smoke file', () => {
  const path = '{projectRoot}/smoke.config.json'
  const two: SmokeFileTargets = {
    path,
    fixtures: [
      { label: 'one', options: { binScript: '/w/packages/app/src/bin.ts' } },
      { label: 'a:b', options: { binScript: '/w/packages/app/src/bin.ts', configPath: '/w/packages/app/b.yml' } },
    ],
  }

  it('are one for all, one for CI, and below it one for each fixture, whole', () => {
    expect(targetsForFile(two, surroundings)).toMatchSnapshot()
  })

  it('are grouped', () => {
    expect(targetGroups(targetsForFile(two, surroundings), surroundings.names)).toEqual({
      'Smoke (CI)': ['smoke-ci', 'smoke-ci--one', 'smoke-ci--a-b'],
    })
  })

  it('depend on the build with a fixture that is lib, and follow a mode that is written down', () => {
    const [first] = two.fixtures ?? []
    const fixed = (mode: string) => ({ path, fixtures: [{ label: 'x', options: { ...first?.options, mode } }] })
    const all = [{ params: 'forward', target: 'smoke-ci--x' }]
    expect(dependsOn(targetsForFile(fixed('lib'), surroundings))).toEqual({
      smoke: ['build'],
      'smoke-ci': all,
      'smoke-ci--x': ['build'],
    })
    expect(dependsOn(targetsForFile(fixed('src'), { ...surroundings, environmentMode: 'lib' }))).toEqual({
      smoke: undefined,
      'smoke-ci': all,
      'smoke-ci--x': undefined,
    })
    expect(dependsOn(targetsForFile(two, { ...surroundings, environmentMode: 'lib' }))['smoke']).toEqual(['build'])
  })

  it('are one that fails with the reason for a file that cannot be used', () => {
    const broken = targetsForFile({ path, fixtures: null }, surroundings)
    expect(Object.keys(broken)).toEqual(['smoke'])
    expect(broken['smoke']).toMatchObject({ cache: false, options: { smokeConfig: path } })
  })

  it('leave names alone that the project uses, and take those that the workspace chose', () => {
    const taken = new Set(['smoke'])
    expect(Object.keys(targetsForFile(two, { ...surroundings, taken }))).toEqual([
      'smoke-ci',
      'smoke-ci--one',
      'smoke-ci--a-b',
    ])
    const names = { smoke: 'boot', ci: 'boot-ci', build: 'build' }
    expect(Object.keys(targetsForFile(two, { ...surroundings, names }))).toEqual([
      'boot',
      'boot-ci',
      'boot-ci--one',
      'boot-ci--a-b',
    ])
  })
})

describe('declaredTargets', () => {
  it('finds targets in the nx part of a package.json', () => {
    const content = { name: 'x', nx: { targets: { check: { executor, options } } } }
    const { smokes } = declaredTargets({ path: 'packages/x/package.json', content }, {})
    expect(smokes.map(({ name }) => name)).toEqual(['check'])
  })

  it.each([null, 1, [], {}, { targets: null }, { targets: { a: null, b: 'x', c: { executor: 'other' } } }])(
    'finds none in %j',
    (content) => {
      expect(declaredTargets({ path: 'project.json', content }, {}).smokes).toEqual([])
    },
  )
})

it.each<[string, readonly unknown[]]>([
  ['own', [{ name: 'own' }, { name: '@x/pkg', nx: { name: 'nx' } }]],
  ['nx', [{}, { name: '@x/pkg', nx: { name: 'nx' } }]],
  ['@x/pkg', [null, { name: '@x/pkg' }]],
  ['app', [{ name: '' }, null]],
])('%s is the name of a project with the files %j', (name, files) => {
  expect(projectName(files, 'packages/App')).toBe(name)
})
