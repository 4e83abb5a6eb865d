/** The official `openai` client, Responses. */
import OpenAI from 'openai'
import { addTokens, type Conversation, NO_TOKENS, TOOL_OUTPUT, type Tokens } from './conversation.ts'

const TOOL: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'bash',
  strict: false,
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
}

export async function converseResponses(url: string, prompt: string, stream: boolean): Promise<Conversation> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 })
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: prompt }]
  const texts: string[] = []
  const commands: string[] = []
  let reasoning = ''
  let usage: Tokens = NO_TOKENS
  for (;;) {
    const request = { model: 'mock-model', input, tools: [TOOL] }
    const response = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request)
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
    if (response.output_text !== '') texts.push(response.output_text)
    usage = addTokens(usage, {
      input: response.usage?.input_tokens ?? NaN,
      cached: response.usage?.input_tokens_details.cached_tokens ?? NaN,
      output: response.usage?.output_tokens ?? NaN,
      reasoning: response.usage?.output_tokens_details.reasoning_tokens ?? NaN,
    })
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [item as OpenAI.Responses.ResponseFunctionToolCall] : [],
    )
    for (const item of response.output) {
      if (item.type === 'reasoning') reasoning += item.summary.map(({ text }) => text).join('')
    }
    if (calls.length === 0) return { texts, reasoning, commands, usage }
    for (const call of calls) {
      commands.push((JSON.parse(call.arguments) as { command: string }).command)
      input.push({ type: 'function_call_output', call_id: call.call_id, output: TOOL_OUTPUT })
    }
  }
}
