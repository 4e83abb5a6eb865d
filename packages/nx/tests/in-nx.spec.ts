/** The plugin in a real Nx, in a workspace where it is unbuilt source as in this repository. */
import { readFile, rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { json, scratch } from './scratch.ts'

const daemons = [
  ['off', 'false'],
  ['on', 'true'],
] as const
const LIB = { DSH_EXAMPLE_MODE: 'lib' }

describe('a smoke in Nx', { timeout: 300_000 }, () => {
  it('says what ran and what came of it, and is replayed as a pass', async () => {
    await using workspace = await scratch(app('example'))
    const first = await workspace.nx(['run', 'example:smoke'], { NO_COLOR: '1' })
    expect(first.exitCode).toBe(0)
    const [, said] = /(smoke example:smoke[^]*?)\n\n/.exec(first.output) ?? []
    expect(said?.replace(/[\d.]+ m?s/, '<time>')).toBe(
      [
        'smoke example:smoke',
        '  bin     packages/example/src/bin.ts',
        '  mode    src (TypeScript source)',
        '  config  packages/example/cordis.yml',
        '  task    Say hello.',
        '✔ example:smoke passed in <time> (src)',
        '  answer  hello # hello Say hello.',
        '  tokens  1,200 in, 34 out',
      ].join('\n'),
    )
    const second = await workspace.nx(['run', 'example:smoke'])
    expect(second.output).toContain('read the output from the cache')
    expect(second.output).toContain(said)
    expect(await workspace.boots()).toEqual(['src'])
  })

  it('never replays a failure, and tells its whole reason', async () => {
    await using workspace = await scratch(app('example', { smoke: smokeTarget({ env: { FIXTURE_EXIT: '7' } }) }))
    for (const boots of [1, 2]) {
      const { exitCode, output } = await workspace.nx(['run', 'example:smoke'])
      expect(exitCode).toBe(1)
      expect(output.replace(/[\d.]+ m?s /, '<time> ')).toContain(
        '✖ example:smoke failed in <time> (src)\nexample:smoke exited 7 (expected 0).\nexample:smoke drove no turn (expected one).\nended: exit 7\nstdout: empty\n' +
          'stderr (26 bytes):\n│ the app says why it stops\n',
      )
      expect(output).toMatch(/Run it again: npx nx run example:smoke\n/)
      expect(await workspace.boots()).toHaveLength(boots)
    }
    const designed = await workspace.nx([
      'run',
      'example:smoke',
      '--expectedExitCode=7',
      '--turn=optional',
      '--args={projectRoot}/cordis.yml',
    ])
    expect(designed.output).toContain('  end  exit 7\n')
  })

  describe.each(daemons)('with the daemon %s', (_, NX_DAEMON) => {
    it('builds first exactly in mode lib, and boots what was built', async () => {
      await using workspace = await scratch(app('example'))
      const built = () =>
        readFile(workspace.file('packages/example/lib/bin.js'), 'utf8').then(
          () => true,
          () => false,
        )
      const run = async (target: string, env = {}) => {
        const { exitCode, output } = await workspace.nx(['run', target], { NX_DAEMON, ...env })
        expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
        return /nx run example:build/.test(output)
      }
      expect(await run('example:smoke')).toBe(false)
      expect(await built()).toBe(false)
      expect(await run('example:smoke-ci')).toBe(true)
      expect(await built()).toBe(true)
      expect(await run('example:smoke', LIB)).toBe(true)
      expect(await run('example:smoke', { DSH_EXAMPLE_MODE: '' })).toBe(false)
      expect(await workspace.boots()).toEqual(['src', 'lib', 'lib'])
    })
  })

  it('takes a mode from the command line, and refuses it where nothing is built', async () => {
    await using workspace = await scratch(app('example'))
    const unbuilt = await workspace.nx(['run', 'example:smoke', '--mode=lib'])
    expect(unbuilt.exitCode).toBe(1)
    expect(unbuilt.output).toContain(
      `✖ example:smoke did not run\nexample:smoke has no built entry ${workspace.file('packages/example/lib/bin.js')}\n` +
        'Next: run `nx run example:smoke-ci`, which builds first, or `nx run example:build` and then this again.\n',
    )
    await workspace.nx(['run', 'example:build'])
    for (const boots of [['lib'], ['lib', 'lib']]) {
      // Never replayed: the key of this target holds no built files.
      expect((await workspace.nx(['run', 'example:smoke', '--mode=lib'])).exitCode).toBe(0)
      expect(await workspace.boots()).toEqual(boots)
    }
  })

  it('refuses a word that is no mode before anything starts', async () => {
    await using workspace = await scratch(app('example'))
    const { exitCode, output } = await workspace.nx(['run', 'example:smoke'], { DSH_EXAMPLE_MODE: 'lbi' })
    expect(exitCode).toBe(1)
    expect(output).toContain(`✖ example:smoke did not run\nDSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".\n`)
    expect(await workspace.boots()).toEqual([])
  })

  it("honours the workspace's .env, and refuses a project's .env that comes too late", async () => {
    await using workspace = await scratch(app('example'))
    await workspace.write('.env', 'DSH_EXAMPLE_MODE=lib\n')
    expect((await workspace.nx(['run', 'example:smoke'])).exitCode).toBe(0)
    expect(await workspace.boots()).toEqual(['lib'])
    await rm(workspace.file('.env'))
    await workspace.write('packages/example/.env', 'DSH_EXAMPLE_MODE=lib\n')
    const late = await workspace.nx(['run', 'example:smoke'])
    expect(late.exitCode).toBe(1)
    expect(late.output).toContain("DSH_EXAMPLE_MODE is 'lib' for this task, but Nx planned the task in mode 'src'")
    expect(await workspace.boots()).toEqual(['lib'])
  })

  it('names the file that is missing, and the option that is unknown', async () => {
    await using workspace = await scratch(app('example', { smoke: smokeTarget({ config: 'cordis.yml' }) }))
    const missing = await workspace.nx(['run', 'example:smoke'])
    expect(missing.output).toContain(
      `example:smoke: config must be an existing file, got ${JSON.stringify(workspace.file('cordis.yml'))}.\n` +
        'Next: write it as "{projectRoot}/cordis.yml": paths start at the workspace root.\n',
    )
    const unknown = await workspace.nx(['run', 'example:smoke', '--confg=x'])
    expect(unknown.output).toContain('confg is no option of this executor, got "x". Did you mean config?\n')
    const typed = await workspace.nx(['run', 'example:smoke', '--timeout=abc'])
    expect(typed.output).toContain(
      '✖ example:smoke did not run\n--timeout must be an integer from 1 to 2147483647 (milliseconds), got "abc".\n',
    )
    expect(typed.output).not.toContain('UnhandledPromiseRejection')
    expect([missing.exitCode, unknown.exitCode, typed.exitCode, await workspace.boots()]).toEqual([1, 1, 1, []])
  })
})

describe('a smoke.config in Nx', { timeout: 300_000 }, () => {
  const fixture = { bin: 'src/bin.ts', task: 'hi' }

  it('gives one target for all fixtures, and one for each on built output', async () => {
    const file = {
      ...fixture,
      fixtures: [
        { label: 'one', config: 'cordis.yml' },
        { label: 'second', config: 'two.yml' },
      ],
    }
    await using workspace = await scratch({
      ...app('example', {}),
      'packages/example/smoke.config.json': json(file),
      'packages/example/two.yml': '# second',
    })
    const { output } = await workspace.nx(['show', 'project', 'example', '--json'])
    const { targets, metadata } = JSON.parse(output) as { targets: object; metadata: { targetGroups: object } }
    expect(Object.keys(targets).toSorted()).toEqual(['build', 'smoke', 'smoke-ci', 'smoke-ci--one', 'smoke-ci--second'])
    expect(metadata.targetGroups).toMatchObject({ 'Smoke (CI)': ['smoke-ci', 'smoke-ci--one', 'smoke-ci--second'] })
    const all = await workspace.nx(['run', 'example:smoke'])
    expect(all.output).toContain('  answer  hello # hello hi\n')
    expect(all.output).toContain('  answer  hello # second hi\n')
    expect(all.output).toContain('✔ all 2 smokes passed\n')
    const one = await workspace.nx(['run', 'example:smoke', '--fixture=second', '--task=there'])
    expect(one.output).toContain('  answer  hello # second there\n')
    expect(await workspace.boots()).toEqual(['src', 'src', 'src'])
    const ci = await workspace.nx(['run', 'example:smoke-ci'])
    expect(ci.exitCode).toBe(0)
    expect((await workspace.boots()).slice(3)).toEqual(['lib', 'lib'])
    const other = await workspace.nx(['run', 'example:smoke', '--fixture=secnod'])
    expect(other.output).toContain(
      'has no fixture "secnod". Did you mean second?\nNext: name one of one, second, or leave fixture out to run them all.\n',
    )
  })

  it('may be TypeScript, and a broken one fails its own smoke only', async () => {
    const typed = `const mode: 'src' = 'src'\nexport default ${JSON.stringify({ ...fixture, config: 'cordis.yml' })}\n`
    await using workspace = await scratch({
      ...app('typed', {}),
      ...app('broken', {}),
      'packages/typed/smoke.config.ts': typed,
      'packages/broken/smoke.config.json': json({ bin: 'src/bin.ts', confg: 'x' }),
    })
    const { exitCode, output } = await workspace.nx(['run-many', '-t', 'smoke', '--output-style=static'])
    expect(exitCode).toBe(1)
    expect(output).toContain('✔ typed passed in ')
    expect(output).toContain('✖ broken:smoke did not run\n')
    expect(output).toContain('smoke.config.json: confg is no option of a smoke, got "x". Did you mean config?')
  })
})

describe.each(['false', 'true'])('with NX_DAEMON=%s', (NX_DAEMON) => {
  it.each(['false', 'true'])(
    'and NX_ISOLATE_PLUGINS=%s, build runs exactly in mode lib, switch after switch',
    { timeout: 300_000 },
    async (NX_ISOLATE_PLUGINS) => {
      await using workspace = await scratch(app('example'))
      const modes = [undefined, 'lib', '', 'lib', 'src', 'lib']
      const built: boolean[] = []
      for (const DSH_EXAMPLE_MODE of modes) {
        const { exitCode, output } = await workspace.nx(['run', 'example:smoke'], {
          NX_DAEMON,
          NX_ISOLATE_PLUGINS,
          DSH_EXAMPLE_MODE,
        })
        expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
        built.push(/nx run example:build/.test(output))
      }
      expect(built).toEqual(modes.map((mode) => mode === 'lib'))
      expect(await workspace.boots()).toEqual(['src', 'lib'])
    },
  )
})
