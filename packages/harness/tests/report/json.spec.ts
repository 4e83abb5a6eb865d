import { describe, expect, it } from 'vitest'
import { countVerdicts, fromJson, toJson, tokensOf } from '../../src/report/json.ts'
import { failedRecord, HOSTILE, sampleRecord, sampleReport } from './sample.ts'

describe('the JSON report', () => {
  it('comes back as it was written', () => {
    const report = sampleReport(
      sampleRecord(),
      failedRecord({ stdout: { text: HOSTILE.toWellFormed(), bytes: 9, truncated: false } }),
    )
    expect(fromJson(toJson(report))).toEqual(report)
  })

  it.each(['', '{', 'null', '[]', '{"version":2,"smokes":[]}', '{"version":1}', '{"version":1,"smokes":[null]}'])(
    'is not read from %j',
    (text) => {
      expect(fromJson(text)).toBeNull()
    },
  )

  it('is counted', () => {
    expect(countVerdicts(sampleReport(sampleRecord(), failedRecord(), failedRecord({ verdict: 'error' })))).toEqual({
      pass: 1,
      fail: 1,
      error: 1,
    })
    expect(tokensOf(sampleRecord())).toEqual({ input: 30, output: 7 })
    expect(tokensOf(failedRecord())).toBeNull()
  })
})
