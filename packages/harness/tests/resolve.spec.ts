import { expect, test, vi } from 'vitest'
import { resolve } from '../src/config/resolve.ts'
import { resolveExampleMode } from '../src/config/mode.ts'
import { resolveExampleLaunch } from '../src/launch/example-launch.ts'

const saying = (message: string) => expect.objectContaining({ message })

const options = { label: 'x', binScript: '/p/src/bin.ts', configPath: '/p/cordis.yml', tsconfigPath: '/tsconfig.json' }
const BAD_MODE =
  "Next: set it, or the option mode, to 'src' (TypeScript source) or 'lib' (built output), or leave both unset for 'src'."

test('every default is applied, and the config is the only argument', () => {
  expect(resolve(options, { PATH: '/bin' })).toEqual({
    label: 'x',
    mode: 'src',
    bin: { source: '/p/src/bin.ts', built: null },
    configPath: '/p/cordis.yml',
    args: ['/p/cordis.yml'],
    tsconfigPath: '/tsconfig.json',
    loader: 'tsx',
    world: {
      prefix: 'loader-smoke-',
      parent: null,
      cwd: null,
      homes: { DSH_HOME: '.dsh', DSH_AGENTS_HOME: '.agents' },
      keep: 'never',
    },
    env: { mode: 'inherit', inherited: { PATH: '/bin' }, overrides: {} },
    stdin: null,
    deadlineMs: 30_000,
    graceMs: 2_000,
    maxOutputBytes: 100_000_000,
    containment: null,
    expect: {
      exitCode: 0,
      signal: null,
      turn: 'optional',
      output: [],
      stdout: [],
      stderr: [],
      files: [],
      tools: null,
      maxTokens: null,
      durationMs: null,
      survivors: 'report',
    },
    redact: [],
    services: [],
    onOutput: null,
    prepare: null,
    inspect: null,
    abort: null,
    rerun: null,
  })
})

test('neither the options nor the environment are changed or shared', () => {
  const env = { A: undefined, B: 'b' }
  const given = Object.freeze({ ...options, env: Object.freeze(env), homes: Object.freeze({ CODEX_HOME: '.codex' }) })
  const inherited: Record<string, string> = { PATH: '/bin' }
  const spec = resolve(given, inherited)
  inherited['PATH'] = 'changed later'
  expect(spec.env).toEqual({ mode: 'inherit', inherited: { PATH: '/bin' }, overrides: { A: null, B: 'b' } })
  expect(spec.world.homes).toEqual({ DSH_HOME: '.dsh', DSH_AGENTS_HOME: '.agents', CODEX_HOME: '.codex' })
})

test.each([
  [undefined, {}, 'src'],
  [undefined, { DSH_EXAMPLE_MODE: '' }, 'src'],
  [undefined, { DSH_EXAMPLE_MODE: 'src' }, 'src'],
  [undefined, { DSH_EXAMPLE_MODE: 'lib' }, 'lib'],
  ['src', { DSH_EXAMPLE_MODE: 'lib' }, 'src'],
  ['lib', { DSH_EXAMPLE_MODE: 'nonsense' }, 'lib'],
] as const)('mode %s with environment %j is %s', (mode, environment, expected) => {
  expect(resolve({ ...options, mode }, environment).mode).toBe(expected)
})

const BAD_OPTION =
  "Next: the option mode says so; set it to 'src' (TypeScript source) or 'lib' (built output), or leave it out to let DSH_EXAMPLE_MODE decide."

test.each([
  ['lbi', `DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi".\n`],
  ['LIB', `DSH_EXAMPLE_MODE must be 'src' or 'lib', got "LIB".\n`],
])('mode %s is refused, and what to do next depends on where it came from', (mode, message) => {
  expect(() => resolve({ ...options, mode: mode as 'lib' }, { DSH_EXAMPLE_MODE: 'lib' })).toThrow(
    saying(message + BAD_OPTION),
  )
  expect(() => resolveExampleLaunch({ srcBin: '/p/src/bin.ts', mode: mode as 'lib' })).toThrow(
    saying(message + BAD_OPTION),
  )
  expect(() => resolve(options, { DSH_EXAMPLE_MODE: mode })).toThrow(saying(message + BAD_MODE))
  expect(() => resolveExampleMode(mode)).toThrow(saying(message + BAD_MODE))
})

