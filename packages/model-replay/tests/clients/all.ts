/** All real clients, each by the conversation it holds. */
import { converseMessages } from './anthropic-messages.ts'
import { converseCodex } from './codex-cli.ts'
import type { Conversation } from './conversation.ts'
import { converseDeepseek } from './deepseek-adapter.ts'
import { converseChat } from './openai-chat.ts'
import { converseResponses } from './openai-responses.ts'

export const CONVERSATIONS: readonly (readonly [string, (url: string, prompt: string) => Promise<Conversation>])[] = [
  ['the real Codex CLI', converseCodex],
  ['the real DeepSeek Harness adapter', converseDeepseek],
  ['openai, Chat Completions, streamed', (url, prompt) => converseChat(url, prompt, true)],
  ['openai, Chat Completions, whole', (url, prompt) => converseChat(url, prompt, false)],
  ['openai, Responses, streamed', (url, prompt) => converseResponses(url, prompt, true)],
  ['openai, Responses, whole', (url, prompt) => converseResponses(url, prompt, false)],
  ['@anthropic-ai/sdk, streamed', (url, prompt) => converseMessages(url, prompt, true)],
  ['@anthropic-ai/sdk, whole', (url, prompt) => converseMessages(url, prompt, false)],
]
