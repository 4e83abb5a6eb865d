import { runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import '@loader-smoke/harness/vitest'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'

const report = `import { appendFileSync } from 'node:fs'
const line = (fields) => appendFileSync(process.env.LOADER_SMOKE_REPORT, JSON.stringify({ v: 1, turn: 1, atMs: Date.now(), ...fields }) + '\\n')
line({ type: 'turn-start', sessionId: 's' })
line({ type: 'turn-end', envelope: { type: 'result', sessionId: 's', output: 'smoke 42', usage: { inputTokens: 30, outputTokens: 4 } }, tools: [{ name: 'bash', callId: 'c' }] })
`

async function resultOf(program: string, expectedExitCode = 0) {
  await using folder = await tempWorkspace({ 'src/bin.mjs': program })
  const bin = folder.file('src/bin.mjs')
  return await runLoaderSmoke({ label: 'app', binScript: bin, libBinScript: bin, mode: 'lib', expectedExitCode })
}

describe('the matchers', () => {
  it('say what a run answered, how it ended and what it used', async () => {
    const result = await resultOf(report)
    expect(result).toHaveAnswered('42')
    expect(result).toHaveAnswered(/^smoke \d+$/)
    expect(result).toHaveExited(0)
    expect(result).toHaveUsed('bash')
    expect(result).toHaveUsed({ tools: ['bash'], maxTokens: 34 })
    expect(result).not.toHaveAnswered('43')
    expect(result).not.toHaveExited('SIGTERM')
    expect(result).not.toHaveUsed(['bash', 'read'])
    expect(result).not.toHaveUsed({ maxTokens: 33 })
    expect(() => expect(result).toHaveAnswered('43')).toThrow(
      'the answer was "smoke 42"; like "43" was what it should be, or not be',
    )
    expect(() => expect(result).toHaveExited(3)).toThrow('the bin ended with 0; 3 was what it should be, or not be')
    expect(() => expect(result).toHaveUsed({ tools: ['read'], maxTokens: 5 })).toThrow(
      'the tools called were bash, with 34 tokens; expected, or not, read and at most 5 tokens',
    )
  })

  it('take the error of a smoke that failed, and nothing else', async () => {
    const error: unknown = await resultOf('process.exit(7)').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SmokeError)
    expect(error).toHaveExited(7)
    expect(error).not.toHaveAnswered('x')
    expect(error).not.toHaveUsed({ maxTokens: 1_000_000 })
    expect(() => expect('text').toHaveExited(0)).toThrow('toHaveExited takes what runLoaderSmoke resolved with')
  })

  it('are typed', async () => {
    const result = await resultOf(report)
    // @ts-expect-error an exit code is a number, a signal a name of one
    expect(() => expect(result).toHaveExited('seven')).toThrow('the bin ended with 0')
    // @ts-expect-error an answer is a text or a pattern
    expect(() => expect(result).toHaveAnswered(7)).toThrow(
      'toHaveAnswered must be a text that is not empty, a RegExp, or { pattern, flags }, got 7',
    )
  })
})
