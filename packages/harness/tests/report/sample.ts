/** A record to report, and a report of some. */
import type { SmokeReport } from '../../src/report/json.ts'
import type { SmokeRecord } from '../../src/report/record.ts'

/** A smoke that passed in one turn of two steps; `changes` over it. */
export function sampleRecord(changes: Partial<SmokeRecord> = {}): SmokeRecord {
  return {
    label: 'app',
    mode: 'src',
    verdict: 'pass',
    reasons: [],
    next: [],
    rerun: null,
    location: null,
    keptWorld: null,
    startedAtMs: 1_700_000_000_000,
    durationMs: 1_250,
    deadlineMs: 30_000,
    exitCode: 0,
    signal: null,
    timedOut: false,
    overflowed: null,
    containment: 'subreaper',
    command: ['/node', '/repo/app/src/bin.ts'],
    envNames: ['HOME', 'PATH'],
    turns: [
      {
        state: 'ended',
        turn: 1,
        startedMs: 600,
        endedMs: 1_100,
        output: 'hello',
        reason: null,
        usage: { inputTokens: 30, outputTokens: 7 },
        tools: [{ name: 'bash', atMs: 750 }],
        steps: [
          { step: 1, startedMs: 650, endedMs: 700, usage: { inputTokens: 10, outputTokens: 5 } },
          { step: 2, startedMs: 800, endedMs: 900, usage: { inputTokens: 20, outputTokens: 2 } },
        ],
      },
    ],
    requests: [
      {
        number: 1,
        model: 'chat',
        status: 200,
        outcome: 'answered',
        startedMs: 640,
        durationMs: 50,
        inputTokens: 10,
        outputTokens: 5,
      },
    ],
    bootWarnings: [],
    survivors: [],
    stdout: { text: 'out\n', bytes: 4, truncated: false },
    stderr: { text: '', bytes: 0, truncated: false },
    ...changes,
  }
}

/** A failed one. */
export function failedRecord(changes: Partial<SmokeRecord> = {}): SmokeRecord {
  return sampleRecord({
    verdict: 'fail',
    exitCode: 7,
    reasons: [
      { check: 'exit-code', line: 'app exited 7 (expected 0).' },
      { check: 'root-agent', line: 'app root agent failed: no luck' },
    ],
    next: ['look at the log.'],
    rerun: 'loader-smoke run app',
    location: { file: '/repo/app/src/bin.ts', line: 3, column: 5 },
    turns: [],
    requests: [],
    ...changes,
  })
}

/** A report of `smokes`. */
export function sampleReport(...smokes: readonly SmokeRecord[]): SmokeReport {
  return {
    version: 1,
    tool: { name: 'loader-smoke', version: '0.1.0' },
    machine: { node: 'v24.21.0', platform: 'linux' },
    startedAtMs: 1_700_000_000_000,
    durationMs: 2_500,
    smokes,
  }
}

/** What a fixture may write to get at whoever reads its report. */
export const HOSTILE = [
  '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">',
  '</pre></textarea><style>*{display:none}</style>',
  '\u001b]8;;https://evil.example\u001b\\a link\u001b]8;;\u001b\\ \u001b[2J\u001b[31mred\u001b[0m \u001b]0;title\u0007',
  '::error file=x.ts,line=1::injected',
  '##[error]injected',
  '```\n</details>\n# heading\n@team | cell |',
  ']]> <!-- &amp; \u0000\u0008\ufffe\uffff\ud800 \u202e',
  '%0A::error::injected',
].join('\n')
