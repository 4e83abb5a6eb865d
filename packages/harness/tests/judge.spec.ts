import { expect, test } from 'vitest'
import type { LoaderSmokeOptions } from '../src/config/options.ts'
import { resolve } from '../src/config/resolve.ts'
import type { Facts } from '../src/observe/facts.ts'
import type { TurnFact } from '../src/observe/report-file.ts'
import { endedAsExpected, judge } from '../src/verdict/judge.ts'
import { cleanFacts } from './fixtures/facts.ts'

const ended: TurnFact = {
  state: 'ended',
  turn: 1,
  envelope: { type: 'result', sessionId: 's', output: 'It is 42.', usage: { inputTokens: 30, outputTokens: 12 } },
  tools: [
    { name: 'read', callId: '1' },
    { name: 'bash', callId: '2' },
  ],
  steps: [],
  startedAtMs: null,
  endedAtMs: null,
}
const failed: TurnFact = {
  state: 'failed',
  turn: 1,
  kind: 'error',
  reason: 'AUTH (HTTP 401): no',
  message: 'm',
  startedAtMs: null,
  endedAtMs: null,
}
const unfinished: TurnFact = { state: 'unfinished', turn: 2, startedAtMs: null }

function judged(options: Partial<LoaderSmokeOptions>, facts: Partial<Facts>): readonly string[] {
  const spec = resolve({ label: 'x', binScript: '/p/src/bin.ts', mode: 'lib', processTimeoutMs: 100, ...options }, {})
  const verdict = judge(spec, { ...cleanFacts, ...facts })
  if (verdict.kind === 'error') return [`error at ${verdict.stage}: ${verdict.message}`]
  return verdict.kind === 'pass' ? ['pass'] : verdict.failed.map(({ line }) => line)
}

const killedByUs = { timedOut: true, exitCode: null, signal: 'SIGKILL' } as const

