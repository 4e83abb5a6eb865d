import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { checkSmokeFile } from '../../src/config/check-smoke-file.ts'
import { toFixtureRun } from '../../src/config/fixture-options.ts'
import { findSmokeFile, loadSmokeFile } from '../../src/config/smoke-file.ts'

const PATH = '/repo/app/smoke.config.json'
const check = (content: unknown) => checkSmokeFile(content, PATH)
const messageOf = (content: unknown) => {
  try {
    check(content)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

const fixtureOf = (options: object) => checkSmokeFile({ bin: 'src/bin.ts', ...options }, PATH).fixtures[0]!
const place = (...files: string[]) => ({
  folder: '/repo/app',
  environment: { MY_FLAG: 'on', OTHER: 'x' },
  exists: (path: string) => files.includes(path),
})

describe('a file with one fixture', () => {
  it('is named after its folder, and its paths start at the file', () => {
    expect(check({ bin: 'src/bin.ts', config: '../shared/cordis.yml', tsConfig: '/elsewhere/tsconfig.json' })).toEqual({
      path: PATH,
      fixtures: [
        {
          label: 'app',
          options: {
            binScript: '/repo/app/src/bin.ts',
            configPath: '/repo/shared/cordis.yml',
            tsconfigPath: '/elsewhere/tsconfig.json',
          },
        },
      ],
    })
  })

  it('takes every option under its own name too, and fills ${configDir} in arguments and environment', () => {
    const given = {
      $schema: './any.json',
      label: 'mine',
      binScript: 'src/bin.ts',
      binArgs: ['${configDir}/data.json', '--fast'],
      env: { DATA: '${configDir}/data', GONE: null },
      model: { script: 'model.yml' },
      sourceImport: './loader.mjs',
      processTimeoutMs: 5_000,
      passEnv: ['MY_FLAG'],
      expect: { output: { pattern: '^hi' }, files: [{ path: 'made.txt', content: 'x' }] },
    }
    expect(check(given).fixtures).toEqual([
      {
        label: 'mine',
        options: {
          label: 'mine',
          binScript: '/repo/app/src/bin.ts',
          binArgs: ['/repo/app/data.json', '--fast'],
          env: { DATA: '/repo/app/data', GONE: null },
          model: { script: '/repo/app/model.yml' },
          sourceImport: '/repo/app/loader.mjs',
          processTimeoutMs: 5_000,
          passEnv: ['MY_FLAG'],
          expect: { output: { pattern: '^hi' }, files: [{ path: 'made.txt', content: 'x' }] },
        },
      },
    ])
  })
})

describe('a file with several fixtures', () => {
  it('gives each what stands beside them, unless the fixture says otherwise; environments are merged by name', () => {
    const { fixtures } = check({
      bin: 'src/bin.ts',
      timeout: 9_000,
      env: { A: '1', B: '1' },
      fixtures: [
        { label: 'one', env: { B: '2' } },
        { label: 'two', binScript: 'src/other.ts', processTimeoutMs: 1 },
      ],
    })
    expect(fixtures.map(({ options }) => options)).toEqual([
      { label: 'one', binScript: '/repo/app/src/bin.ts', processTimeoutMs: 9_000, env: { A: '1', B: '2' } },
      { label: 'two', binScript: '/repo/app/src/other.ts', processTimeoutMs: 1, env: { A: '1', B: '1' } },
    ])
  })
})

it.each([
  [
    [],
    /^\/repo\/app\/smoke\.config\.json: the file must be an object with a fixture, or with fixtures, got an? (?:empty )?list\./,
  ],
  [{}, /: bin must be given, got undefined\.\nNext: name the source file/],
  [
    { bin: 'b.ts', procesTimeoutMs: 3 },
    /: procesTimeoutMs is no option of a smoke, got 3\. Did you mean processTimeoutMs\?\nNext: use one of label, bin, config, /,
  ],
  [{ bin: 'b.ts', confg: 'x' }, /: confg is no option of a smoke, got "x"\. Did you mean config\?/],
  [{ bin: 'b.ts', signal: 'x' }, /: signal is no option of a smoke, got "x"\./],
  [{ bin: 'b.ts', rerun: {} }, /: rerun is no option of a smoke, got an object\./],
  [
    { bin: 'b.ts', binScript: 'b.ts' },
    /: binScript and binScript are two names|: bin and binScript are two names|are two names of one option/,
  ],
  [
    { bin: 'b.ts', timeout: 'soon' },
    /: processTimeoutMs must be an integer from 1 to 2147483647 \(milliseconds\), got soon|got "soon"/,
  ],
  [{ bin: 7 }, /: binScript must be an absolute path, got 7/],
  [{ bin: 'b.ts', mode: 'lbi' }, /: mode must be 'src' or 'lib', got "lbi"/],
  [{ bin: 'b.ts', expect: { outptu: 'x' } }, /: a name in expect must be exitCode, .*got "outptu"/],
  [{ bin: 'b.ts', task: '' }, /: task must be a text that is not empty, got ""/],
  [{ bin: 'b.ts', task: 'x', args: [] }, /: task and args are both given/],
  [{ bin: 'b.ts', model: 'x.yml' }, /: model must be \{ "script": "<file>" \}, got "x\.yml"/],
  [{ bin: 'b.ts', model: { script: 'x', port: 1 } }, /: a name in model must be script, got "port"/],
  [{ bin: 'b.ts', passEnv: ['A=1'] }, /: passEnv must be a list of environment names, got a list/],
  [{ bin: 'b.ts', prepare: 'touch x' }, /: prepare must be a function, got "touch x"/],
  [{ fixtures: [] }, /: fixtures must be a list of at least one fixture, got an? (?:empty )?list/],
  [{ fixtures: [{ bin: 'b.ts' }] }, /: fixtures\[0\]\.label must be given where a file has fixtures/],
  [{ label: 'x', fixtures: [{ label: 'a', bin: 'b.ts' }] }, /: label must be left out beside fixtures, got "x"/],
  [
    { bin: 'b.ts', fixtures: [{ label: 'a' }, { label: 'a' }] },
    /: fixtures\[1\]\.label must be unlike that of fixtures\[0\], got "a"/,
  ],
  [{ bin: 'b.ts', fixtures: [{ label: 'a', graceMs: -1 }] }, /: fixtures\[0\]\.graceMs must be an integer from 0/],
  [
    { bin: 'b.ts', fixtures: [{ label: 'a', lable: 'b' }] },
    /: fixtures\[0\]\.lable is no option of a smoke, got "b"\. Did you mean label\?/,
  ],
])('refuses %j', (content, message) => {
  expect(messageOf(content)).toMatch(message)
})

describe('on the disk', () => {
  it('reads JSON, TypeScript and module TypeScript alike, and again when the file changed', async () => {
    await using folder = await tempWorkspace({
      'json/smoke.config.json': '\uFEFF{"label": "a", "bin": "src/bin.ts"}',
      'ts/package.json': '{"type": "module"}',
      'ts/smoke.config.ts': `const label: string = 'a'\nexport default { label, bin: 'src/bin.ts', expect: { output: /x/i } }`,
      'mts/smoke.config.mts': `export default { label: 'a' as const, bin: 'src/bin.ts' }`,
    })
    for (const kind of ['json', 'ts', 'mts']) {
      const path = findSmokeFile(folder.file(kind)) ?? ''
      const { fixtures } = await loadSmokeFile(path)
      expect(fixtures).toMatchObject([{ label: 'a', options: { binScript: folder.file(kind, 'src/bin.ts') } }])
    }
    await folder.write('mts/smoke.config.mts', `export default { label: 'b', bin: 'src/bin.ts' }`)
    expect((await loadSmokeFile(folder.file('mts/smoke.config.mts'))).fixtures[0]?.label).toBe('b')
  })

  it('says what is wrong with a file that can not be read', async () => {
    await using folder = await tempWorkspace({
      'smoke.config.json': '{"bin": "x",}',
      'none.mts': 'export const x = 1',
      'throws.mts': 'throw new Error("no luck")',
    })
    await expect(loadSmokeFile(folder.file('smoke.config.json'))).rejects.toThrow(
      /smoke\.config\.json is no JSON: .*line 1 column 13/,
    )
    await expect(loadSmokeFile(folder.file('none.mts'))).rejects.toThrow(/none\.mts has no default export/)
    await expect(loadSmokeFile(folder.file('throws.mts'))).rejects.toThrow(/throws\.mts can't be imported: no luck/)
    await expect(loadSmokeFile(folder.file('gone.json'))).rejects.toThrow(/gone\.json can't be read: ENOENT/)
  })

  it('finds none, one, and refuses two', async () => {
    await using folder = await tempWorkspace({
      'one/smoke.config.ts': '',
      'two/smoke.config.ts': '',
      'two/smoke.config.json': '{}',
    })
    expect(findSmokeFile(folder.path)).toBeUndefined()
    expect(findSmokeFile(folder.file('one'))).toBe(folder.file('one/smoke.config.ts'))
    expect(() => findSmokeFile(folder.file('two'))).toThrow(
      /has smoke\.config\.json and smoke\.config\.ts: only one of them can count/,
    )
  })
})

describe('the run of a declared fixture', () => {
  it('has the defaults of a declared smoke, the nearest TypeScript project and the passed environment', () => {
    const fixture = fixtureOf({ config: 'cordis.yml', task: 'Say hi', passEnv: ['MY_FLAG', 'UNSET'], env: { A: '1' } })
    expect(toFixtureRun(fixture, place('/repo/app/cordis.yml', '/repo/tsconfig.base.json'))).toEqual({
      modelScript: null,
      options: {
        label: 'app',
        binScript: '/repo/app/src/bin.ts',
        configPath: '/repo/app/cordis.yml',
        tsconfigPath: '/repo/tsconfig.base.json',
        binArgs: ['/repo/app/cordis.yml', 'Say hi'],
        turn: 'required',
        envMode: 'strict',
        env: { MY_FLAG: 'on', A: '1' },
      },
    })
  })

  it.each([
    [['/repo/app/tsconfig.json', '/repo/tsconfig.base.json'], '/repo/app/tsconfig.json'],
    [['/repo/tsconfig.json', '/repo/tsconfig.base.json'], '/repo/tsconfig.base.json'],
    [['/repo/app/.git', '/repo/tsconfig.json'], undefined],
    [[], undefined],
  ])('takes with %j the project %s', (files, expected) => {
    expect(toFixtureRun(fixtureOf({}), place(...files)).options.tsconfigPath).toBe(expected)
  })

  it('takes what a call says over what the file says', () => {
    const overrides = { mode: 'lib', binArgs: ['a'], processTimeoutMs: 5, keepWorld: 'always' } as const
    const { options } = toFixtureRun(fixtureOf({ task: 'Say hi', mode: 'src', timeout: 9 }), place(), overrides)
    expect(options).toMatchObject(overrides)
  })

  it('refuses a task where the file declares all arguments, and files that are not there', () => {
    expect(() => toFixtureRun(fixtureOf({ args: ['x'] }), place(), { task: 'y' })).toThrow(
      /task is given and app declares args/,
    )
    expect(() => toFixtureRun(fixtureOf({ config: 'cordis.yml' }), place())).toThrow(
      'app: config must be an existing file, got "/repo/app/cordis.yml".\nNext: create it, or correct config.',
    )
    expect(() => toFixtureRun(fixtureOf({ model: { script: 'm.yml' } }), place())).toThrow(
      /model\.script must be an existing file/,
    )
  })
})
