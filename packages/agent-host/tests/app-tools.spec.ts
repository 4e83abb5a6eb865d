import type { Context } from '@deepseek-ai/cordis'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { defineTool, ToolRuntime } from '@deepseek-ai/dsh-tools'
import { runFixtureTurn } from '@loader-smoke/turn'
import { expect, it } from 'vitest'
import { realApp, rootOf } from './real-app.ts'
import { completed, scriptedAgent, SESSION, text } from './scripted-agent.ts'

const render = (_args: unknown, value: string) => [{ type: 'text' as const, text: value }]

/** The real tool service with a tool that tells for whom it runs, and one that fails. */
async function withTools(ctx: Context, seen: unknown[] = []): Promise<void> {
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRuntime)
  ctx.tools.register(
    defineTool({
      name: 'clock',
      description: 'Tells the time',
      parameters: { zone: { type: 'string' } },
      output: { schema: { type: 'string' }, render },
      async execute(input, { agent }) {
        seen.push({ input, agent: agent?.id })
        return 'twelve'
      },
    }),
  )
  ctx.tools.register(
    defineTool({
      name: 'broken',
      description: 'Fails',
      parameters: {},
      output: { schema: { type: 'string' }, render },
      async execute(): Promise<string> {
        throw new Error('the spring is loose')
      },
    }),
  )
}

it('offers the named tools of the app to the agent, which runs them as its own', async () => {
  const seen: unknown[] = []
  const scripted = scriptedAgent([
    async ({ emit }) => {
      const call = { agentId: 'scripted', sessionId: SESSION, name: 'clock', input: { zone: 'UTC' }, callId: 'c1' }
      const result = await scripted.host?.tools.call(call)
      emit(text('m', result?.content[0]?.text ?? 'nothing'))
      emit(completed)
    },
  ])
  await using app = await realApp({ agent: scripted.factory, tools: ['clock'] }, (ctx) => withTools(ctx, seen))
  expect((await runFixtureTurn(app.ctx, { task: 'What time is it?' })).output).toBe('twelve')
  expect(seen).toEqual([{ input: { zone: 'UTC' }, agent: rootOf(app).id }])
  expect(scripted.created).toMatchObject([
    { tools: [{ name: 'clock', description: 'Tells the time', inputSchema: { type: 'object' } }] },
  ])
})

it('gives the failure of a tool to the model', async () => {
  const scripted = scriptedAgent([
    async ({ emit }) => {
      const call = { agentId: 'scripted', sessionId: SESSION, name: 'broken', input: {}, callId: 'c1' }
      emit(text('m', await Promise.resolve(scripted.host?.tools.call(call)).then(String, String)))
      emit(completed)
    },
  ])
  await using app = await realApp({ agent: scripted.factory, tools: ['broken'] }, withTools)
  expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toContain('the spring is loose')
})

it('refuses a tool that the app does not have, and tools without the service', async () => {
  const { factory } = scriptedAgent([])
  await expect(realApp({ agent: factory, tools: ['clok'] }, withTools)).rejects.toThrow(
    new Error("agent-host: tools names 'clok', which the app does not have. It has: clock, broken."),
  )
  await expect(realApp({ agent: factory, tools: ['clock'] })).rejects.toThrow(
    new Error(
      "agent-host: tools names clock, but the app has no service `tools`. Next: add @deepseek-ai/dsh-tools to the config, and `inject: [tools]` to agent-host's row.",
    ),
  )
})
