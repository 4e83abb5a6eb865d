/** The program as turbo would start it, in packages whose turbo.json lacks something. */
import { symlink } from 'node:fs/promises'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { SCRIPTS, TURBO_TASKS } from '../../src/init/edit.ts'
import { call } from '../program.ts'

const build = { dependsOn: ['^build'], outputs: ['lib/**'] }

async function repository(tasks: object, more: Readonly<Record<string, string>> = {}): Promise<TempWorkspace> {
  const root = await tempWorkspace({
    'turbo.json': `// what holds for all\n${JSON.stringify({ tasks })}`,
    'tsconfig.base.json': '{}',
    'app/package.json': JSON.stringify({ name: 'app', scripts: SCRIPTS, dependencies: { dep: '1.0.0' } }),
    'app/tsconfig.json': '{"extends": "../tsconfig.base.json"}',
    'app/smoke.config.json': '{"label": "app", "bin": "src/bin.ts", "turn": "optional"}',
    'app/src/bin.ts': '',
    'app/lib/bin.js': '',
    'dep/package.json': '{"name": "dep"}',
    'node_modules/.keep': '',
    ...more,
  })
  await symlink(root.file('dep'), root.file('node_modules/dep'))
  return root
}

async function callIn(root: TempWorkspace, script: keyof typeof SCRIPTS, env: Readonly<Record<string, string>> = {}) {
  const words = SCRIPTS[script].split(' ').slice(1)
  return call(words, { cwd: root.file('app'), env: { TURBO_HASH: 'abc', npm_lifecycle_event: script, ...env } })
}

/** What a refusal names as read. */
function missed(stderr: string) {
  return [...stderr.matchAll(/^Next: (\S+) is (?:read|loaded)/gm)].map(([, path]) => path)
}

describe('under turbo', () => {
  it('what init writes runs', async () => {
    await using root = await repository({ ...TURBO_TASKS, build })
    expect(await callIn(root, 'smoke')).toMatchObject({ code: 0, stderr: '' })
    expect(await callIn(root, 'smoke:lib')).toMatchObject({ code: 0, stderr: '' })
  })

  it('a task that says nothing is told everything it must say, and nothing runs', async () => {
    await using root = await repository({ smoke: {}, build })
    const { code, stdout, stderr } = await callIn(root, 'smoke')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n').map((line) => line.slice(0, 75))).toEqual([
      'loader-smoke: turbo.json does not say all that the task "smoke" depends on:',
      'Next: DSH_EXAMPLE_MODE decides what this task tests, but is not declared: t',
      'Next: tsconfig.base.json is read but is no input, so that a change of it wo',
      'Next: dep is run from source, but a change there is not noticed. Add "trans',
      'Next: the reports in .smoke/src would not come back from the cache. Add ".s',
      '',
    ])
  })

  it('a recording outside of the package must be an input, and what its texts name must not', async () => {
    const smoke = { label: 'app', bin: 'src/bin.ts', turn: 'optional', model: { recording: '../shared/model.json' } }
    const recording = { recording: 1, exchanges: [], note: '../shared/other.yml' }
    await using root = await repository(
      { ...TURBO_TASKS, build },
      {
        'app/smoke.config.json': JSON.stringify(smoke),
        'shared/model.json': JSON.stringify(recording),
        'shared/other.yml': '',
      },
    )
    const { code, stderr } = await callIn(root, 'smoke')
    expect({ code, missed: missed(stderr) }).toEqual({ code: 2, missed: ['shared/model.json'] })
  })

  it('a mode that is fixed needs no variable, one from the environment does', async () => {
    const { env: _, ...lib } = TURBO_TASKS['smoke:lib']
    await using root = await repository({ 'smoke:lib': lib, build })
    expect(await callIn(root, 'smoke:lib')).toMatchObject({ code: 0 })
  })

  it('the task of src refuses to test what was built some time ago', async () => {
    await using root = await repository({ ...TURBO_TASKS, build })
    const { code, stderr } = await callIn(root, 'smoke', { DSH_EXAMPLE_MODE: 'lib' })
    expect(code).toBe(2)
    expect(stderr).toContain('mode is \'lib\', but "smoke" waits for no task that builds')
  })

  it("a package's own turbo.json and tasks named after it count", async () => {
    await using root = await repository(
      { smoke: {}, 'app#smoke': { ...TURBO_TASKS.smoke, env: [] }, transit: TURBO_TASKS.transit, build },
      { 'app/turbo.json': '{"extends": ["//"], "tasks": {"smoke": {"env": ["DSH_EXAMPLE_MODE"]}}}' },
    )
    expect(await callIn(root, 'smoke')).toMatchObject({ code: 0, stderr: '' })
  })

  it('a source, config or link from outside of the package is named, however it is reached', async () => {
    await using root = await repository(
      { ...TURBO_TASKS, build },
      {
        'tsconfig.base.json':
          '{ "compilerOptions": { "paths": { "@mapped": ["./mapped/index.ts"] } }, } // as tsc takes it',
        'app/smoke.config.json': '{"label": "app", "bin": "src/bin.ts", "config": "cordis.yml", "turn": "optional"}',
        'app/cordis.yml':
          '- name: plugin\n- include: ../shared/base.yml\n- root: ../shared/skills\n- text: ask the other one\n',
        'app/src/bin.ts': "import './near.ts'\nimport '@mapped'\nimport 'linked'\n",
        'app/src/near.ts': "import '../../shared/far.js'",
        'shared/far.ts': "import './further.ts'",
        'shared/further.ts': '',
        'shared/base.yml': '',
        'shared/skills/one.md': '',
        'shared/unread.ts': '',
        'mapped/index.ts': '',
      },
    )
    for (const name of ['linked', 'plugin', 'other']) {
      await root.write(`${name}/package.json`, JSON.stringify({ name, exports: './index.js' }))
      await root.write(`${name}/index.js`, '')
      await symlink(root.file(name), root.file(`node_modules/${name}`))
    }
    const { code, stdout, stderr } = await callIn(root, 'smoke')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(missed(stderr).toSorted()).toEqual([
      'linked',
      'mapped/index.ts',
      'plugin',
      'shared/base.yml',
      'shared/far.ts',
      'shared/further.ts',
      'shared/skills/**',
    ])
    expect(stderr).toContain('Add "$TURBO_ROOT$/shared/far.ts" to "inputs" of "smoke".')
  })

  it("what belongs to a dependency's key is not asked for again, over any number of steps", async () => {
    await using root = await repository(
      { ...TURBO_TASKS, build },
      {
        'app/src/bin.ts': "import 'dep'\nimport '../../dep/a.ts'\n",
        'dep/package.json': '{"name": "dep", "exports": "./a.ts", "dependencies": {"deeper": "1"}}',
        'dep/a.ts': "import '../deeper/b.ts'",
        'deeper/package.json': '{"name": "deeper"}',
        'deeper/b.ts': '',
      },
    )
    await symlink(root.file('deeper'), root.file('node_modules/deeper'))
    expect(await callIn(root, 'smoke')).toMatchObject({ code: 0, stderr: '' })
  })

  it('outside of turbo nothing is asked for', async () => {
    await using root = await repository({ smoke: {} })
    expect(await call(['run'], { cwd: root.file('app') })).toMatchObject({ code: 0 })
  })
})