test.each([
  [null, 'null'],
  [5, '5'],
  [['src'], 'a list'],
])('mode %j, which no environment can hold, is refused too', (mode, shown) => {
  expect(() => resolve({ ...options, mode: mode as never }, {})).toThrow(
    saying(`DSH_EXAMPLE_MODE must be 'src' or 'lib', got ${shown}.\n${BAD_OPTION}`),
  )
})

test('the environment that is handed over decides, not that of this process', () => {
  vi.stubEnv('DSH_EXAMPLE_MODE', 'lib')
  expect(resolve(options, {}).mode).toBe('src')
  vi.unstubAllEnvs()
})

test('source mode without a TypeScript project is refused, built mode does not need one', () => {
  const { tsconfigPath: _, ...rest } = options
  expect(() => resolve(rest, {})).toThrow(
    saying(
      "resolveExampleLaunch: 'src' mode needs tsconfigPath for the workspace paths map.\n" +
        "Next: in code, pass the absolute path of the tsconfig.json whose paths name your workspace packages; where a smoke is declared (tsConfig), add a tsconfig.json beside it. Or run the built output with mode 'lib'.",
    ),
  )
  expect(resolve({ ...rest, mode: 'lib' }, {}).tsconfigPath).toBeNull()
})

test.each([
  [{ expectedExitCode: 7 }, { exitCode: 7, signal: null }],
  [{ expect: { exitCode: 7 } }, { exitCode: 7, signal: null }],
  [
    { expectedExitCode: 7, expect: { exitCode: 7 } },
    { exitCode: 7, signal: null },
  ],
  [{ expectedSignal: 'SIGTERM' }, { exitCode: null, signal: 'SIGTERM' }],
  [{ expect: { signal: 'SIGKILL' } }, { exitCode: null, signal: 'SIGKILL' }],
] as const)('the expected end of %j', (given, expected) => {
  expect(resolve({ ...options, ...given }, {}).expect).toMatchObject(expected)
})

test.each([
  [
    { expectedExitCode: 7, expect: { exitCode: 8 } },
    'expectedExitCode is 7 and expect.exitCode is 8: they must agree.\nNext: take one of the two out.',
  ],
  [
    { expectedExitCode: 0, expectedSignal: 'SIGTERM' },
    'expectedSignal is SIGTERM and expectedExitCode is 0: a run ends by a signal or with an exit code.\nNext: take one of the two out.',
  ],
] as const)('ends that contradict each other are refused: %j', (given, message) => {
  expect(() => resolve({ ...options, ...given }, {})).toThrow(saying(message))
})

test.each([
  [{ turn: 'optional' }, 'optional'],
  [{ turn: 'required' }, 'required'],
  [{ turn: { output: 'x' } }, 'required'],
  [{ expect: { output: 'x' } }, 'required'],
  [{ expect: { tools: ['bash'] } }, 'required'],
  [{ expect: { maxTokens: 9 } }, 'required'],
  [{ expect: { stdout: 'x' } }, 'optional'],
] as const)('%j makes a turn %s: an expectation about it could not fail without one', (given, turn) => {
  expect(resolve({ ...options, ...given }, {}).expect.turn).toBe(turn)
})

test.each([
  ['text', 'some text here', true, '"text"'],
  ['text', 'none', false, '"text"'],
  [/^a+$/, 'aaa', true, '/^a+$/'],
  [/a/g, 'ba', true, '/a/'],
  [{ pattern: '^A', flags: 'i' }, 'abc', true, '/^A/i'],
  [{ pattern: '^A' }, 'abc', false, '/^A/'],
] as const)('%s tried on %j is %s', (match, text, matches, shown) => {
  const [matcher] = resolve({ ...options, expect: { stdout: match } }, {}).expect.stdout
  expect([matcher?.matches(text), matcher?.matches(text), matcher?.shown]).toEqual([matches, matches, shown])
})
