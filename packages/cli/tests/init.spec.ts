import { existsSync } from 'node:fs'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { SCRIPTS, TURBO_TASKS, withIgnored, withScripts, withTurboTasks } from '../src/init/edit.ts'
import { call } from './program.ts'

const next =
  'Next: let the bin call runFixtureTurn of @loader-smoke/turn with its last argument, the task; then `npx loader-smoke run`.\n'

describe('init', () => {
  it('writes a config that runs, the scripts, the tasks of turbo and the ignored folder; a second time nothing', async () => {
    await using root = await tempWorkspace({
      'turbo.json': '{\n\t"tasks": {\n\t\t"build": {}\n\t}\n}\n',
      'app/package.json': '{\n    "name": "app",\n    "scripts": {"smoke": "mine"}\n}\n',
      'app/src/main.ts': '',
      'app/cordis.yml': '',
      'app/tsconfig.json': '{}',
    })
    const cwd = root.file('app')
    const first = await call(['init'], { cwd })
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `wrote smoke.config.json\nwrote package.json\nwrote .gitignore\nwrote ../turbo.json\n${next}`,
    })
    expect(JSON.parse(await root.read('app/smoke.config.json'))).toEqual({
      $schema: './node_modules/@loader-smoke/harness/smoke-config.schema.json',
      label: 'app',
      bin: 'src/main.ts',
      config: 'cordis.yml',
      task: 'Say hello.',
    })
    expect(await root.read('app/package.json')).toBe(
      `${JSON.stringify({ name: 'app', scripts: { smoke: 'mine', 'smoke:lib': SCRIPTS['smoke:lib'] } }, null, 4)}\n`,
    )
    expect(await root.read('app/.gitignore')).toBe('.smoke/\n.turbo/\n')
    expect(await root.read('turbo.json')).toBe(
      `${JSON.stringify({ tasks: { build: {}, ...TURBO_TASKS } }, null, '\t')}\n`,
    )
    expect((await call(['list'], { cwd })).stdout).toBe('app  src  smoke.config.json\n')
    const second = await call(['init'], { cwd })
    expect(second.stdout).toBe(`Nothing to write: everything is there.\n${next}`)
  })

  it('names the schema where the harness is installed, and the smoke after the package', async () => {
    await using root = await tempWorkspace({
      'node_modules/@loader-smoke/harness/smoke-config.schema.json': '{}',
      'packages/my agent/package.json': '{"name": "@scope/my-agent"}',
      'packages/my agent/src/main.ts': '',
    })
    await call(['init'], { cwd: root.file('packages/my agent') })
    expect(JSON.parse(await root.read('packages/my agent/smoke.config.json'))).toMatchObject({
      $schema: '../../node_modules/@loader-smoke/harness/smoke-config.schema.json',
      label: 'my-agent',
    })
  })

  it("leaves turbo's logs to a .gitignore that has them already", async () => {
    await using root = await tempWorkspace({
      'turbo.json': '{"tasks": {}}',
      '.gitignore': 'node_modules\n.turbo\n',
      'app/package.json': '{}',
      'app/src/main.ts': '',
    })
    await call(['init'], { cwd: root.file('app') })
    expect(await root.read('app/.gitignore')).toBe('.smoke/\n')
  })

  it('writes nothing with --dry-run, and takes what it is told', async () => {
    await using root = await tempWorkspace({
      'package.json': '{}',
      'bin/start.ts': '',
      'turbo.json': '{ // mine\n"tasks": {} }',
    })
    const { stdout } = await call(['init', '--bin', 'bin/start.ts', '--task', 'Do it.', '--dry-run'], {
      cwd: root.path,
    })
    expect(stdout).toContain(
      'would write smoke.config.json\nwould write package.json\nwould write .gitignore\nturbo.json is no plain JSON, so it stays as it is. Add these tasks: {"transit"',
    )
    expect(existsSync(root.file('smoke.config.json'))).toBe(false)
  })

  it.each([
    [['init'], {}, /has no package\.json\.\nNext: call init in the folder of the package\./],
    [
      ['init'],
      { 'package.json': '{}' },
      /no entry point is in .*: looked for src\/bin\.ts, .*\nNext: name it with --bin/,
    ],
    [['init', '--bin', 'x.ts'], { 'package.json': '{}' }, /--bin must be an existing file, got "x\.ts"/],
  ])('refuses %j in a folder with %j', async (words, files, message) => {
    await using root = await tempWorkspace(files)
    const { code, stderr } = await call(words, { cwd: root.path })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})

describe('the edits', () => {
  it('keep what is there, in its order and indentation', () => {
    expect(withScripts('{\n\t"a": 1\n}')).toBe(`${JSON.stringify({ a: 1, scripts: SCRIPTS }, null, '\t')}\n`)
    expect(withScripts(JSON.stringify({ scripts: { smoke: 'a', 'smoke:lib': 'b' } }))).toBeNull()
    expect(withTurboTasks(JSON.stringify({ tasks: TURBO_TASKS }))).toBeNull()
    expect(withTurboTasks('{}')).toContain('"^transit"')
    expect(withIgnored('lib', ['.smoke', '.turbo'])).toBe('lib\n.smoke/\n.turbo/\n')
    expect(withIgnored('.turbo', ['.smoke', '.turbo'])).toBe('.turbo\n.smoke/\n')
    for (const has of ['.smoke', 'a\n/.smoke/\nb', '.smoke/', '**/.smoke', '.smoke/**\r\n'])
      expect(withIgnored(has, ['.smoke'])).toBeNull()
    expect(withIgnored('# .smoke\n.smoked', ['.smoke'])).toBe('# .smoke\n.smoked\n.smoke/\n')
  })
})
