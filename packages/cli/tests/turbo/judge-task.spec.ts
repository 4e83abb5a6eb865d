import { describe, expect, it } from 'vitest'
import { TURBO_TASKS } from '../../src/init/edit.ts'
import { matchesEnv, matchesPath } from '../../src/turbo/glob.ts'
import { judgeTask, type Needs, reachOf, type TurboTask } from '../../src/turbo/judge-task.ts'
import { withoutComments } from '../../src/turbo/read-turbo.ts'

const task = (changes: Partial<TurboTask> = {}): TurboTask => ({
  dependsOn: [],
  env: [],
  passThroughEnv: [],
  globalInputs: [],
  cache: true,
  outputs: ['.smoke/**'],
  ...changes,
})
const needs = (changes: Partial<Needs> = {}): Needs => ({
  env: [],
  outside: [],
  inside: [],
  undeclared: [],
  built: false,
  scripts: [],
  workspacePackages: [],
  output: '.smoke',
  ...changes,
})
const nothing = { dependencies: false, build: false, own: [] }

describe('a task is refused', () => {
  it.each([
    [
      'when the mode is not declared',
      task(),
      needs({ env: ['DSH_EXAMPLE_MODE'] }),
      'DSH_EXAMPLE_MODE decides what this task tests, but is not declared: turbo takes it out of the environment. Add "DSH_*" to "env" of "smoke".',
    ],
    [
      'when the mode is only passed through',
      task({ passThroughEnv: ['DSH_*'] }),
      needs({ env: ['DSH_EXAMPLE_MODE'] }),
      'DSH_EXAMPLE_MODE decides what this task tests, but is only in passThroughEnv: its value is not part of the cache key. Add "DSH_*" to "env" of "smoke".',
    ],
    [
      'when a variable of passEnv is not declared',
      task({ env: ['DSH_*'] }),
      needs({ env: ['MY_FLAG'] }),
      'MY_FLAG decides what this task tests, but is not declared: turbo takes it out of the environment. Add "MY_FLAG" to "env" of "smoke".',
    ],
    [
      'when a file of the root is no input',
      task({ inputs: ['$TURBO_DEFAULT$'] }),
      needs({ outside: ['tsconfig.base.json'] }),
      'tsconfig.base.json is read but is no input, so that a change of it would be missed. Add "$TURBO_ROOT$/tsconfig.base.json" to "inputs" of "smoke".',
    ],
    [
      'when its inputs leave out a file of the package',
      task({ inputs: ['src/**'] }),
      needs({ inside: ['src/bin.ts', 'cordis.yml'] }),
      'cordis.yml is read but is no input, so that a change of it would be missed. Add "$TURBO_DEFAULT$" to "inputs" of "smoke".',
    ],
    [
      'when a package that it loads is not declared',
      task({ inputs: ['$TURBO_DEFAULT$'] }),
      needs({ undeclared: [{ name: 'lib1', folder: 'packages/lib1' }] }),
      'lib1 is loaded from packages/lib1 through a link that package.json does not declare, so that a change there would be missed. Add "lib1" to "dependencies" of package.json, or "$TURBO_ROOT$/packages/lib1/**" to "inputs" of "smoke".',
    ],
    [
      'when the source of a dependency is not part of its key',
      task(),
      needs({ workspacePackages: ['@app/dep'] }),
      '@app/dep is run from source, but a change there is not noticed. Add "transit": { "dependsOn": ["^transit"] } to the tasks, and "transit" to "dependsOn" of "smoke".',
    ],
    [
      'when it runs built files and nothing builds them',
      task(),
      needs({ built: true }),
      `mode is 'lib', but "smoke" waits for no task that builds: it would test whatever was built last. Run \`turbo run smoke:lib\`, or add "build" to "dependsOn" of "smoke".`,
    ],
    [
      'when its reports would not come back from the cache',
      task({ outputs: ['dist/**'] }),
      needs({ output: '.smoke/src' }),
      'the reports in .smoke/src would not come back from the cache. Add ".smoke/src/**" to "outputs" of "smoke".',
    ],
  ])('%s', (_, given, wanted, problem) => {
    expect(judgeTask('smoke', given, wanted, nothing)).toEqual([problem])
  })
})

it.each([
  [
    [],
    ['build'],
    'package.json has no script of that name: nothing builds what it would test. Add "build" to "scripts"',
  ],
  [['build'], ['build'], '"build", which has no "outputs" in turbo.json'],
  [['compile'], ['transit', 'compile'], '"compile", which has no "outputs" in turbo.json'],
  [['build'], ['transit'], 'add "build" to "dependsOn"'],
])('with the scripts %j and a wait for %j, it is told what is missing for built files', (scripts, own, problem) => {
  const told = judgeTask('smoke:lib', task(), needs({ built: true, scripts }), { ...nothing, own })
  expect(told).toEqual([expect.stringContaining(problem)])
})

