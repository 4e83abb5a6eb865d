/** A Cordis context with the real session store, agent registry and the invariants that DeepSeek Harness checks of both. */
import { Context } from '@deepseek-ai/cordis'
import { type Agent, AgentRegistry } from '@deepseek-ai/dsh-agent'
import * as agentInvariant from '@deepseek-ai/dsh-agent/invariant'
import Invariants from '@deepseek-ai/dsh-invariants'
import { type SessionEvent, SessionStore } from '@deepseek-ai/dsh-session'
import * as sessionInvariant from '@deepseek-ai/dsh-session/invariant'
import * as agentHost from '../src/index.ts'

/** A booted app. */
export interface RealApp extends AsyncDisposable {
  readonly ctx: Context
  /** Every session event, without its time. */
  readonly events: SessionEvent[]
  /** What the app's logger was told. */
  readonly logged: string[]
  /** Unloads agent-host alone. */
  unload(): Promise<void>
}

/** Boots an app with agent-host in it, after `prepare`; rejects with what the plugin rejects with. */
export async function realApp(
  config: agentHost.Config,
  prepare: (ctx: Context) => Promise<void> = async () => {},
): Promise<RealApp> {
  const ctx = new Context()
  const events: SessionEvent[] = []
  const logged: string[] = []
  ctx.logger.exporter({ levels: { default: 3 }, export: ({ args }) => void logged.push(args.join(' ')) })
  await ctx.plugin(Invariants)
  await ctx.plugin(SessionStore)
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(sessionInvariant)
  await ctx.plugin(agentInvariant)
  ctx.on('session/event', (_session, event) => void events.push(event))
  await prepare(ctx)
  const plugin = ctx.plugin(agentHost, config)
  try {
    await plugin
  } catch (error) {
    await ctx.fiber.dispose()
    throw error
  }
  const unload = async () => void (await plugin.dispose())
  return { ctx, events, logged, unload, [Symbol.asyncDispose]: () => ctx.fiber.dispose() }
}

/** `type` of each event, with what tells events of that type apart. */
export function outline(events: readonly SessionEvent[]): string[] {
  return events.map(({ type, data }) => {
    switch (type) {
      case 'assistant/message':
        return `${type} ${data.message.content.map((block) => ('text' in block ? block.text : block.type)).join('+')}`
      case 'tool/call':
        return `${type} ${data.name}`
      case 'tool/result':
        return `${type} ${data.error?.code ?? 'ok'}`
      case 'turn/end':
        return `${type} ${data.reason.kind}`
      case 'assistant/chunk':
        return `${type} ${data.chunk.type}`
      default:
        return type
    }
  })
}

/** The same, without the streamed chunks. */
export function withoutChunks(events: readonly SessionEvent[]): string[] {
  return outline(events.filter(({ type }) => type !== 'assistant/chunk'))
}

/** The one root agent of the app. */
export function rootOf({ ctx }: RealApp): Agent {
  const [root] = ctx.agents.roots()
  if (root === undefined) throw new Error('the app has no root agent')
  return root
}
