import { resolve } from 'node:path'
import type { SmokeRecord } from '@loader-smoke/harness'
import { describe, expect, it } from 'vitest'
import { endLines, paintFor, refusedLines, startLines, summaryLine } from '../src/executors/smoke/lines.ts'

const plain = paintFor({ NO_COLOR: '1' }, true)
const stream = (text: string) => ({ text, bytes: Buffer.byteLength(text), truncated: false })
const turn: SmokeRecord['turns'][number] = {
  state: 'ended',
  turn: 1,
  startedMs: 1,
  endedMs: 2,
  output: 'hello',
  reason: null,
  usage: { inputTokens: 1_234_567, outputTokens: 34, cacheReadTokens: 90 },
  tools: [{ name: 'bash', atMs: 1 }],
  steps: [],
}
const pass: SmokeRecord = {
  label: 'app:smoke',
  mode: 'src',
  verdict: 'pass',
  reasons: [],
  next: [],
  rerun: null,
  location: null,
  keptWorld: null,
  startedAtMs: 1,
  durationMs: 999,
  deadlineMs: 30_000,
  exitCode: 0,
  signal: null,
  timedOut: false,
  overflowed: null,
  containment: 'group',
  command: [],
  envNames: [],
  turns: [turn],
  requests: [],
  bootWarnings: [],
  survivors: [],
  stdout: stream(''),
  stderr: stream(''),
}

describe('what a task prints', () => {
  it('before a run', () => {
    const harness = {
      label: 'app:smoke',
      binScript: resolve('/w/packages/app/src/bin.ts'),
      configPath: resolve('/else/cordis.yml'),
    }
    const run = {
      harness,
      mode: 'src',
      inferredMode: 'src',
      model: undefined,
      task: 'Say\nhello.',
      names: new Map(),
    }
    expect(startLines(run, 'src', resolve('/w'), plain)).toEqual([
      'smoke app:smoke',
      '  bin     packages/app/src/bin.ts',
      '  mode    src (TypeScript source)',
      `  config  ${resolve('/else/cordis.yml')}`,
      '  task    Say hello.',
    ])
  })

  it('of a pass', () => {
    expect(endLines(pass, plain)).toEqual([
      '✔ app:smoke passed in 999 ms (src)',
      '  answer  hello',
      '  tools   bash',
      '  tokens  1,234,567 in, 34 out, 90 from cache',
    ])
  })

  it('of a pass with more to tell', () => {
    const silent = { ...turn, usage: null, tools: [], output: 'again' }
    const more: SmokeRecord = {
      ...pass,
      turns: [turn, silent],
      durationMs: 61_234,
      exitCode: 7,
      keptWorld: '/tmp/world',
      survivors: [{ pid: 42, command: 'sleep 1000' }],
    }
    expect(endLines(more, plain)).toEqual([
      '✔ app:smoke passed in 61.2 s (src)',
      '  answer 1   hello',
      '  answer 2   again',
      '  tools      bash',
      '  tokens     1,234,567 in, 34 out, 90 from cache',
      '  end        exit 7',
      '  left over  process 42 (sleep 1000), ended',
      '  world      kept in /tmp/world',
    ])
    expect(endLines({ ...pass, turns: [silent] }, plain)[2]).toBe('  tokens  not reported by the model')
  })

  it('of a failure: the reasons first, then the streams, then what to do', () => {
    const fail: SmokeRecord = {
      ...pass,
      verdict: 'fail',
      mode: 'lib',
      durationMs: 1_000,
      exitCode: 1,
      reasons: [
        { check: 'exit-code', line: 'app:smoke exited 1 (expected 0).' },
        { check: 'root-agent', line: 'app:smoke root agent failed: no key' },
      ],
      next: ['set the key.'],
      location: { file: '/w/src/bin.ts', line: 12 } as SmokeRecord['location'],
      keptWorld: '/tmp/world',
      rerun: 'npx nx run app:smoke',
      stderr: stream('one\n\u001b[2Jtwo\u0007\n::error::three\n'),
    }
    expect(endLines(fail, plain)).toEqual([
      '✖ app:smoke failed in 1.0 s (lib)',
      'app:smoke exited 1 (expected 0).',
      'app:smoke root agent failed: no key',
      'ended: exit 1',
      'stdout: empty',
      'stderr (28 bytes):',
      '│ one',
      '│ two␇',
      '│ ::error::three',
      'Next: set the key.',
      'See /w/src/bin.ts:12',
      'The world was kept: /tmp/world',
      'Run it again: npx nx run app:smoke',
    ])
  })

  it('of an error before the start', () => {
    const error: SmokeRecord = {
      ...pass,
      verdict: 'error',
      startedAtMs: null,
      durationMs: null,
      reasons: [{ check: 'options', line: 'app:smoke: no.' }],
    }
    expect(endLines(error, plain)).toEqual(['✖ app:smoke could not be judged (src)', 'app:smoke: no.'])
    expect(refusedLines('app:smoke', 'No.\nNext: this.', plain)).toEqual([
      '✖ app:smoke did not run',
      'No.',
      'Next: this.',
    ])
  })

  it('of several', () => {
    expect(summaryLine(3, 3, plain)).toBe('✔ all 3 smokes passed')
    expect(summaryLine(1, 3, plain)).toBe('✖ 2 of 3 smokes did not pass')
  })

  it("shows a fixture's words without power over terminal and log", () => {
    const output = '\u001b]0;title\u0007##vso[task] \u001b[31mred'
    const [, answer] = endLines({ ...pass, label: '::warning::x', turns: [{ ...turn, output }] }, plain)
    expect(answer).toBe('  answer  # #vso[task] red')
  })
})

describe('paintFor', () => {
  it.each<[Record<string, string>, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ FORCE_COLOR: 'true' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: 'true', NO_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: 'true', NO_COLOR: '' }, true, true],
  ])('%j on a terminal (%s): %s', (env, isTerminal, colors) => {
    expect(paintFor(env, isTerminal).colors).toBe(colors)
    expect(paintFor(env, isTerminal).good('x')).toBe(colors ? '\u001b[32mx\u001b[39m' : 'x')
  })
})
