import { expect, test } from 'vitest'
import type { LoaderSmokeOptions } from '../src/config/options.ts'
import { resolve } from '../src/config/resolve.ts'
import type { Facts } from '../src/observe/facts.ts'
import { redactor } from '../src/report/redact.ts'
import { rerunLine } from '../src/report/rerun.ts'
import { toShell } from '../src/report/shell.ts'
import { toText } from '../src/report/text.ts'
import { trimStream } from '../src/report/trim.ts'
import { judge } from '../src/verdict/judge.ts'
import { cleanFacts } from './fixtures/facts.ts'

const options = { label: 'x', binScript: '/p/src/bin.ts', mode: 'lib' } as const
const plain = { redact: (text: string) => text, keptWorld: null, cleanUp: null, rerun: null }

function textOf(given: Partial<LoaderSmokeOptions>, facts: Partial<Facts>, about: Partial<typeof plain> | object = {}) {
  const spec = resolve({ ...options, ...given }, {})
  const verdict = judge(spec, { ...cleanFacts, ...facts })
  if (verdict.kind === 'pass') throw new Error('expected a verdict with a message')
  return toText(spec, verdict, { ...plain, ...about })
}

const stream = (text: string) => ({ text, bytes: Buffer.byteLength(text), truncated: false, invalidUtf8: false })

test('the reason and both streams stand where readers of such messages look for them', () => {
  expect(textOf({}, { exitCode: 1, stdout: stream('a\n'), stderr: stream('b\n') })).toBe(
    'x exited 1 (expected 0). stdout:\na\n\nstderr:\nb\n',
  )
  expect(textOf({}, { exitCode: 1, stdout: stream(''), stderr: stream('') })).toBe(
    'x exited 1 (expected 0). stdout:\n\nstderr:\n',
  )
})

test('further reasons follow, then what to do, the kept folder, and the command that runs it again', () => {
  const text = textOf(
    { turn: 'required' },
    { exitCode: 13, stderr: stream('b') },
    { keptWorld: '/tmp/w', cleanUp: 'it rained.', rerun: 'npx nx run x:smoke' },
  )
  expect(text).toBe(
    [
      'x exited 13 (expected 0). stdout:',
      'out',
      '',
      'stderr:',
      'b',
      '',
      'x drove no turn (expected one).',
      'Next: Node exits 13 when a top-level await never settles and nothing is left to wait for: something the bin awaits (often a plugin that never becomes ready) is never resolved.',
      'After that, it rained.',
      'The world was kept: /tmp/w',
      'Run it again: npx nx run x:smoke',
    ].join('\n'),
  )
})

test.each([
  ['', 'stderr:\n\nRun it again: npm test'],
  ['b\n', 'stderr:\nb\n\nRun it again: npm test'],
  ['b', 'stderr:\nb\n\nRun it again: npm test'],
])('a blank line ends the streams, so that what follows %j is not taken for it', (stderr, end) => {
  const text = textOf({}, { exitCode: 1, stderr: stream(stderr) }, { rerun: 'npm test' })
  expect(text).toBe(`x exited 1 (expected 0). stdout:\nout\n\n${end}`)
})

test('without streams there is no blank line', () => {
  const spec = resolve(options, {})
  const error = { kind: 'error', stage: 'spawn', message: 'x: no.', facts: null, cause: null } as const
  expect(toText(spec, error, { ...plain, rerun: 'npm test' })).toBe('x: no.\nRun it again: npm test')
})

test('a reason of several lines, or without a full stop, leaves the streams a line of their own', () => {
  expect(textOf({}, { inspection: { failure: 'a\nb.' } })).toBe('x inspect failed: a\nb.\nstdout:\nout\n\nstderr:\n')
})

