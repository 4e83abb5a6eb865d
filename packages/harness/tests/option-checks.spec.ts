import { expect, test } from 'vitest'
import { checkOptions } from '../src/config/check.ts'
import { maxExitCode } from '../src/config/exit-code.ts'
import { OptionError } from '../src/config/option-error.ts'
import { type ExampleLaunchOptions, resolveExampleLaunch } from '../src/launch/example-launch.ts'

const required = { label: 'x', binScript: '/p/src/bin.ts' }

function messageOf(check: () => void): string {
  try {
    check()
    return 'accepted'
  } catch (error) {
    return error instanceof OptionError ? error.message : `no OptionError: ${String(error)}`
  }
}

const messageFor = (options: Record<string, unknown>) => messageOf(() => checkOptions({ ...required, ...options }))

const INTEGER_MS = 'an integer from 1 to 2147483647 (milliseconds)'
const LINE = 'a text of one line that is not empty'

test.each<[Record<string, unknown>, string]>([
  [{ label: '' }, `label must be ${LINE}, got "".\nNext: give label such a text.`],
  [{ label: ' ' }, `label must be ${LINE}, got " ".\nNext: give label such a text.`],
  [{ label: 'a\nb' }, `label must be ${LINE}, got "a\\nb".\nNext: give label such a text.`],
  [
    { label: undefined },
    'label must be given, got undefined.\nNext: pass label: The name under which the fixture is reported.',
  ],
  [
    { binScript: 'src/bin.ts' },
    'binScript must be an absolute path, got "src/bin.ts".\nNext: make it absolute, for instance with fileURLToPath(new URL(…, import.meta.url)).',
  ],
  [{ binScript: '/a\0b' }, 'binScript must be a path without NUL, got "/a\\u0000b".\nNext: take that character out.'],
  [
    { tempDirPrefix: 'a/b' },
    'tempDirPrefix must be without a path separator (/ or \\), got "a/b".\nNext: give the beginning of a name only; tempDirParent sets the folder.',
  ],
  [
    { tempDirPrefix: 'a\\b' },
    'tempDirPrefix must be without a path separator (/ or \\), got "a\\\\b".\nNext: give the beginning of a name only; tempDirParent sets the folder.',
  ],
  [
    { processTimeoutMs: 0 },
    `processTimeoutMs must be ${INTEGER_MS}, got 0.\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    { processTimeoutMs: 2_147_483_648 },
    `processTimeoutMs must be ${INTEGER_MS}, got 2147483648.\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    { processTimeoutMs: Number.NaN },
    `processTimeoutMs must be ${INTEGER_MS}, got NaN.\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    { processTimeoutMs: '30' },
    `processTimeoutMs must be ${INTEGER_MS}, got "30".\nNext: give such a number, or leave it out for 30000.`,
  ],
  [
    { graceMs: -1 },
    'graceMs must be an integer from 0 to 2147483647 (milliseconds), got -1.\nNext: give such a number, or leave it out for 2000.',
  ],
  [
    { maxOutputBytes: 1.5 },
    'maxOutputBytes must be an integer from 1 to 9007199254740991 (bytes), got 1.5.\nNext: give such a number, or leave it out for 100000000.',
  ],
  [
    { expectedExitCode: -1 },
    `expectedExitCode must be an integer from 0 to ${maxExitCode()}, got -1.\nNext: give such a number.`,
  ],
  [
    { expectedExitCode: maxExitCode() + 1 },
    `expectedExitCode must be an integer from 0 to ${maxExitCode()}, got ${maxExitCode() + 1}.\nNext: give such a number.`,
  ],
  [
    { expect: { exitCode: maxExitCode() + 1 } },
    `expect.exitCode must be an integer from 0 to ${maxExitCode()}, got ${maxExitCode() + 1}.\nNext: give such a number.`,
  ],
  [
    { expectedSignal: 'TERM' },
    'expectedSignal must be the name of a signal of this platform, such as \'SIGTERM\', got "TERM".\nNext: give such a name.',
  ],
  [
    { keepWorld: 'maybe' },
    "keepWorld must be 'never' or 'on-failure' or 'always', got \"maybe\".\nNext: give one of these, or leave it out.",
  ],
  [{ binArgs: 'a b' }, 'binArgs must be a list of texts, got "a b".\nNext: give a list; each entry is one argument.'],
  [{ binArgs: ['a', 1] }, 'binArgs[1] must be a text without NUL, got 1.\nNext: each entry is one argument, unquoted.'],
  [
    { env: { PORT: 3000 } },
    'env.PORT must be a text without NUL, or null, got 3000.\nNext: quote numbers; null takes the name away.',
  ],
  [
    { env: { 'A=B': 'c' } },
    'a name in env must be an environment name without \'=\', got "A=B".\nNext: give the name alone.',
  ],
  [
    { homes: { CODEX_HOME: '../out' } },
    'homes.CODEX_HOME must be a relative folder inside the world, got "../out".\nNext: for instance ".codex-home".',
  ],
  [
    { homes: { CODEX_HOME: '/tmp/x' } },
    'homes.CODEX_HOME must be a relative folder inside the world, got "/tmp/x".\nNext: for instance ".codex-home".',
  ],
  [{ stdin: 5 }, 'stdin must be a text or bytes, got 5.\nNext: leave it out to close standard input at once.'],
  [
    { turn: 'yes' },
    "turn must be 'required', 'optional' or { output }, got \"yes\".\nNext: give one of these, or leave it out.",
  ],
  [
    { turn: { output: '' } },
    'turn.output must be a text that is not empty, a RegExp, or { pattern, flags }, got "".\nNext: a text must be contained; for the whole text use a pattern with ^ and $.',
  ],
  [{ turn: {} }, "turn.output must be given, got undefined.\nNext: for any answer give turn: 'required'."],
  [
    { turn: { output: undefined } },
    "turn.output must be given, got undefined.\nNext: for any answer give turn: 'required'.",
  ],
  [{ turn: { ouput: 'x' } }, 'a name in turn must be output, got "ouput".\nNext: take it out, or correct its name.'],
  [
    { expect: { stdout: { pattern: '(' } } },
    'expect.stdout.pattern must be a regular expression, got "(".\nNext: Invalid regular expression: /(/: Unterminated group.',
  ],
  [
    { expect: { files: [{ path: '../x' }] } },
    'expect.files[0].path must be a path relative to the working folder and inside it, got "../x".\nNext: for instance "out.txt".',
  ],
  [
    { expect: { files: [{ path: 'x', present: false, content: 'y' }] } },
    'expect.files[0].content must be left out for a file that must be absent, got "y".\nNext: take one of the two out.',
  ],
  [
    { expect: { tools: [] } },
    'expect.tools must be a list of tool names that is not empty, or { called, inOrder }, got an empty list.\nNext: name the tools.',
  ],
  [
    { expect: { tools: { called: 'bash' } } },
    'expect.tools.called must be a list of tool names that is not empty, got "bash".\nNext: name the tools.',
  ],
  [
    { expect: { tools: ['bash', 5] } },
    'expect.tools[1] must be the name of a tool, got 5.\nNext: name the tool as the model calls it.',
  ],
  [
    { expect: { tools: { called: [''] } } },
    'expect.tools.called[0] must be the name of a tool, got "".\nNext: name the tool as the model calls it.',
  ],
  [
    { expect: { tools: { called: ['bash'], inOrder: 'yes' } } },
    'expect.tools.inOrder must be true or false, got "yes".\nNext: leave it out for false.',
  ],
  [
    { expect: { maxToken: 5 } },
    'a name in expect must be exitCode, signal, output, stdout, stderr, files, tools, maxTokens, durationMs, got "maxToken".\nNext: take it out, or correct its name.',
  ],
  [{ redact: 'x' }, 'redact must be a list of texts and patterns, got "x".\nNext: give a list, even of one entry.'],
  [
    { signal: 'SIGTERM' },
    'signal must be an AbortSignal, got "SIGTERM".\nNext: pass a controller\'s signal; for an expected signal see expectedSignal.',
  ],
  [{ inspect: 'x' }, 'inspect must be a function, got "x".\nNext: pass inspect(cwd).'],
  [
    { services: [{ start() {} }, {}] },
    'services[1] must be { start(world) }, got an object.\nNext: each start gives { env?, stop, report? }.',
  ],
  [
    { services: { start() {} } },
    'services must be a list of { start(world) }, got an object.\nNext: each start gives { env?, stop, report? }.',
  ],
  [
    { rerun: { argv: [] } },
    'rerun.argv must be a list of at least one text, got an empty list.\nNext: give the command unquoted, its program first.',
  ],
  [
    { rerun: 'npm test' },
    'rerun must be { argv, env? } with a list in argv, got "npm test".\nNext: give the command unquoted, its program first.',
  ],
  [
    { rerun: { argv: ['npm', 5] } },
    'rerun.argv[1] must be a text without NUL, got 5.\nNext: each entry is one argument, unquoted.',
  ],
  [{ rerun: { argv: ['npm'], env: { PORT: 1 } } }, 'rerun.env.PORT must be a text, got 1.\nNext: quote numbers.'],
  [
    { binScript: new URL('file:///p/src/bin.ts') },
    'binScript must be a path and no URL, got a URL.\nNext: turn it into a path with fileURLToPath(…).',
  ],
  [
    { binScript: 'file:///p/src/bin.ts' },
    'binScript must be a path and no URL, got "file:///p/src/bin.ts".\nNext: turn it into a path with fileURLToPath(…).',
  ],
  [
    { tsconfigPath: Buffer.from('/p') },
    'tsconfigPath must be a path that is not empty, got bytes.\nNext: give tsconfigPath as a text.',
  ],
  [{ configPath: '' }, 'configPath must be a path that is not empty, got "".\nNext: give configPath as a text.'],
  [
    // oxlint-disable-next-line no-sparse-arrays -- a caller's mistake is what is tried
    { binArgs: ['a', , 'b'] },
    'binArgs[1] must be a text without NUL, got undefined.\nNext: each entry is one argument, unquoted.',
  ],
  [
    { env: new Map([['A', 'a']]) },
    'env must be an object of names and values, got a Map.\nNext: give { NAME: value }.',
  ],
  [
    { homes: new Map([['A', 'a']]) },
    'homes must be an object of names and values, got a Map.\nNext: give { NAME: value }.',
  ],
  [
    { homes: { CODEX_HOME: 'C:\\x' } },
    'homes.CODEX_HOME must be a relative folder inside the world, got "C:\\\\x".\nNext: for instance ".codex-home".',
  ],
  [
    { homes: { CODEX_HOME: '..\\x' } },
    'homes.CODEX_HOME must be a relative folder inside the world, got "..\\\\x".\nNext: for instance ".codex-home".',
  ],
  ...['C:\\x', 'a\0b', '/x', ''].map((path): [Record<string, unknown>, string] => [
    { expect: { files: [{ path }] } },
    `expect.files[0].path must be a path relative to the working folder and inside it, got ${JSON.stringify(path)}.\nNext: for instance "out.txt".`,
  ]),
  [
    { expect: { files: [] } },
    'expect.files must be a list that is not empty, got an empty list.\nNext: leave it out to expect nothing.',
  ],
  [
    { expect: { stdout: [] } },
    'expect.stdout must be a list that is not empty, got an empty list.\nNext: leave it out to expect nothing.',
  ],
  [
    { expect: { stdout: { pattern: 'a', flags: 'zz' } } },
    'expect.stdout.flags must be flags of a regular expression, got "zz".\nNext: for instance "i".',
  ],
  [
    { expect: { stdout: { pattern: 'a', flags: 5 } } },
    'expect.stdout.flags must be flags of a regular expression, got 5.\nNext: for instance "i".',
  ],
  [
    { expect: { stdout: { pattern: '' } } },
    'expect.stdout.pattern must be a pattern that is not empty, got "".\nNext: a text must be contained; for the whole text use a pattern with ^ and $.',
  ],
  [
    { redact: [new RegExp('')] },
    'redact[0] must be a pattern that is not empty, got /(?:)/.\nNext: a text must be contained; for the whole text use a pattern with ^ and $.',
  ],
  [
    { containment: 'none' },
    "containment must be 'subreaper' or 'group+sweep' or 'group' or 'tree', got \"none\".\nNext: give one of these, or leave it out.",
  ],
])('names the option, the value and what is allowed: %j', (options, message) => {
  expect(messageFor(options)).toBe(message)
})

test('a bigint is shown as one', () => {
  expect(messageFor({ processTimeoutMs: 10n })).toBe(
    `processTimeoutMs must be ${INTEGER_MS}, got 10n.\nNext: give such a number, or leave it out for 30000.`,
  )
})

test.each<Record<string, unknown>>([
  { configPath: 'made-by-prepare.yml' },
  { env: { A: undefined, B: null, C: 'c' }, homes: { CODEX_HOME: '.codex' } },
  { expectedExitCode: maxExitCode(), expect: { exitCode: maxExitCode() } },
  { stdin: new Uint8Array([1]), graceMs: 0, maxOutputBytes: 1 },
  {
    turn: { output: /a/ },
    expect: { output: { pattern: 'a', flags: 'i' }, stdout: ['x', /y/], tools: { called: ['bash'] } },
  },
  { libBinScript: undefined, namedByNobody: undefined },
])('accepts %j', (options) => {
  expect(messageFor(options)).toBe('accepted')
})

test.each([
  ['linux', 255],
  ['darwin', 255],
  ['freebsd', 255],
  ['win32', 4_294_967_295],
] as const)('a process of %s ends with %i at most', (platform, code) => {
  expect(maxExitCode(platform)).toBe(code)
})

test.each<[unknown, string]>([
  [undefined, 'undefined'],
  [null, 'null'],
  [5, '5'],
  ['x', '"x"'],
  [[required], 'a list'],
  [() => required, 'a function'],
])('options that are no object are told as such: %j', (given, shown) => {
  expect(messageOf(() => checkOptions(given))).toBe(
    `options must be an object, got ${shown}.\nNext: call it with { label, binScript, … }.`,
  )
  expect(messageOf(() => resolveExampleLaunch(given as ExampleLaunchOptions))).toBe(
    `options must be an object, got ${shown}.\nNext: call it with { srcBin, libBin, … }.`,
  )
})

const CORRECT = 'Next: correct its name, or take it out.'
const DECLARED = 'where a smoke is declared (smoke.config, a target)'

test.each<[Record<string, unknown>, string]>([
  [{ expext: { stdout: 'nope' } }, `"expext" is no option of a smoke. Did you mean expect?\n${CORRECT}`],
  [{ turns: 'required' }, `"turns" is no option of a smoke. Did you mean turn?\n${CORRECT}`],
  [{ expectedExitcode: 7 }, `"expectedExitcode" is no option of a smoke. Did you mean expectedExitCode?\n${CORRECT}`],
  [
    { timeout: 4 },
    `"timeout" is no option of a smoke.\nNext: in code, give processTimeoutMs; timeout is its name ${DECLARED}.`,
  ],
  [{ bin: 'b' }, `"bin" is no option of a smoke.\nNext: in code, give binScript; bin is its name ${DECLARED}.`],
  [
    { config: 'c' },
    `"config" is no option of a smoke.\nNext: in code, give configPath; config is its name ${DECLARED}.`,
  ],
  [{ args: [] }, `"args" is no option of a smoke.\nNext: in code, give binArgs; args is its name ${DECLARED}.`],
  [
    { tsConfig: 't' },
    `"tsConfig" is no option of a smoke.\nNext: in code, give tsconfigPath; tsConfig is its name ${DECLARED}.`,
  ],
  [
    { libBin: 'l' },
    `"libBin" is no option of a smoke.\nNext: in code, give libBinScript; libBin is its name ${DECLARED}.`,
  ],
  [
    { task: 'hi' },
    `"task" is no option of a smoke.\nNext: in code, give binArgs: [configPath, task] and turn: 'required'; task is known only ${DECLARED}.`,
  ],
  [
    { model: { script: 's' } },
    '"model" is no option of a smoke.\nNext: in code, give services: [modelService({ script })], with modelService of \'@loader-smoke/model-replay\'.',
  ],
  [
    { passEnv: ['A'] },
    `"passEnv" is no option of a smoke.\nNext: in code, give env: { NAME: process.env.NAME }; passEnv is known only ${DECLARED}.`,
  ],
  [
    { fixtures: [] },
    '"fixtures" is no option of a smoke.\nNext: call once for each fixture; several in one are for a smoke.config.',
  ],
  [{ stdout: 'x' }, '"stdout" is no option of a smoke.\nNext: give it in expect: { stdout }.'],
  [{ exitCode: 7 }, '"exitCode" is no option of a smoke.\nNext: give it in expect: { exitCode }.'],
  [
    { srcBin: 'x' },
    '"srcBin" is no option of a smoke.\nNext: give binScript; srcBin is its name in resolveExampleLaunch.',
  ],
])('a name that is no option is refused before its value is looked at: %j', (options, message) => {
  expect(messageFor(options)).toBe(message)
})

test('a name like none is answered with all there are, and without its value, which may be a secret', () => {
  const message = messageFor({ zzzzzzzzzzzz: 'sk-secret' })
  expect(message).toMatch(
    /^"zzzzzzzzzzzz" is no option of a smoke\.\nNext: take it out, or use one of label, .*, rerun\.$/,
  )
  expect(message).not.toMatch(/sk-secret|task|passEnv/)
})

test.each<[Record<string, unknown>, string]>([
  [
    { tsconfigpath: '/t' },
    `"tsconfigpath" is no option of resolveExampleLaunch. Did you mean tsconfigPath?\n${CORRECT}`,
  ],
  [{ binScript: '/b' }, '"binScript" is no option of resolveExampleLaunch.\nNext: give srcBin.'],
  [{ binArgs: [] }, '"binArgs" is no option of resolveExampleLaunch.\nNext: give configArgs.'],
  [{ configPath: 'c' }, '"configPath" is no option of resolveExampleLaunch.\nNext: give configArgs: [configPath].'],
  [{ libBinScript: 'l' }, '"libBinScript" is no option of resolveExampleLaunch.\nNext: give libBin.'],
  [{ libBin: 5 }, 'libBin must be a text that is not empty, got 5.\nNext: give such a text, or leave it out.'],
  [
    { tsconfigPath: '' },
    'tsconfigPath must be a text that is not empty, got "".\nNext: give such a text, or leave it out.',
  ],
  [
    { configArgs: 'abc' },
    'configArgs must be a list of texts, got "abc".\nNext: give a list; each entry is one argument.',
  ],
  [
    { srcBin: undefined },
    'srcBin must be given as a path, got undefined.\nNext: give the absolute path of the source entry.',
  ],
])('resolveExampleLaunch refuses %j', (more, message) => {
  const options = { srcBin: '/p/src/bin.ts', mode: 'lib', ...more } as ExampleLaunchOptions
  expect(messageOf(() => resolveExampleLaunch(options))).toBe(message)
})
