/** The official `@anthropic-ai/sdk` client, Messages. */
import Anthropic from '@anthropic-ai/sdk'
import { addTokens, type Conversation, NO_TOKENS, TOOL_OUTPUT, type Tokens } from './conversation.ts'

const TOOL: Anthropic.Tool = {
  name: 'bash',
  input_schema: { type: 'object', properties: { command: { type: 'string' } } },
}

export async function converseMessages(url: string, prompt: string, stream: boolean): Promise<Conversation> {
  const client = new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
  const texts: string[] = []
  const commands: string[] = []
  let reasoning = ''
  let usage: Tokens = NO_TOKENS
  for (;;) {
    const request = { model: 'mock-model', max_tokens: 100, messages, tools: [TOOL] }
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    messages.push({ role: 'assistant', content: message.content })
    const cached = message.usage.cache_read_input_tokens ?? NaN
    usage = addTokens(usage, {
      input: message.usage.input_tokens + cached,
      cached,
      output: message.usage.output_tokens,
      reasoning: message.usage.output_tokens_details?.thinking_tokens ?? NaN,
    })
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const block of message.content) {
      if (block.type === 'text') texts.push(block.text)
      else if (block.type === 'thinking') reasoning += block.thinking
      else if (block.type === 'tool_use') {
        commands.push((block.input as { command: string }).command)
        results.push({ type: 'tool_result', tool_use_id: block.id, content: TOOL_OUTPUT })
      }
    }
    if (results.length === 0) return { texts, reasoning, commands, usage }
    messages.push({ role: 'user', content: results })
  }
}
