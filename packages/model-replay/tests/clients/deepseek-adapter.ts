/** The real DeepSeek Harness adapter, booted by the real loader. */
import { fileURLToPath } from 'node:url'
import { boot } from '@deepseek-ai/dsh-app-boot'
import { BlockAssembler, createToolResultMessage, createUserMessage, type Message } from '@deepseek-ai/dsh-llm'
import { addTokens, type Conversation, NO_TOKENS, TOOL_OUTPUT, type Tokens } from './conversation.ts'

const TOOL = {
  name: 'bash',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } } },
}

/** Rejects with the adapter's code and message when it reports an error. */
export async function converseDeepseek(url: string, prompt: string): Promise<Conversation> {
  const ctx = await bootFor(url)
  try {
    const messages: Message[] = [
      createUserMessage({ content: [{ type: 'text', text: prompt }], source: { kind: 'user' } }),
    ]
    const texts: string[] = []
    const commands: string[] = []
    let reasoning = ''
    let usage: Tokens = NO_TOKENS
    for (;;) {
      const assembler = new BlockAssembler()
      const request = { provider: 'deepseek-official', model: 'deepseek-v4-flash', messages, tools: [TOOL] }
      for await (const chunk of ctx.llm.stream(request)) assembler.push(chunk)
      const { finish } = assembler
      if (finish.kind === 'error') throw new Error(`${finish.failure.code}: ${finish.failure.message}`)
      messages.push(assembler.message())
      const used = assembler.usage
      const cached = used?.cacheReadTokens ?? 0
      usage = addTokens(usage, {
        input: (used?.inputTokens ?? NaN) + cached,
        cached,
        output: used?.outputTokens ?? NaN,
        reasoning: used?.reasoningTokens ?? 0,
      })
      let called = false
      for (const block of assembler.blocks()) {
        if (block.type === 'text') texts.push(block.text)
        else if (block.type === 'reasoning') reasoning += block.text
        else if (block.type === 'tool-call') {
          called = true
          commands.push((JSON.parse(block.arguments) as { command: string }).command)
          const content = [{ type: 'text', text: TOOL_OUTPUT } as const]
          messages.push(createToolResultMessage({ callId: block.id, isError: false, content }))
        }
      }
      if (!called) return { texts, reasoning, commands, usage }
    }
  } finally {
    await ctx.fiber.dispose()
  }
}

const config = fileURLToPath(new URL('../fixtures/adapter/cordis.yml', import.meta.url))
let lastBoot: Promise<unknown> = Promise.resolve()

/** One boot after the other: the config reads its address from the environment, which all of them share. */
function bootFor(url: string): ReturnType<typeof boot> {
  const booted = lastBoot.then(() => {
    process.env['MODEL_REPLAY_TEST_URL'] = url
    process.env['MODEL_REPLAY_TEST_KEY'] = 'none'
    return boot('model-replay-test', config)
  })
  lastBoot = booted.catch(() => undefined)
  return booted
}
