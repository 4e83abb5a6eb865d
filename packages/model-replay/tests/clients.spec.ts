/** One script, every client: the same two-step tool conversation through all of them, with equal outputs. */
import { fileURLToPath } from 'node:url'
import { startReplayServer } from '@loader-smoke/model-replay'
import { expect, test } from 'vitest'
import { converseMessages } from './clients/anthropic-messages.ts'
import { converseCodex } from './clients/codex-cli.ts'
import type { Conversation } from './clients/conversation.ts'
import { converseDeepseek } from './clients/deepseek-adapter.ts'
import { converseChat } from './clients/openai-chat.ts'
import { converseResponses } from './clients/openai-responses.ts'

const script = fileURLToPath(new URL('fixtures/two-steps.yml', import.meta.url))

const CLIENTS: readonly (readonly [string, (url: string, prompt: string) => Promise<Conversation>])[] = [
  ['the real Codex CLI', converseCodex],
  ['the real DeepSeek Harness adapter', converseDeepseek],
  ['openai, Chat Completions, streamed', (url, prompt) => converseChat(url, prompt, true)],
  ['openai, Chat Completions, whole', (url, prompt) => converseChat(url, prompt, false)],
  ['openai, Responses, streamed', (url, prompt) => converseResponses(url, prompt, true)],
  ['openai, Responses, whole', (url, prompt) => converseResponses(url, prompt, false)],
  ['@anthropic-ai/sdk, streamed', (url, prompt) => converseMessages(url, prompt, true)],
  ['@anthropic-ai/sdk, whole', (url, prompt) => converseMessages(url, prompt, false)],
]

test.each(CLIENTS)('%s holds the same conversation with the same script', async (_name, converse) => {
  await using server = await startReplayServer({ script })
  const conversation = await converse(server.url, 'greet')
  server.assertConsumed()
  expect(conversation).toEqual({
    texts: ['Looking.', 'The tool said hi.'],
    reasoning: 'I should look.',
    commands: ['echo hi'],
    usage: { input: 230, cached: 140, output: 27, reasoning: 5 },
  })
})
