import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { parseReport, readReport } from '../src/observe/report-file.ts'

const lines = (...entries: unknown[]) =>
  entries.map((entry) => `${typeof entry === 'string' ? entry : JSON.stringify(entry)}\n`).join('')
const DEEP = 'lists, 200,000 levels deep'
const start = (turn: number) => ({ v: 1, type: 'turn-start', turn, sessionId: 's', atMs: 1 })
const envelope = {
  type: 'result',
  sessionId: 's',
  output: 'hello',
  usage: { inputTokens: 3, outputTokens: 4, reasoningTokens: 1 },
}
const end = (turn: number, more: object = {}) => ({
  v: 1,
  type: 'turn-end',
  turn,
  envelope,
  tools: [{ name: 'bash', callId: 'c' }],
  ...more,
})
const failure = (turn: number) => ({
  v: 1,
  type: 'turn-failed',
  turn,
  kind: 'error',
  reason: 'AUTH: no',
  message: 'root agent failed: AUTH: no',
  atMs: 9,
})

test('turns come in the order in which they began, each as far as it went', () => {
  const text = lines(
    start(1),
    end(1),
    { v: 1, type: 'boot-warning', message: 'no patch' },
    start(2),
    failure(2),
    start(3),
  )
  expect(parseReport(text)).toEqual({
    turns: [
      {
        state: 'ended',
        turn: 1,
        envelope,
        tools: [{ name: 'bash', callId: 'c' }],
        steps: [],
        startedAtMs: 1,
        endedAtMs: null,
      },
      {
        state: 'failed',
        turn: 2,
        kind: 'error',
        reason: 'AUTH: no',
        message: 'root agent failed: AUTH: no',
        startedAtMs: 1,
        endedAtMs: 9,
      },
      { state: 'unfinished', turn: 3, startedAtMs: 1 },
    ],
    bootWarnings: ['no patch'],
    services: [],
    problems: [],
  })
})

test('a service within the bin is heard, field by field', () => {
  const said = { name: 'model', failures: ['request 2 was refused.'], facts: { requests: [{ number: 1 }] } }
  expect(parseReport(lines({ v: 1, type: 'service', ...said, atMs: 1, extra: 1 }, start(1)))).toEqual({
    turns: [{ state: 'unfinished', turn: 1, startedAtMs: 1 }],
    bootWarnings: [],
    services: [{ ...said, name: 'service model' }],
    problems: [],
  })
})

test('two processes of a fixture may both count from 1', () => {
  const { turns } = parseReport(lines(start(1), start(1), end(1), failure(1)))
  expect(turns.map(({ state }) => state)).toEqual(['ended', 'failed'])
})

test('a failure before any turn began is a turn that failed', () => {
  expect(parseReport(lines(failure(1))).turns).toHaveLength(1)
})

test.each([
  ['{"v":1,"type":"turn-st', 'line 1 is not JSON'],
  [DEEP, 'line 1 is not JSON'],
  [[], 'line 1 is not an object'],
  ['null', 'line 1 is not an object'],
  [{ ...start(1), v: 2 }, 'line 1 has version 2 (known: 1)'],
  [{ v: 1, type: 'hello' }, 'line 1 has an unknown type'],
  [start(0), 'line 1 has no turn number'],
  [{ ...start(1), turn: '1' }, 'line 1 has no turn number'],
  [end(1, { envelope: { ...envelope, output: 5 } }), 'line 1 has a broken envelope'],
  [end(1, { envelope: { ...envelope, type: 'other' } }), 'line 1 has a broken envelope'],
  [end(1, { envelope: { ...envelope, usage: { inputTokens: 'many' } } }), 'line 1 has a broken envelope'],
  [end(1, { envelope: { ...envelope, usage: { inputTokens: 1, outputTokens: -1 } } }), 'line 1 has a broken envelope'],
  [end(1, { tools: { length: 9 } }), 'line 1 has a broken envelope'],
  [{ ...failure(1), reason: { toString: 'x' } }, 'line 1 has no reason'],
  [{ v: 1, type: 'boot-warning' }, 'line 1 has no message'],
  [{ v: 1, type: 'service', failures: [] }, 'line 1 has no name of a service'],
  [{ v: 1, type: 'service', name: 'model', failures: 'many' }, 'line 1 has no failures'],
  [{ v: 1, type: 'service', name: 'model', failures: [1] }, 'line 1 has no failures'],
])('a line that is none is named, and its neighbours are still read: %j', (line, problem) => {
  const report = parseReport(lines(line === DEEP ? '['.repeat(200_000) : line, start(7)))
  expect(report.problems).toEqual([problem])
  expect(report.turns.at(-1)).toEqual({ state: 'unfinished', turn: 7, startedAtMs: 1 })
})

test('only known fields are taken over', () => {
  const hostile = '{"type":"result","sessionId":"s","output":"o","__proto__":{"polluted":1},"extra":1}'
  const text = `{"v":1,"type":"turn-end","turn":1,"tools":[],"envelope":${hostile}}\n`
  expect(parseReport(text).turns).toEqual([
    {
      state: 'ended',
      turn: 1,
      envelope: { type: 'result', sessionId: 's', output: 'o' },
      tools: [],
      steps: [],
      startedAtMs: null,
      endedAtMs: null,
    },
  ])
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('a tool call whose id is none keeps its name', () => {
  const { turns, problems } = parseReport(lines(end(1, { tools: [{ name: 'bash', callId: { toString: 'x' } }] })))
  expect(problems).toEqual([])
  expect(turns[0]).toMatchObject({ tools: [{ name: 'bash', callId: '' }] })
})

test('at most five problems are told', () => {
  expect(parseReport('x\n'.repeat(1000)).problems).toHaveLength(5)
})

test('an empty file is an empty report', async () => {
  await using folder = await tempWorkspace({ empty: '' })
  expect(await readReport(folder.file('empty'))).toEqual({ turns: [], bootWarnings: [], services: [], problems: [] })
})

test('a file that is gone was removed: the harness made it', async () => {
  await using folder = await tempWorkspace()
  expect(await readReport(folder.file('none'))).toEqual({
    turns: [],
    bootWarnings: [],
    services: [],
    problems: ['it was removed'],
  })
})

test('a file above the limit is read up to it and called too large', async () => {
  await using folder = await tempWorkspace({ report: lines(start(1)) + 'x'.repeat(5000) })
  const report = await readReport(folder.file('report'), 100)
  expect(report.problems).toEqual([`it holds ${lines(start(1)).length + 5000} bytes (allowed 100)`])
  expect(report.turns).toEqual([{ state: 'unfinished', turn: 1, startedAtMs: 1 }])
})

test('a folder, a link and a FIFO in its place are refused without waiting', async () => {
  await using folder = await tempWorkspace({ secret: lines(start(1)) })
  mkdirSync(folder.file('folder'))
  symlinkSync(folder.file('secret'), folder.file('link'))
  execFileSync('mkfifo', [folder.file('fifo')])
  const problems = async (name: string) => (await readReport(folder.file(name))).problems
  expect(await problems('folder')).toEqual(['it is not a regular file'])
  expect(await problems('fifo')).toEqual(['it is not a regular file'])
  expect(await problems('link')).toEqual([expect.stringMatching(/^it can't be read \(ELOOP/)])
})
