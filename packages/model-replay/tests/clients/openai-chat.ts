/** The official `openai` client, Chat Completions. */
import OpenAI from 'openai'
import { addTokens, type Conversation, NO_TOKENS, TOOL_OUTPUT, type Tokens } from './conversation.ts'

const TOOL: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: { name: 'bash', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
}

export async function converseChat(url: string, prompt: string, stream: boolean): Promise<Conversation> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  const texts: string[] = []
  const commands: string[] = []
  let reasoning = ''
  let usage: Tokens = NO_TOKENS
  for (;;) {
    const request = { model: 'mock-model', messages, tools: [TOOL] }
    const completion = stream
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(request)
    const message = completion.choices[0]!.message
    messages.push(message)
    if (message.content) texts.push(message.content)
    reasoning += (message as { reasoning_content?: string }).reasoning_content ?? ''
    usage = addTokens(usage, {
      input: completion.usage?.prompt_tokens ?? NaN,
      cached: completion.usage?.prompt_tokens_details?.cached_tokens ?? NaN,
      output: completion.usage?.completion_tokens ?? NaN,
      reasoning: completion.usage?.completion_tokens_details?.reasoning_tokens ?? NaN,
    })
    const calls = message.tool_calls ?? []
    if (calls.length === 0) return { texts, reasoning, commands, usage }
    for (const call of calls) {
      if (call.type !== 'function') throw new Error(`a call of type ${call.type}`)
      commands.push((JSON.parse(call.function.arguments) as { command: string }).command)
      messages.push({ role: 'tool', tool_call_id: call.id, content: TOOL_OUTPUT })
    }
  }
}