test.each<[string, Partial<LoaderSmokeOptions>, Partial<Facts>, string[]]>([
  ['a clean exit', {}, {}, ['pass']],
  ['another exit code', {}, { exitCode: 7 }, ['exited 7 (expected 0).']],
  ['the expected other code', { expectedExitCode: 7 }, { exitCode: 7 }, ['pass']],
  ['a clean exit where another was declared', { expectedExitCode: 7 }, {}, ['exited 0 (expected 7).']],
  ['a signal', {}, { exitCode: null, signal: 'SIGSEGV' }, ['was killed by SIGSEGV (expected exit 0).']],
  ['the expected signal', { expectedSignal: 'SIGTERM' }, { exitCode: null, signal: 'SIGTERM' }, ['pass']],
  [
    'another signal than expected',
    { expectedSignal: 'SIGTERM' },
    { exitCode: null, signal: 'SIGKILL' },
    ['was killed by SIGKILL (expected signal SIGTERM).'],
  ],
  ['an exit where a signal was expected', { expectedSignal: 'SIGTERM' }, {}, ['exited 0 (expected signal SIGTERM).']],
  ['the deadline, whose KILL is our own', {}, killedByUs, ['did not exit within 0.1s.']],
  ['the deadline and an exit 0', {}, { timedOut: true }, ['did not exit within 0.1s.']],
  [
    'the deadline although this signal was expected',
    { expectedSignal: 'SIGKILL' },
    killedByUs,
    ['did not exit within 0.1s.'],
  ],
  [
    'too much output',
    { maxOutputBytes: 10 },
    { overflowed: 'stderr', exitCode: null, signal: 'SIGTERM' },
    ['wrote more than 10 bytes to stderr.'],
  ],
  [
    'an interruption',
    {},
    { interrupted: 'SIGINT', exitCode: 1 },
    ['error at interrupted: x was interrupted by SIGINT.'],
  ],
  [
    'the end of the parent',
    {},
    { interrupted: 'disconnect' },
    ['error at interrupted: x was interrupted by the end of its parent process.'],
  ],
  ['a swallowed failure', {}, { turns: [failed] }, ['root agent failed: AUTH (HTTP 401): no']],
  [
    'a failure and a bad exit',
    {},
    { turns: [failed], exitCode: 1 },
    ['exited 1 (expected 0).', 'root agent failed: AUTH (HTTP 401): no'],
  ],
  [
    'a failure after a good turn',
    { turn: 'required' },
    { turns: [ended, failed] },
    ['root agent failed: AUTH (HTTP 401): no'],
  ],
  ['a failure by design', { expectedExitCode: 1 }, { turns: [failed], exitCode: 1 }, ['pass']],
  [
    'a failure by design, killed',
    { expectedSignal: 'SIGTERM' },
    { turns: [failed], exitCode: null, signal: 'SIGTERM' },
    ['pass'],
  ],
  [
    'a failure by design that ends otherwise',
    { expectedExitCode: 1 },
    { turns: [failed] },
    ['exited 0 (expected 1).', 'root agent failed: AUTH (HTTP 401): no'],
  ],
  [
    'a failure by design where a turn is required',
    { expectedExitCode: 1, turn: 'required' },
    { turns: [failed], exitCode: 1 },
    ['root agent failed: AUTH (HTTP 401): no'],
  ],
  [
    'a turn that never ended before a clean exit',
    {},
    { turns: [ended, unfinished] },
    ['root agent failed: turn 2 began and the bin ended before it did.'],
  ],
  [
    'a turn cut off by the deadline, told once',
    {},
    { ...killedByUs, turns: [unfinished] },
    ['did not exit within 0.1s.'],
  ],
  ['no turn where one is required', { turn: 'required' }, {}, ['drove no turn (expected one).']],
  ['a turn where one is required', { turn: 'required' }, { turns: [ended] }, ['pass']],
  ['the expected answer', { turn: { output: '42' } }, { turns: [ended] }, ['pass']],
  ['another answer', { turn: { output: '43' } }, { turns: [ended] }, ['answered "It is 42." (expected "43").']],
  [
    'another answer than a pattern',
    { expect: { output: /^42/ } },
    { turns: [ended] },
    ['answered "It is 42." (expected /^42/).'],
  ],
  ['no turn where an answer is expected', { turn: { output: '42' } }, {}, ['drove no turn (expected one).']],
  ['the tools', { expect: { tools: ['bash', 'read'] } }, { turns: [ended] }, ['pass']],
  ['a tool missing', { expect: { tools: ['edit'] } }, { turns: [ended] }, ['called read, bash (expected edit).']],
  ['tools in order', { expect: { tools: { called: ['read', 'bash'], inOrder: true } } }, { turns: [ended] }, ['pass']],
  [
    'tools out of order',
    { expect: { tools: { called: ['bash', 'read'], inOrder: true } } },
    { turns: [ended] },
    ['called read, bash (expected bash, read, in this order).'],
  ],
  [
    'no tool',
    { expect: { tools: ['bash'] } },
    { turns: [{ ...ended, tools: [] }] },
    ['called no tool (expected bash).'],
  ],
  ['tokens within', { expect: { maxTokens: 42 } }, { turns: [ended] }, ['pass']],
  ['too many tokens', { expect: { maxTokens: 41 } }, { turns: [ended] }, ['used 42 tokens (expected at most 41).']],
  [
    'tokens that nobody reported',
    { expect: { maxTokens: 41 } },
    { turns: [{ ...ended, envelope: { type: 'result', sessionId: 's', output: '' } }] },
    ['reported no token usage (expected at most 41 tokens).'],
  ],
  ['a broken report', {}, { problems: ['line 1 is not JSON'] }, ['wrote a broken turn report: line 1 is not JSON.']],
  ['a warning at boot', {}, { bootWarnings: ['patch x matched nothing'] }, ['boot reported: patch x matched nothing']],
  [
    'a service that was used against its script',
    {},
    { services: [{ name: 'service model', failures: ['turn 2 was never asked for'] }] },
    ['service model: turn 2 was never asked for'],
  ],
  ['text on stdout', { expect: { stdout: ['out', /^o/] } }, {}, ['pass']],
  [
    'no text on stdout',
    { expect: { stdout: ['in', /^x/m] } },
    {},
    ['wrote no "in" to stdout.', 'wrote no /^x/m to stdout.'],
  ],
  [
    'text on a stream that was cut: neither its presence nor its absence is known',
    { expect: { stdout: ['out', /^(?![^]*error)/] } },
    { stdout: { text: 'out', bytes: 999, truncated: true, invalidUtf8: false } },
    [
      'wrote 999 bytes to stdout, too many to search for "out".',
      'wrote 999 bytes to stdout, too many to search for /^(?![^]*error)/.',
    ],
  ],
  [
    'a stream that was cut and is not searched',
    {},
    { stdout: { text: 'out', bytes: 999, truncated: true, invalidUtf8: false } },
    ['pass'],
  ],
  ['no text on stderr', { expect: { stderr: 'out' } }, {}, ['wrote no "out" to stderr.']],
  ['a duration within', { expect: { durationMs: 50 } }, {}, ['pass']],
  ['too long', { expect: { durationMs: 49 } }, {}, ['took 50 ms (expected at most 49).']],
  ['survivors', {}, { survivors: [{ pid: 5, command: 'sleep 9' }] }, ['pass']],
  [
    'survivors that must not be',
    { onSurvivors: 'fail' },
    { survivors: [{ pid: 5, command: 'sleep 9' }] },
    ['left 1 processes behind.\n  5 sleep 9'],
  ],
  ['a contented inspection', {}, { inspection: { failure: null } }, ['pass']],
  ['an inspection', {}, { inspection: { failure: 'no file' } }, ['inspect failed: no file']],
])('%s', (_, options, facts, lines) => {
  expect(judged(options, facts)).toEqual(lines)
})

