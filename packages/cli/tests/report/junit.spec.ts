import { toJunit } from '@loader-smoke/harness/report'
import { describe, expect, it } from 'vitest'
import { failedRecord, HOSTILE, sampleRecord, sampleReport } from '../../../harness/tests/report/sample.ts'
import { parseJunit } from './junit-rules.ts'

const casesOf = (xml: string) => parseJunit(xml).children[0]?.children.filter(({ name }) => name === 'testcase') ?? []

describe('the JUnit report', () => {
  it('holds one case for each smoke with its time, streams and outcome', () => {
    const root = parseJunit(
      toJunit(sampleReport(sampleRecord(), failedRecord({ label: 'web.app' }), failedRecord({ verdict: 'error' }))),
    )
    expect(root.attributes).toEqual({ name: 'loader-smoke', time: '2.500', tests: '3', failures: '1', errors: '1' })
    expect(root.children[0]?.attributes).toMatchObject({ skipped: '0', timestamp: '2023-11-14T22:13:20' })
    const cases = casesOf(
      toJunit(sampleReport(sampleRecord(), failedRecord({ label: 'web.app' }), failedRecord({ verdict: 'error' }))),
    )
    expect(cases.map(({ attributes }) => attributes)).toEqual([
      { name: 'app (src)', classname: 'loader-smoke.app', time: '1.250' },
      { name: 'web.app (src)', classname: 'loader-smoke.web_app', time: '1.250' },
      { name: 'app (src)', classname: 'loader-smoke.app', time: '1.250' },
    ])
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['system-out', 'system-err'],
      ['failure', 'system-out', 'system-err'],
      ['error', 'system-out', 'system-err'],
    ])
    expect(cases[1]?.children[0]).toMatchObject({
      attributes: { type: 'exit-code', message: 'app exited 7 (expected 0).' },
      text: 'app exited 7 (expected 0).\napp root agent failed: no luck\nNext: look at the log.\nat /repo/app/src/bin.ts:3\nRun it again: loader-smoke run app',
    })
  })

  it('is valid whatever a fixture wrote, and keeps its text', () => {
    const hostile = failedRecord({
      label: HOSTILE,
      reasons: [{ check: 'turn', line: HOSTILE }],
      stdout: { text: HOSTILE, bytes: 400, truncated: false },
    })
    const [one] = casesOf(toJunit(sampleReport(hostile)))
    expect(one?.children[1]?.text).toContain('<script>document.title="owned"</script>')
    expect(one?.children[1]?.text).toContain(']]> <!-- &amp; ␀␈')
    expect(one?.children).toHaveLength(3)
  })

  it('is bounded', () => {
    const stream = { text: '<'.repeat(250_000), bytes: 9_000_000, truncated: true }
    const [one] = casesOf(toJunit(sampleReport(sampleRecord({ stdout: stream }))))
    expect(one?.children[0]?.text).toMatch(/\[\.\.\. \d+ of 9000000 bytes left out \.\.\.\]/)
    expect(one?.children[0]?.text.length).toBeLessThan(70_000)
  })
})

it.each([
  ['<testsuites><testsuite name="a" tests="1" failures="0"/></testsuites>', 'has no errors'],
  ['<testsuites><testcase name="a"/></testsuites>', 'may not hold testcase'],
  ['<testsuites x="1"/>', 'may not have x'],
  ['<testsuites time="1 s"/>', 'has the time 1 s'],
  ['<testsuites>text</testsuites>', 'has text'],
  ['<testsuites>\u0008</testsuites>', 'a character that XML forbids'],
  ['<testsuites>&#8;</testsuites>', 'a character that XML forbids'],
  ['<testsuites>', 'not well-formed'],
])('the rules refuse %j', (xml, message) => {
  expect(() => parseJunit(xml)).toThrow(message)
})
