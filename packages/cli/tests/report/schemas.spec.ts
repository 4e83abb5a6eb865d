/** The published schemas, by a checker that editors use, against what the program itself takes and writes. */
import { readFileSync } from 'node:fs'
import { recordSmoke } from '@loader-smoke/harness'
import { checkSmokeFile } from '@loader-smoke/harness/config'
import { tempWorkspace } from '@loader-smoke/testkit'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { failedRecord, sampleRecord, sampleReport } from '../../../harness/tests/report/sample.ts'

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../harness/${name}.schema.json`, import.meta.url), 'utf8')) as object

describe('report.schema.json', () => {
  it('describes every field of a report', async () => {
    // Published, it allows further fields; here one that it doesn't describe is a mistake.
    const strict = JSON.parse(JSON.stringify(schemaOf('report')), (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'properties' in value
        ? { ...value, additionalProperties: false }
        : value,
    ) as object
    await using folder = await tempWorkspace({ 'src/bin.mjs': 'console.error("x"); process.exitCode = 3' })
    const bin = folder.file('src/bin.mjs')
    const record = await recordSmoke({ label: 'real', binScript: bin, libBinScript: bin, mode: 'lib' }, folder.path)
    const ajv = new Ajv()
    ajv.validate(strict, JSON.parse(JSON.stringify(sampleReport(sampleRecord(), failedRecord(), record))))
    expect(ajv.errors).toBeNull()
    ajv.validate(strict, { ...sampleReport(), more: 1 })
    expect(ajv.errors).toHaveLength(1)
  })

  it('allows a field that a later version adds', () => {
    expect(new Ajv().validate(schemaOf('report'), { ...sampleReport(), more: 1 })).toBe(true)
  })
})

const bySchema = new Ajv({ strict: false }).compile(schemaOf('smoke-config'))

function byProgram(content: object): boolean {
  try {
    checkSmokeFile(content, '/app/smoke.config.json')
    return true
  } catch {
    // The program refuses by throwing; its words are another test's matter.
    return false
  }
}

describe('smoke-config.schema.json', () => {
  it.each([
    [true, { bin: 'b.ts' }],
    [
      true,
      {
        $schema: 'x',
        binScript: 'b.ts',
        mode: 'lib',
        timeout: 5,
        env: { A: null, B: 'x' },
        args: ['x'],
        passEnv: ['X'],
      },
    ],
    [
      true,
      {
        bin: 'b.ts',
        model: { script: 'm.yml' },
        turn: { output: { pattern: 'x' } },
        expect: { tools: ['bash'], files: [{ path: 'a' }] },
      },
    ],
    [true, { bin: 'b.ts', fixtures: [{ label: 'a' }, { label: 'b', bin: 'c.ts' }] }],
    [false, {}],
    [false, { bin: 7 }],
    [false, { bin: 'b.ts', tmeout: 5 }],
    [false, { bin: 'b.ts', timeout: 0 }],
    [false, { bin: 'b.ts', mode: 'lbi' }],
    [false, { bin: 'b.ts', args: 'x' }],
    [false, { bin: 'b.ts', model: 'm.yml' }],
    [false, { bin: 'b.ts', prepare: 'x' }],
    [false, { bin: 'b.ts', fixtures: [] }],
    [false, { bin: 'b.ts', label: 'x', fixtures: [{ label: 'a' }] }],
    [false, { fixtures: [{ label: 'a', bin: 'b.ts', lable: 'x' }] }],
  ])('says %s of the same as the program: %j', (expected, content) => {
    expect({ schema: bySchema(content), program: byProgram(content) }).toEqual({ schema: expected, program: expected })
  })
})