test.each<[Facts['files'][number]['state'], string | null, string[]]>([
  ['file', 'all done', ['left "gone.txt" in its world (expected none).']],
  ['file', 'nothing', ['left "out.txt" without "done" in it.', 'left "gone.txt" in its world (expected none).']],
  ['absent', null, ['left no file "out.txt" in its world (expected one).']],
  [
    'folder',
    null,
    ['left "out.txt" as no regular file (expected a file).', 'left "gone.txt" in its world (expected none).'],
  ],
  [
    'outside',
    null,
    [
      'left "out.txt" as a link that leads out of its world (expected a file).',
      'left "gone.txt" in its world (expected none).',
    ],
  ],
])('expected files that are: %s %s', (state, text, lines) => {
  const files = [
    { path: 'out.txt', content: 'done' },
    { path: 'gone.txt', present: false },
  ]
  const found = files.map(({ path }) => ({ path, state, bytes: text?.length ?? 0, text }))
  expect(judged({ expect: { files } }, { files: found })).toEqual(lines)
})

test('a file too large to be searched never meets an expectation of its content', () => {
  const found = [{ path: 'out.txt', state: 'file', bytes: 20_000_000, text: null }] as const
  expect(judged({ expect: { files: [{ path: 'out.txt', content: /^(?![^]*error)/ }] } }, { files: found })).toEqual([
    'left "out.txt" with 20000000 bytes, too many to search for /^(?![^]*error)/.',
  ])
  expect(judged({ expect: { files: [{ path: 'out.txt' }] } }, { files: found })).toEqual(['pass'])
})

test('every failed check is told, in the order of the contract', () => {
  const lines = judged(
    { turn: { output: '43' }, onSurvivors: 'fail' },
    {
      exitCode: 3,
      turns: [failed, ended],
      survivors: [{ pid: 5, command: 'sleep' }],
      inspection: { failure: 'no file' },
    },
  )
  expect(lines).toEqual([
    'exited 3 (expected 0).',
    'root agent failed: AUTH (HTTP 401): no',
    'answered "It is 42." (expected "43").',
    'left 1 processes behind.\n  5 sleep',
    'inspect failed: no file',
  ])
})

test.each<[Partial<Facts>, boolean]>([
  [{}, true],
  [{ turns: [failed] }, true],
  [{ exitCode: 1 }, false],
  [{ timedOut: true }, false],
  [{ overflowed: 'stdout' }, false],
  [{ interrupted: 'SIGINT' }, false],
])('inspect is called after an end as expected and no other: %j is %s', (facts, expected) => {
  const spec = resolve({ label: 'x', binScript: '/p/src/bin.ts', mode: 'lib' }, {})
  expect(endedAsExpected(spec, { ...cleanFacts, ...facts })).toBe(expected)
})
