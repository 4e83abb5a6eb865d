import { describe, expect, it } from 'vitest'
import { toAnnotations, toSummary } from '../../src/report/github.ts'
import { failedRecord, HOSTILE, sampleRecord, sampleReport } from './sample.ts'

describe('annotations', () => {
  it('are one line each, at the file and line where the failure points to one below the workspace', () => {
    expect(toAnnotations(sampleReport(sampleRecord(), failedRecord()), '/repo')).toBe(
      '::error title=app (src),file=app/src/bin.ts,line=3,col=5::app exited 7 (expected 0).%0Aapp root agent failed: no luck%0ANext: look at the log.\n',
    )
    expect(toAnnotations(sampleReport(failedRecord({ next: [] })), '/elsewhere')).toBe(
      '::error title=app (src)::app exited 7 (expected 0).%0Aapp root agent failed: no luck\n',
    )
  })

  it('warn of what outlived a smoke that passed, and say nothing else of those', () => {
    expect(toAnnotations(sampleReport(sampleRecord({ survivors: [{ pid: 7, command: 'x' }] })), '/repo')).toBe(
      '::warning title=app (src)::app left 1 processes behind.\n',
    )
    expect(toAnnotations(sampleReport(sampleRecord()), '/repo')).toBe('')
  })

  it('can not be added or changed by what a fixture wrote', () => {
    const hostile = failedRecord({
      label: 'a,line=9::b\r\n::error::x',
      reasons: [{ check: 'turn', line: HOSTILE }],
      next: [HOSTILE],
    })
    const lines = toAnnotations(sampleReport(hostile), '/repo').split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toBe('')
    expect(lines[0]).toMatch(
      /^::error title=a%2Cline=9%3A%3Bb|^::error title=a%2Cline=9%3A%3Ab%0A%3A%3Aerror%3A%3Ax \(src\),file=app\/src\/bin\.ts,line=3,col=5::/,
    )
    expect(lines[0]).not.toContain('\u001b')
  })

  it('are at most ten', () => {
    const many = Array.from({ length: 15 }, () => failedRecord())
    expect(
      toAnnotations(sampleReport(...many), '/repo')
        .trim()
        .split('\n'),
    ).toHaveLength(10)
  })
})

describe('the summary', () => {
  it('lists every smoke, and tells the reason of each that did not pass', () => {
    expect(toSummary(sampleReport(sampleRecord(), failedRecord()))).toBe(`## Smokes: 1 passed, 1 failed

| | Smoke | Mode | Time | Tokens in / out | |
|---|---|---|---:|---:|---|
| ✅ | app | src | 1.25 s | 30 / 7 |  |
| ❌ | app | src | 1.25 s |  | app exited 7 (expected 0). |

### ❌ app (src)

\`\`\`text
app exited 7 (expected 0).
app root agent failed: no luck
Next: look at the log.
Run it again: loader-smoke run app
\`\`\`

stdout (4 bytes)

\`\`\`text
out
\`\`\`
`)
  })

  it('keeps what a fixture wrote inside its cell and its fence', () => {
    const hostile = failedRecord({
      label: HOSTILE,
      reasons: [{ check: 'turn', line: HOSTILE }],
      stdout: { text: HOSTILE, bytes: 400, truncated: false },
    })
    const summary = toSummary(sampleReport(hostile))
    const [, fence = ''] = /^(`{3,})text$/m.exec(summary) ?? []
    expect(fence).toBe('````')
    // Outside of fences nothing of it is markup.
    const outside = summary.replace(/^(`{4,})text\n[^]*?\n\1$/gm, '')
    expect(outside).not.toMatch(/[<>@]|<script|^# heading/m)
    expect(outside).not.toContain('\u001b')
    expect(outside.split('\n').filter((line) => line.startsWith('|'))).toHaveLength(3)
  })

  it('stays below what GitHub takes', () => {
    const stream = { text: 'x'.repeat(200_000), bytes: 200_000, truncated: false }
    const many = Array.from({ length: 200 }, () => failedRecord({ stdout: stream, stderr: stream }))
    const summary = toSummary(sampleReport(...many))
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
    expect(summary).toMatch(/The rest is left out: a summary holds at most 1 MiB\.\n$/)
  })
})
