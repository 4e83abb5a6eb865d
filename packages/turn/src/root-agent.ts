/** Finds the one root agent of a booted app, waiting for it when the app publishes it late. */
import type { AgentRegistry, FixtureContext, RootAgent } from './context.ts'
import { TurnError } from './turn-error.ts'

/** How long an app may take to publish its first root agent after it booted, in milliseconds. */
export const PUBLISH_TIMEOUT_MS = 10_000

/**
 * The only root agent of `ctx`. A configured agent is published after the loader has settled (its session is created or
 * read back first), so an empty registry is waited for: at most `publishTimeoutMs`, on the event `agent/created`.
 * @throws TurnError kind `no-root` at once when there is no `agents` service or more than one root; else when the time is over.
 */
export async function onlyRootAgent(ctx: FixtureContext, publishTimeoutMs = PUBLISH_TIMEOUT_MS): Promise<RootAgent> {
  const registry = ctx.get('agents')
  if (!registry)
    throw notOne(
      0,
      'No `agents` service is registered in this context. Next: add @deepseek-ai/dsh-agent (or what provides `agents`) to the config, and pass the context that boot() returned.',
    )
  if (registry.roots().length === 0) await firstPublished(ctx, registry, publishTimeoutMs)
  const roots = registry.roots()
  const [agent] = roots
  if (agent === undefined)
    throw notOne(
      0,
      `No agent was published within ${publishTimeoutMs / 1000}s. Next: check that the config declares one (\`agents\` of the agent loop), and that its session can be created.`,
    )
  if (roots.length > 1)
    throw notOne(
      roots.length,
      `Sessions: ${roots.map((root) => root.session?.id ?? 'unnamed').join(', ')}. Next: leave one agent in the config that this turn boots.`,
    )
  return agent
}

/** Resolves when a root agent is there and still there after the listeners of its publication ran, or when the time is over. */
function firstPublished(ctx: FixtureContext, registry: AgentRegistry, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      dispose()
      resolve()
    }
    // A listener may veto a publication, which takes the agent out again: looked at once the dispatch is over.
    const dispose = ctx.on('agent/created', () => queueMicrotask(() => registry.roots().length > 0 && end()))
    const timer = setTimeout(end, timeoutMs)
  })
}

function notOne(count: number, hint: string): TurnError {
  const message = `fixture turn requires exactly one top-level agent, found ${count}. ${hint}`
  return new TurnError('no-root', message, message)
}
