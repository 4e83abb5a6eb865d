/** The real DeepSeek Harness adapter, booted by the real loader, against the Cordis plugin. */
import { fileURLToPath } from 'node:url'
import { boot } from '@deepseek-ai/dsh-app-boot'
import {
  BlockAssembler,
  type CallId,
  createToolResultMessage,
  createUserMessage,
  type Message,
} from '@deepseek-ai/dsh-llm'
import type { ReplayServer } from '@loader-smoke/model-replay'
import { expect, test } from 'vitest'

const BASH = {
  name: 'bash',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
}

test('the DeepSeek adapter holds a two-step tool conversation with the script', async () => {
  process.env['MODEL_REPLAY_TEST_KEY'] = 'not-a-key'
  const ctx = await boot('model-replay-test', fileURLToPath(new URL('fixtures/deepseek/cordis.yml', import.meta.url)))
  const server: ReplayServer = ctx.get('modelReplay')
  const user = createUserMessage({ content: [{ type: 'text', text: 'greet' }], source: { kind: 'user' } })
  const ask = async (messages: Message[]) => {
    const assembler = new BlockAssembler()
    const request = { provider: 'deepseek-official', model: 'deepseek-v4-flash', messages, tools: [BASH] }
    for await (const chunk of ctx.llm.stream(request)) assembler.push(chunk)
    return assembler
  }
  const first = await ask([user])
  expect(first.blocks()).toEqual([
    { type: 'reasoning', text: 'I should look.' },
    { type: 'text', text: 'Looking.' },
    { type: 'tool-call', id: 'call_r1_t1_1_1', name: 'bash', arguments: '{"command":"echo hi"}' },
  ])
  expect(first.finish).toEqual({ kind: 'tool-calls' })
  expect(first.usage).toEqual({ inputTokens: 60, outputTokens: 20, cacheReadTokens: 40, reasoningTokens: 5 })

  const said = first.message()
  const result = createToolResultMessage({
    callId: 'call_r1_t1_1_1' as CallId,
    isError: false,
    content: [{ type: 'text', text: 'hi' }],
  })
  const second = await ask([user, said, result])
  expect(second.blocks()).toEqual([{ type: 'text', text: 'The tool said hi.' }])
  expect(second.finish).toEqual({ kind: 'stop' })
  server.assertConsumed()

  const third = await ask([user, said, result])
  expect(third.finish).toMatchObject({ kind: 'error', failure: { code: 'INVALID_REQUEST', status: 400 } })
  expect(() => server.assertConsumed()).toThrow('request 3 (POST /chat/completions) was refused with 400')

  await ctx.fiber.dispose()
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
})