test.each<[Partial<LoaderSmokeOptions>, Partial<Facts>, string]>([
  [
    {},
    { clues: { missingConfig: '/p/c.yml', unresolved: null } },
    'configPath /p/c.yml is not there; create it, correct the path, or write it in prepare.',
  ],
  [
    {},
    { clues: { missingConfig: null, unresolved: { name: '@a/b', manifest: '/p/package.json', declared: false } } },
    "mode is 'lib': the package that owns the config must declare what the config names; add '@a/b' to the dependencies in /p/package.json.",
  ],
  [
    {},
    { clues: { missingConfig: null, unresolved: { name: '@a/b', manifest: '/p/package.json', declared: true } } },
    "mode is 'lib' and /p/package.json declares '@a/b', but it is not there; install, and build it if it is a package of this workspace.",
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    { clues: { missingConfig: null, unresolved: { name: 'b', manifest: '/p/package.json', declared: false } } },
    "'b' was not found; name it in the paths of the tsconfig, or declare it in /p/package.json and install.",
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    { clues: { missingConfig: null, unresolved: { name: 'b', manifest: '/p/package.json', declared: true } } },
    "/p/package.json declares 'b', but it is not there; install (npm install), and build it if it is a package of this workspace.",
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    {
      clues: {
        missingConfig: null,
        unresolved: { name: '@a/b', manifest: '/p/package.json', declared: false, byLoader: true },
      },
    },
    "the config names '@a/b', which was not found; correct the name, or add it to the dependencies in /p/package.json and install.",
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    {
      clues: {
        missingConfig: null,
        unresolved: { name: '@a/b', manifest: '/p/package.json', declared: true, byLoader: true },
      },
    },
    "the config names '@a/b', which /p/package.json declares, but it is not there; install, and build it if it is a package of this workspace.",
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    {
      clues: {
        missingConfig: null,
        unresolved: { name: '@a/b', manifest: '/p/package.json', declared: true, lost: '/nope/b' },
      },
    },
    "the paths of /t.json lead '@a/b' to /nope/b, where nothing is; correct paths or baseUrl there.",
  ],
  [
    {},
    { clues: { missingConfig: null, unresolved: null, unbuilt: { file: '/p/lib/x.js', command: 'npm run build' } } },
    '/p/lib/x.js is missing; run `npm run build` first.',
  ],
  [
    {},
    { exitCode: null, signal: 'SIGKILL' },
    'the harness did not send that signal: see whether the bin or a child of it did; the system does when memory runs out.',
  ],
  [
    { turn: 'required' },
    { timedOut: true },
    'no turn had begun: see what holds the boot (often a plugin that never becomes ready), or allow more with processTimeoutMs.',
  ],
  [
    { turn: 'required' },
    { timedOut: true, turns: [{ state: 'unfinished', turn: 2, startedAtMs: null }] },
    'turn 2 had begun and not ended: see what the agent waits for (its model, a tool), or allow more with processTimeoutMs.',
  ],
  [
    {},
    { timedOut: true },
    'find what keeps the bin alive (a timer, a server, a stream that is not closed), or allow more with processTimeoutMs.',
  ],
  [
    { expect: { stderr: 'x' } },
    { stderr: { text: '', bytes: 9, truncated: true, invalidUtf8: false } },
    'let the bin print less, or write what matters to a file of its own and expect that in files.',
  ],
  [
    { expect: { files: [{ path: 'a', content: 'x' }] } },
    { files: [{ path: 'a', state: 'file', bytes: 9, text: null }] },
    'look at so large a file in inspect.',
  ],
  [
    { mode: 'src', tsconfigPath: '/t.json' },
    {
      stderr: stream(
        '/p/src/bin.ts:2:12: ERROR: Top-level await is currently not supported with the "cjs" output format',
      ),
    },
    'a file with a top-level await is taken for CommonJS: set "type": "module" in the package.json of its package, or name it .mts.',
  ],
  [{}, { overflowed: 'stdout' }, 'see what repeats in stdout, or allow more with maxOutputBytes.'],
  [
    {},
    { survivors: [{ pid: 5, command: 'sleep 9' }] },
    '5 (sleep 9) outlived the bin and was ended; end it in the bin before exiting.',
  ],
  [
    {},
    {
      survivors: [
        { pid: 5, command: 'sleep 9' },
        { pid: 6, command: 'cat' },
      ],
    },
    '5 (sleep 9), 6 (cat) outlived the bin and were ended; end them in the bin before exiting.',
  ],
])('what to do next about %j %j', (given, facts, hint) => {
  const text = textOf(given, { exitCode: 1, ...facts })
  expect(text.split('\n').filter((line) => line.startsWith('Next: '))).toEqual([`Next: ${hint}`])
})

test.runIf(process.platform === 'linux')(
  'a failure says what was contained worse than it could have been, unless that was asked for',
  () => {
    const weaker = { exitCode: 1, containment: 'group' } as const
    expect(textOf({}, weaker)).toMatch(/\nNext: containment was 'group', so .* install perl .*\.$/)
    expect(textOf({ containment: 'group' }, weaker)).not.toContain('perl')
  },
)

test('nothing is advised about a run that was interrupted: its end was not its own doing', () => {
  const text = textOf({ turn: 'required' }, { exitCode: null, signal: 'SIGKILL', interrupted: 'SIGTERM' })
  expect(text).toBe('x was interrupted by SIGTERM. stdout:\nout\n\nstderr:\n')
})

test('what a bin must do to report a turn is said where it ended well, not where it may not have come so far', () => {
  const hint = "Next: only a bin that calls runFixtureTurn of '@loader-smoke/turn' reports turns"
  expect(textOf({ turn: 'required' }, { exitCode: 0, turns: [] })).toContain(hint)
  expect(textOf({ turn: 'required' }, { exitCode: 1, turns: [] })).not.toContain(hint)
})

