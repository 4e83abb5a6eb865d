import { describe, expect, test } from 'vitest'
import { totalsOfReport } from '../test-totals.ts'

const report = (status: string, ...tests: readonly [string, string][]) =>
  JSON.stringify({
    testResults: [
      { name: '/a.spec.ts', status, assertionResults: tests.map(([fullName, status]) => ({ fullName, status })) },
    ],
  })

describe('totals of a test report', () => {
  const cases = [
    {
      title: 'counts passed and failed tests',
      json: report('failed', ['a', 'passed'], ['b', 'failed']),
      skipsFail: true,
      want: { passed: 1, failed: 1 },
      said: [],
    },
    {
      title: 'counts a file that did not load as one failure',
      json: report('failed'),
      skipsFail: true,
      want: { passed: 0, failed: 1 },
      said: ['failed outside its tests: /a.spec.ts'],
    },
    {
      title: 'counts a skipped test as failed in CI',
      json: report('passed', ['a', 'passed'], ['b', 'skipped']),
      skipsFail: true,
      want: { passed: 1, failed: 1 },
      said: ['skipped (counted as failed: CI runs everything that can run here): b'],
    },
    {
      title: 'prints a skipped test elsewhere',
      json: report('passed', ['b', 'pending']),
      skipsFail: false,
      want: { passed: 0, failed: 0 },
      said: ['skipped: b'],
    },
    {
      title: 'allows a skip that has a reason',
      json: report('passed', ['mac only', 'skipped']),
      skipsFail: true,
      want: { passed: 0, failed: 0 },
      said: ['skipped: mac only: needs macOS'],
    },
  ]
  test.each(cases)('$title', ({ json, skipsFail, want, said }) => {
    const lines: string[] = []
    const totals = totalsOfReport(json, {
      skipsFail,
      allowed: { 'mac only': 'needs macOS' },
      say: (line) => lines.push(line),
    })
    expect(totals).toEqual(want)
    expect(lines).toEqual(said)
  })
})
