import { existsSync } from 'node:fs'
import { recordSmoke } from '@loader-smoke/harness'
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
  it('is named after its folder, its paths start at the file, and it knows what the file calls each option', () => {
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
          names: new Map([
            ['binScript', { name: 'bin', place: PATH }],
            ['configPath', { name: 'config', place: PATH }],
            ['tsconfigPath', { name: 'tsConfig', place: PATH }],
          ]),
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
    expect(check(given).fixtures).toMatchObject([
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
  [{ bin: 'b.ts', mode: 'lbi' }, /: mode must be 'src' or 'lib', got "lbi"/],
  [{ bin: 'b.ts', task: '' }, /: task must be a text that is not empty, got ""/],
  [
    { bin: 'b.ts', model: 'x.yml' },
    /: model must be \{ "script": "<file>" \} or \{ "recording": "<file>" \}, got "x\.yml"/,
  ],
  [{ bin: 'b.ts', prepare: 'touch x' }, /: prepare must be a function, got "touch x"/],
  [{ fixtures: [] }, /: fixtures must be a list of at least one fixture, got an? (?:empty )?list/],
  [{ fixtures: [{ bin: 'b.ts' }] }, /: fixtures\[0\]\.label must be given where a file has fixtures/],
  [{ label: 'x', fixtures: [{ label: 'a', bin: 'b.ts' }] }, /: label must be left out beside fixtures, got "x"/],
  [
    { bin: 'b.ts', fixtures: [{ label: 'a' }, { label: 'a' }] },
    /: fixtures\[1\]\.label must be unlike that of fixtures\[0\], got "a"/,
  ],
  [
    { bin: 'b.ts', fixtures: [{ label: 'a', lable: 'b' }] },
    /: fixtures\[0\]\.lable is no option of a smoke, got "b"\. Did you mean label\?/,
  ],
])('refuses %j', (content, message) => {
  expect(messageOf(content)).toMatch(message)
})

const MS = 'an integer from 1 to 2147483647 (milliseconds)'
const two = (second: object) => ({ bin: 'b.ts', fixtures: [{ label: 'a' }, { label: 'b', ...second }] })

it.each<[object, string]>([
  [
    { bin: 'b.ts', timeout: 'soon' },
    `timeout must be ${MS}, got "soon".\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    { bin: 'b.ts', processTimeoutMs: 'soon' },
    `processTimeoutMs must be ${MS}, got "soon".\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    two({ timeout: 0 }),
    `fixtures[1].timeout must be ${MS}, got 0.\nNext: give such a number, or leave it out for 30000.`,
  ],
  [{ ...two({}), timeout: 0 }, `timeout must be ${MS}, got 0.\nNext: give such a number, or leave it out for 30000.`],
  [{ bin: 7 }, 'bin must be a path that is not empty, got 7.\nNext: give bin as a text.'],
  [
    two({ expect: { files: [{ path: '../x' }] } }),
    'fixtures[1].expect.files[0].path must be a path relative to the working folder and inside it, got "../x".\nNext: for instance "out.txt".',
  ],
  [
    two({ expect: { outptu: 'x' } }),
    'a name in fixtures[1].expect must be exitCode, signal, output, stdout, stderr, files, tools, maxTokens, durationMs, got "outptu".\nNext: take it out, or correct its name.',
  ],
  [
    two({ args: ['a', 5] }),
    'fixtures[1].args[1] must be a text without NUL, got 5.\nNext: each entry is one argument, unquoted.',
  ],
  [
    { ...two({ env: { A: 'a' } }), env: { PORT: 1 } },
    'env.PORT must be a text without NUL, or null, got 1.\nNext: quote numbers; null takes the name away.',
  ],
  [
    two({ model: { script: 5 } }),
    'fixtures[1].model.script must be a path that is not empty, got 5.\nNext: name the file that the model server answers from, or the recording that it plays.',
  ],
  [
    two({ model: { script: 'x', recording: 'y' } }),
    'fixtures[1].model must be { "script": "<file>" } or { "recording": "<file>" }, not both, got an object.\nNext: take one of them out.',
  ],
  [
    two({ model: { recording: '' } }),
    'fixtures[1].model.recording must be a path that is not empty, got "".\nNext: name the file that the model server answers from, or the recording that it plays.',
  ],
  [
    two({ model: {} }),
    'fixtures[1].model must be { "script": "<file>" } or { "recording": "<file>" }, got an object.\nNext: name the file that the model server answers from, or the recording that it plays.',
  ],
  [
    two({ model: { script: 'x', port: 1 } }),
    'a name in fixtures[1].model must be script or recording, got "port".\nNext: take it out, or correct its name.',
  ],
  [
    two({ passEnv: ['A', 'B=1'] }),
    'fixtures[1].passEnv[1] must be an environment name without \'=\', got "B=1".\nNext: for instance ["MY_FLAG"].',
  ],
  [{ bin: 'b.ts', binScript: 'b.ts' }, 'binScript and bin are two names of one option.\nNext: take one of them out.'],
  [
    { ...two({ task: 'x' }), args: [] },
    'fixtures[1].task and args are both given: a task is appended to the default arguments, args replaces them.\nNext: put the task into args, or take args out.',
  ],
])('names what the file says and the whole path to it: %j', (content, message) => {
  expect(messageOf(content)).toBe(`${PATH}: ${message}`)
})

it('names it still where a run is refused for its files, and for ends that contradict each other', async () => {
  await using folder = await tempWorkspace({
    'smoke.config.json': JSON.stringify({
      mode: 'src',
      fixtures: [
        { label: 'no-bin', bin: 'src/bni.ts' },
        { label: 'no-loader', bin: 'src/bin.ts', sourceImport: 'no-such-loader' },
        { label: 'broken-project', bin: 'src/bin.ts', tsConfig: 'broken.json' },
        { label: 'two-ends', bin: 'src/bin.ts', expectedSignal: 'SIGTERM', expect: { exitCode: 3 } },
      ],
    }),
    'src/bin.ts': '',
    'tsconfig.json': '{}',
    'broken.json': '[]',
  })
  const file = folder.file('smoke.config.json')
  const { fixtures } = await loadSmokeFile(file)
  const refusals = fixtures.map(async (fixture) => {
    const { options, names } = toFixtureRun(fixture, {
      folder: folder.path,
      environment: {},
      exists: (path) => path === folder.file('tsconfig.json'),
    })
    try {
      const { reasons } = await recordSmoke(options, folder.path, names)
      return reasons[0]?.line
    } catch (error) {
      return (error as Error).message
    }
  })
  expect(await Promise.all(refusals)).toEqual([
    `${file}: fixtures[0].bin must be an existing file, got "${folder.file('src/bni.ts')}".\nNext: create it, or correct fixtures[0].bin.`,
    `${file}: fixtures[1].sourceImport must be an installed loader, got "no-such-loader", which is found neither from ${folder.file('src/bin.ts')} nor from this package.\n` +
      "Next: install it in the bin's package, or leave fixtures[1].sourceImport out for 'tsx'.",
    `${file}: fixtures[2].tsConfig must be a file of JSON with comments, got "${folder.file('broken.json')}": it is no object.\nNext: correct that file.`,
    `${file}: fixtures[3].expectedSignal is SIGTERM and ${file}: fixtures[3].expect.exitCode is 3: a run ends by a signal or with an exit code.\nNext: take one of the two out.`,
  ])
})

it('says that the project was found, where nobody wrote it down', async () => {
  await using folder = await tempWorkspace({ 'tsconfig.json': '[]', 'src/bin.ts': '' })
  const { fixtures } = checkSmokeFile({ bin: 'src/bin.ts', mode: 'src' }, folder.file('smoke.config.json'))
  const { options, names } = toFixtureRun(fixtures[0]!, { folder: folder.path, environment: {}, exists: existsSync })
  const { reasons } = await recordSmoke(options, folder.path, names)
  expect(reasons[0]?.line).toBe(
    `the nearest tsConfig must be a file of JSON with comments, got "${folder.file('tsconfig.json')}": it is no object.\nNext: correct that file.`,
  )
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
      model: null,
      names: new Map([...fixture.names, ['tsconfigPath', { name: 'the nearest tsConfig', place: '' }]]),
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
      'task is given and app declares args (/repo/app/smoke.config.json: args): a task is appended to the default arguments, args replaces them.',
    )
    expect(() => toFixtureRun(fixtureOf({ config: 'cordis.yml' }), place())).toThrow(
      '/repo/app/smoke.config.json: config must be an existing file, got "/repo/app/cordis.yml".\nNext: create it, or correct config.',
    )
    expect(() => toFixtureRun(fixtureOf({ model: { script: 'm.yml' } }), place())).toThrow(
      /model\.script must be an existing file/,
    )
    expect(() => toFixtureRun(fixtureOf({ model: { recording: 'm.json' } }), place())).toThrow(
      '/repo/app/smoke.config.json: model.recording must be an existing file, got "/repo/app/m.json".\nNext: create it, or correct model.recording.',
    )
  })

  it('plays a recording and never makes it', () => {
    const fixture = fixtureOf({ model: { recording: '${configDir}/m.json' } })
    expect(toFixtureRun(fixture, place('/repo/app/m.json')).model).toEqual({
      recording: '/repo/app/m.json',
      mode: 'replay',
    })
  })
})