test.each<[Partial<LoaderSmokeOptions>, Partial<Facts>, readonly string[]]>([
  [
    { envMode: 'strict' },
    {},
    [
      "Next: MY_API_KEY is set in your environment, which envMode 'strict' keeps from the bin; give it a value in env, or name it in passEnv (where a smoke is declared) to hand yours over.",
    ],
  ],
  [{ envMode: 'strict' }, { envNames: ['MY_API_KEY'] }, []],
  [{ envMode: 'inherit' }, {}, []],
])(
  'a name that a strict environment keeps from the bin is told when the bin speaks of it: %j %j',
  (given, facts, next) => {
    const spec = resolve({ ...options, ...given }, { MY_API_KEY: 'sk-1', OTHER_KEY: 'sk-2' })
    const stderr = stream('Error: MY_API_KEY is not set, see MY_GUIDE\n')
    const verdict = judge(spec, { ...cleanFacts, exitCode: 1, stderr, ...facts })
    if (verdict.kind === 'pass') throw new Error('expected a verdict with a message')
    const lines = toText(spec, verdict, plain).split('\n')
    expect(lines.filter((line) => line.startsWith('Next: '))).toEqual(next)
  },
)

test('Node’s 13 is not explained where it was expected', () => {
  expect(
    textOf({ expectedExitCode: 13, onSurvivors: 'fail' }, { exitCode: 13, survivors: [], turns: [], problems: ['p'] }),
  ).not.toContain('Next')
})

test('a stream is cut to its head and tail with the sizes, at characters', () => {
  expect(trimStream('short', 5)).toBe('short')
  expect(trimStream('aaaa€bbbb€cccc', 18, 10)).toBe('aaaa\n[... 7 of 18 bytes left out ...]\n€cccc')
  const long = trimStream('x'.repeat(100_000), 100_000)
  expect(long).toBe(`${'x'.repeat(16_384)}\n[... 67232 of 100000 bytes left out ...]\n${'x'.repeat(16_384)}`)
})

test('secrets are masked by name of their variable, by text and by pattern, longer ones first', () => {
  const redact = redactor(
    [{ MY_API_KEY: 'sk-12345678', DB_PASSWORD: 'sk-12345678-longer', SHORT_TOKEN: '1234567', PLAIN: 'not a secret' }],
    ['inner', /id-\d+/, { pattern: 'ABC', flags: 'i' }],
  )
  expect(redact('sk-12345678-longer sk-12345678 1234567 not a secret inner inner id-1 id-22 abc')).toBe(
    '[redacted] [redacted] 1234567 not a secret [redacted] [redacted] [redacted] [redacted] [redacted]',
  )
})

test('a secret that a failed turn cut with colours is masked, in the reason and in the streams', () => {
  const reason = 'AUTH: secret-\u001b[31mvalue\u001b[0m is wrong'
  const failed = { state: 'failed', turn: 1, kind: 'error', reason, message: reason } as const
  const text = textOf(
    {},
    { turns: [{ ...failed, startedAtMs: 1, endedAtMs: 2 }], stderr: stream(`${reason}\n`) },
    { redact: redactor([{ A_TOKEN: 'secret-value' }], []) },
  )
  expect(text).toBe(
    'x root agent failed: AUTH: [redacted] is wrong\nstdout:\nout\n\nstderr:\nAUTH: [redacted]\u241b[0m is wrong\n',
  )
})

test('a secret is masked in every part of a message, also where the stream is cut', () => {
  const redact = redactor([{ A_TOKEN: 'secret-value' }], [])
  const text = textOf(
    {},
    {
      stdout: stream(`${'x'.repeat(16_380)}secret-value${'y'.repeat(40_000)}`),
      inspection: { failure: 'saw secret-value.' },
    },
    { redact, rerun: 'A=secret-value' },
  )
  expect(text).not.toMatch(/secr|value/)
  expect(text).toContain('x inspect failed: saw [redacted]. stdout:')
})

test('control characters of the streams are seen and have no power; lines of theirs are no commands of a CI runner', () => {
  const text = textOf(
    {},
    {
      exitCode: 1,
      stdout: stream('\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m 50%\rover\0\u202e\n'),
      stderr: stream('::error::x\n  ::set-output name=a::b\n##[error]y\r\n##vso[task.x]z\na::b\n'),
    },
  )
  expect(text).toBe(
    'x exited 1 (expected 0). stdout:\n␛]0;owned␇␛[2J␛[31mred␛[0m 50%␍over␀\ufffd\n\n' +
      'stderr:\n: :error::x\n  : :set-output name=a::b\n# #[error]y\n# #vso[task.x]z\na::b\n',
  )
})

