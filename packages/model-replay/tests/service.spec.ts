/** The service form that the harness starts beside a bin. */
import { modelService, requestTable, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'

const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 3, reasoningTokens: 1 }

test('passes its addresses in, and reports every request and every deviation', async () => {
  const running = await modelService({
    script: {
      turns: [
        { text: 'one', usage },
        { expect: { user: 'two' }, text: 'two' },
      ],
    },
  }).start()
  const client = new OpenAI({
    apiKey: running.env['OPENAI_API_KEY'],
    baseURL: running.env['OPENAI_BASE_URL'],
    maxRetries: 0,
  })
  const first = await client.responses.create({ model: 'm', input: 'hello' })
  expect(first.output_text).toBe('one')
  await expect(client.responses.create({ model: 'm', input: 'three', previous_response_id: first.id })).rejects.toThrow(
    'Expected: "turn 2" of "conversation 1" where user contains "two"',
  )
  const { failures, facts } = running.report()
  expect(failures).toEqual([
    expect.stringContaining(
      'request 2 (POST /v1/responses) was refused with 400: no turn of script fits this request.',
    ),
    '"turn 2" of "conversation 1" was served 0 of 1 times.\nNext: find out why the app did not ask, take the turn out of the script, or mark it optional: true.',
  ])
  expect(facts.requests).toEqual([
    {
      number: 1,
      model: 'm',
      conversation: 'conversation 1',
      run: 1,
      turn: 'turn 1',
      status: 200,
      outcome: 'answered',
      ...usage,
      atMs: expect.any(Number),
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
    },
    expect.objectContaining({ number: 2, turn: null, status: 400, outcome: 'refused' }),
  ])
  expect(requestTable(facts.requests).split('\n')[1]).toMatch(
    /^1 {2}m +conversation 1\/turn 1 +200 +answered +10 \(4\) +3 \(1\) +\d+ ms +\d+ ms$/,
  )
  await running.stop()
  await expect(fetch(running.env['LOADER_SMOKE_MODEL_URL'] ?? '')).rejects.toThrow('fetch failed')
})

test('plays a recording as a service, and passes real keys in only while it is made', async () => {
  await using folder = await tempWorkspace()
  vi.stubEnv('OPENAI_API_KEY', 'sk-real-key-of-the-user')
  await using provider = await startReplayServer({ script: { turns: [{ text: 'recorded' }] } })
  const recording = folder.file('recording.json')
  const talk = async (mode: 'record' | 'replay') => {
    vi.stubEnv('LOADER_SMOKE_REPLAY', mode)
    vi.stubEnv('CI', '')
    const running = await modelService({ recording, upstream: provider.url }).start()
    const apiKey = running.env['OPENAI_API_KEY']
    const client = new OpenAI({ apiKey, baseURL: running.env['OPENAI_BASE_URL'], maxRetries: 0 })
    const said = (await client.responses.create({ model: 'm', input: 'hello' })).output_text
    const { failures } = running.report()
    await running.stop()
    return { apiKey, said, failures }
  }
  expect(await talk('record')).toEqual({ apiKey: 'sk-real-key-of-the-user', said: 'recorded', failures: [] })
  expect(await talk('replay')).toEqual({ apiKey: 'loader-smoke-replay', said: 'recorded', failures: [] })
  expect(await folder.read('recording.json')).not.toContain('sk-real')
  vi.unstubAllEnvs()
})
