/** Records of real runs of small programs. */
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../../src/config/option-error.ts'
import type { LoaderSmokeOptions } from '../../src/config/options.ts'
import { recordSmoke } from '../../src/recorded.ts'
import { toJson } from '../../src/report/json.ts'
import { sampleReport } from './sample.ts'

async function recordOf(program: string, options: Partial<LoaderSmokeOptions> = {}) {
  await using folder = await tempWorkspace({ 'src/bin.mjs': program })
  const bin = folder.file('src/bin.mjs')
  const record = await recordSmoke(
    { label: 'app', binScript: bin, libBinScript: bin, mode: 'lib', envMode: 'strict', ...options },
    folder.path,
  )
  return { record, bin }
}

/** Code that appends a line to the report file. */
const report = (fields: string) =>
  `appendFileSync(process.env.LOADER_SMOKE_REPORT, JSON.stringify({ v: 1, ${fields} }) + '\\n')`

describe('the record', () => {
  it('of a pass has the facts and no reason', async () => {
    const { record, bin } = await recordOf('console.log("out"); console.error("err")', {
      env: { MINE: 'value-of-mine' },
    })
    expect(record).toMatchObject({
      label: 'app',
      mode: 'lib',
      verdict: 'pass',
      reasons: [],
      next: [],
      rerun: null,
      location: null,
      exitCode: 0,
      stdout: { text: 'out\n', bytes: 4, truncated: false },
      stderr: { text: 'err\n', bytes: 4, truncated: false },
      command: [process.execPath, bin],
    })
    expect(record.durationMs).toBeGreaterThan(0)
    expect(Math.abs((record.startedAtMs ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(record.envNames).toEqual(expect.arrayContaining(['DSH_HOME', 'MINE', 'PATH']))
    expect(toJson(sampleReport(record))).not.toContain('value-of-mine')
  })

  it('of a failure has every reason, what to do next, where it points to, and how to run it again', async () => {
    const { record, bin } = await recordOf('function boot() {\n  throw new Error("no luck")\n}\nboot()', {
      turn: 'required',
      configPath: '/nowhere/cordis.yml',
    })
    expect(record).toMatchObject({
      verdict: 'fail',
      reasons: [
        { check: 'exit-code', line: 'app exited 1 (expected 0).' },
        { check: 'turn', line: 'app drove no turn (expected one).' },
      ],
      location: { file: bin, line: 2 },
      exitCode: 1,
    })
    expect(record.next).toEqual([expect.stringContaining('/nowhere/cordis.yml is not there')])
    expect(record.rerun).toContain(bin)
  })

  it('of a run that could not start has the reason and no facts', async () => {
    const { record } = await recordOf('', { libBinScript: '/nowhere/lib/bin.js' })
    expect(record).toMatchObject({ verdict: 'error', durationMs: null, exitCode: null, turns: [], envNames: [] })
    expect(record.reasons[0]?.line).toMatch(/^app has no built entry \/nowhere\/lib\/bin\.js/)
  })

  it('masks secrets in every text, and holds no more of a stream than its bound', async () => {
    const secret = 'sk-very-secret-value'
    const { record } = await recordOf(
      'process.stdout.write("x".repeat(400_000) + process.env.MY_API_KEY); console.error(process.env.MY_API_KEY); process.exitCode = 3',
      { env: { MY_API_KEY: secret } },
    )
    expect(toJson(sampleReport(record))).not.toContain(secret)
    expect(record.stderr.text).toBe('[redacted]\n')
    expect(record.stdout).toMatchObject({ bytes: 400_020, truncated: true })
    expect(record.stdout.text.length).toBeLessThan(270_000)
    expect(record.stdout.text).toMatch(/\[redacted\]$/)
  })

  it('has the turns with their times, tools and steps, and the requests of a model service', async () => {
    const { record } = await recordOf(
      `import { appendFileSync } from 'node:fs'
       const atMs = Date.now()
       ${report("type: 'turn-start', turn: 1, sessionId: 's', atMs")}
       ${report(
         "type: 'turn-end', turn: 1, atMs: atMs + 50, envelope: { type: 'result', sessionId: 's', output: 'hi', usage: { inputTokens: 3, outputTokens: 4 } }, tools: [{ name: 'bash', callId: 'c', atMs: atMs + 20 }], steps: [{ step: 1, startedAtMs: atMs + 10, endedAtMs: atMs + 15, usage: { inputTokens: 3, outputTokens: 4 } }]",
       )}`,
      {
        services: [
          {
            start: () => ({
              stop() {},
              report: () => ({
                failures: [],
                facts: {
                  requests: [
                    {
                      number: 1,
                      model: 'm',
                      status: 200,
                      outcome: 'answered',
                      totalMs: 5,
                      inputTokens: 3,
                      outputTokens: 4,
                      atMs: Date.now(),
                    },
                    'junk',
                  ],
                },
              }),
            }),
          },
        ],
      },
    )
    const [turn] = record.turns
    const start = turn?.startedMs ?? NaN
    expect(start).toBeGreaterThanOrEqual(0)
    expect(turn).toEqual({
      state: 'ended',
      turn: 1,
      startedMs: start,
      endedMs: start + 50,
      output: 'hi',
      reason: null,
      usage: { inputTokens: 3, outputTokens: 4 },
      tools: [{ name: 'bash', atMs: start + 20 }],
      steps: [{ step: 1, startedMs: start + 10, endedMs: start + 15, usage: { inputTokens: 3, outputTokens: 4 } }],
    })
    expect(record.requests).toMatchObject([{ number: 1, model: 'm', status: 200, durationMs: 5, inputTokens: 3 }])
  })

  it('is none for options that can not be run with', async () => {
    await expect(recordOf('', { graceMs: -1 })).rejects.toThrow(OptionError)
  })
})