test('nor do those of what is quoted beside the streams', () => {
  const text = textOf(
    {},
    {
      exitCode: 1,
      bootWarnings: ['\u001b[2Jpatch\n::error::x'],
      survivors: [{ pid: 5, command: 'a\u001b]0;owned\u0007\n::error::b' }],
    },
    { cleanUp: '\u001b[31mit rained\u001b[39m\n::add-mask::c', rerun: 'a\r\u009bb' },
  )
  // oxlint-disable-next-line no-control-regex -- that none is left is the point
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|^::/m)
  expect(text).toContain('x boot reported: patch\n: :error::x\n')
  expect(text).toContain('After that, it rained\n: :add-mask::c\n')
  expect(text).toContain('Run it again: a␍\ufffdb')
})

test('a line that the cut begins is no command either', () => {
  const text = textOf({}, { exitCode: 1, stdout: stream(`${'x'.repeat(40_000)}::error::${'y'.repeat(16_375)}`) })
  expect(text).toContain('left out ...]\n: :error::yyy')
})

test.each([
  ['linux', `A='it'\\''s' 'a b' /plain 'x"$y' ''`],
  ['win32', `$env:A='it''s'; & 'a b' /plain 'x"$y' ''`],
] as const)('a command is quoted for the shell of %s', (platform, line) => {
  expect(toShell({ argv: ['a b', '/plain', 'x"$y', ''], env: { A: "it's" } }, platform)).toBe(line)
})

test('the caller’s own command is the one that runs it again', () => {
  const spec = resolve(
    { ...options, rerun: { argv: ['npx', 'nx', 'run', 'x:smoke'], env: { DSH_EXAMPLE_MODE: 'lib' } } },
    {},
  )
  expect(rerunLine(spec, ['/node'], 'linux')).toBe('DSH_EXAMPLE_MODE=lib npx nx run x:smoke')
})

test('without one it is the bin in a fresh folder with homes, its mode and its environment; secrets are taken by name', () => {
  const spec = resolve(
    {
      ...options,
      mode: 'src',
      tsconfigPath: '/t s.json',
      env: { A: '1', B: null, MY_KEY: 'abc' },
      homes: { CODEX_HOME: 'c x' },
    },
    {},
  )
  const made = `w=$(mktemp -d) && mkdir -p "$w"/.dsh "$w"/.agents "$w"/'c x'`
  const homes = `DSH_HOME="$w"/.dsh DSH_AGENTS_HOME="$w"/.agents CODEX_HOME="$w"/'c x'`
  expect(rerunLine(spec, ['/node', '/p/bin.ts', 'a b'], 'linux')).toBe(
    `(${made} && cd "$w" && ${homes} MY_KEY="$MY_KEY" DSH_EXAMPLE_MODE=src TSX_TSCONFIG_PATH='/t s.json' A=1 /node /p/bin.ts 'a b' </dev/null)`,
  )
  expect(rerunLine(spec, ['C:\\node.exe', 'bin.ts'], 'win32')).toBe(
    '$w = New-Item -ItemType Directory (Join-Path $env:TEMP (New-Guid)); ' +
      '$env:DSH_HOME = New-Item -ItemType Directory -Force "$w\\.dsh"; ' +
      '$env:DSH_AGENTS_HOME = New-Item -ItemType Directory -Force "$w\\.agents"; ' +
      '$env:CODEX_HOME = New-Item -ItemType Directory -Force "$w\\c x"; ' +
      "Set-Location $w; $env:DSH_EXAMPLE_MODE=src; $env:TSX_TSCONFIG_PATH='/t s.json'; $env:A=1; & C:\\node.exe bin.ts",
  )
  expect(rerunLine(spec, null, 'linux')).toBeNull()
})

test('a command that would fill the message is left out', () => {
  const lengths = [32_768, 32_769].map(
    (length) => rerunLine(resolve({ ...options, rerun: { argv: ['x'.repeat(length)] } }, {}), null)?.length,
  )
  expect(lengths).toEqual([32_768, undefined])
})

test('it runs in the caller’s folder where the smoke did, with the homes elsewhere, and waits for input that was given', () => {
  const line = rerunLine(resolve({ ...options, cwd: '/my dir', stdin: 'x' }, {}), ['/node'], 'linux')
  expect(line).toMatch(/ && cd '\/my dir' && DSH_HOME="\$w"\/\.dsh .* \/node\)$/)
})

test('it does not lead built output back to source', () => {
  const env = { NODE_OPTIONS: '--conditions=@loader-smoke/source' }
  expect(rerunLine(resolve({ ...options, env }, {}), ['/node'], 'linux')).not.toContain('NODE_OPTIONS')
  const more = { NODE_OPTIONS: '--conditions=@loader-smoke/source --no-warnings' }
  expect(rerunLine(resolve({ ...options, env: more }, {}), ['/node'], 'linux')).toContain(
    ' NODE_OPTIONS=--no-warnings ',
  )
})