describe('a task is taken', () => {
  it('when it says what init writes', () => {
    const tasks = { ...TURBO_TASKS, build: { dependsOn: ['^build'], outputs: ['lib/**'] } }
    for (const name of ['smoke', 'smoke:lib'] as const) {
      const built = name === 'smoke:lib'
      const all = needs({
        env: ['DSH_EXAMPLE_MODE'],
        outside: ['tsconfig.base.json'],
        inside: ['src/bin.ts', 'smoke.config.json'],
        built,
        workspacePackages: ['dep'],
        output: built ? '.smoke/lib' : '.smoke/src',
      })
      expect(judgeTask(name, task(tasks[name] as Partial<TurboTask>), all, reachOf(name, tasks))).toEqual([])
    }
  })

  it('when it is not cached: then its key does not matter, but what it tests does', () => {
    const all = needs({ env: ['DSH_EXAMPLE_MODE'], outside: ['x'], workspacePackages: ['dep'] })
    expect(judgeTask('smoke', task({ cache: false }), all, nothing)).toEqual([])
    expect(judgeTask('smoke', task({ cache: false }), needs({ built: true }), nothing)).toHaveLength(1)
  })

  it('when its inputs hold a package that is not declared, and all of a folder', () => {
    const given = task({ inputs: ['$TURBO_DEFAULT$', '$TURBO_ROOT$/lib1/**', '$TURBO_ROOT$/shared/**'] })
    const all = needs({ undeclared: [{ name: 'lib1', folder: 'lib1' }], outside: ['shared/a.ts', 'shared/skills/**'] })
    expect(judgeTask('smoke', given, all, nothing)).toEqual([])
  })

  it('when globals say it', () => {
    const given = task({ env: ['DSH_EXAMPLE_MODE'], globalInputs: ['tsconfig.*'] })
    expect(
      judgeTask('smoke', given, needs({ env: ['DSH_EXAMPLE_MODE'], outside: ['tsconfig.base.json'] }), nothing),
    ).toEqual([])
  })
})

it.each([
  [{ smoke: {} }, { dependencies: false, build: false, own: [] }],
  [
    { smoke: { dependsOn: ['transit'] }, transit: { dependsOn: ['^transit'] } },
    { dependencies: true, build: false, own: ['transit'] },
  ],
  [
    { smoke: { dependsOn: ['build'] }, build: { outputs: ['lib/**'] } },
    { dependencies: false, build: true, own: ['build'] },
  ],
  [
    { smoke: { dependsOn: ['a'] }, a: { dependsOn: ['b'] }, b: { dependsOn: ['a', 'smoke'] } },
    { dependencies: false, build: false, own: ['a', 'b', 'smoke'] },
  ],
])('of %j a task reaches %j', (tasks, reach) => {
  expect(reachOf('smoke', tasks)).toEqual(reach)
})

it.each([
  ['DSH_EXAMPLE_MODE', ['DSH_*'], true],
  ['DSH_EXAMPLE_MODE', ['*_MODE'], true],
  ['DSH_EXAMPLE_MODE', ['DSH_*', '!DSH_EXAMPLE_*'], false],
  ['DSH_EXAMPLE_MODE', ['DSH'], false],
  ['A.B', ['A?B'], false],
])('the name %s and %j: %s', (name, patterns, expected) => {
  expect(matchesEnv(name, patterns)).toBe(expected)
})

it.each([
  ['$TURBO_ROOT$/tsconfig.base.json', ['$TURBO_ROOT$/tsconfig*.json'], true],
  ['$TURBO_ROOT$/tsconfig.base.json', ['$TURBO_ROOT$/*'], true],
  ['$TURBO_ROOT$/a/b.json', ['$TURBO_ROOT$/*'], false],
  ['$TURBO_ROOT$/a/b.json', ['$TURBO_ROOT$/**'], true],
  ['a/b/c.ts', ['**/*.{ts,tsx}'], true],
  ['c.ts', ['**/*.ts'], true],
  ['c.ts', ['**', '!*.ts'], false],
  ['.smoke/src/report.json', ['.smoke/**'], true],
])('the path %s and %j: %s', (path, patterns, expected) => {
  expect(matchesPath(path, patterns)).toBe(expected)
})

it('reads JSON with comments as turbo does', () => {
  const text = '{\n  // a comment with "quotes", and /* more\n  "a": "http://x, }", /* "b": 1, */\n  "c": [1, 2,],\n}'
  expect(JSON.parse(withoutComments(text))).toEqual({ a: 'http://x, }', c: [1, 2] })
})
