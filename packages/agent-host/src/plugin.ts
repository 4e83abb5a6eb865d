/**
 * The Cordis plugin: starts the agent, publishes it in the real registry with a session of its own, and takes both away again.
 *
 * ```yaml
 * - id: codex
 *   name: '@loader-smoke/agent-host'
 *   config: { agent: '@loader-smoke/codex-agent', approvals: allow }
 * ```
 */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { type Agent, agentEvents } from '@deepseek-ai/dsh-agent'
import { SessionId } from '@deepseek-ai/dsh-session'
import type { AgentDefinition, Approval, Event, HostTool } from '@loader-smoke/agent-sdk'
import { appTools } from './agent/app-tools.ts'
import { HostedAgent } from './agent/hosted-agent.ts'
import { loadFactory } from './agent/load-factory.ts'
import { type Config, resolveConfig, type Spec } from './config.ts'
import { toolName } from './turn/tool-text.ts'
import { npmProgramFolders } from './host/program-folders.ts'
import { nodeHost } from './node-host.ts'

export const name = 'agent-host'
export const inject = ['agents', 'sessions']

/** Set by the harness in every process of a smoke (`REPORT_ENV` of @loader-smoke/turn). */
const SMOKE_ENV = 'LOADER_SMOKE_REPORT'
/** How long a cancelled run may take to tell its end, before the agent's program is ended under it. */
const CANCEL_MS = 2_000

/**
 * Resolves once the agent has said that it is ready and is published. Unloading waits until its program is gone.
 * @throws TypeError for a wrong option; Error when the agent can't be loaded or started, or is not signed in.
 */
export async function apply(ctx: Context, config: Config): Promise<void> {
  const spec = resolveConfig(config, { cwd: process.cwd(), inSmoke: Boolean(process.env[SMOKE_ENV]) })
  const baseUrl = ctx.baseUrl ?? `file://${process.cwd()}/`
  const factory = await loadFactory(spec.agent, spec.settings, baseUrl)
  let hosted: HostedAgent | null = null
  const tools = appTools(ctx, spec.tools, () => {
    if (hosted === null) throw new Error('the agent is not published yet')
    return { agent: hosted, signal: hosted.signal }
  })
  const host = nodeHost({
    cwd: spec.workspace,
    env: spec.env,
    programFolders: spec.programFolders ?? npmProgramFolders(fileURLToPath(new URL('.', baseUrl))),
    graceMs: spec.graceMs,
    tools,
  })
  const early: Event[] = []
  let receive = (event: Event): void => void early.push(event)
  const agent = factory(host, (event) => receive(event))
  const ending: (() => unknown)[] = [() => agent.dispose()]
  ctx.effect(() => () => endAll(ending), 'agent-host')
  await start(agent)
  const sessionId = await openSession(agent, spec, tools)
  ctx.fiber.assertActive()
  const published = publish(ctx, spec, agent, sessionId, ending)
  hosted = published
  receive = (event) => published.receive(event)
  for (const event of early) published.receive(event)
}

/** Runs what was registered last first, all of it, and throws what went wrong. */
async function endAll(ending: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const end of ending.splice(0).toReversed()) {
    try {
      await end()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'agent-host: clean-up failed')
}

async function start(agent: AgentDefinition): Promise<void> {
  const { status, warnings } = await agent.initialize()
  // The process's own channel for warnings: a logger of the app may be silent, or print where JSON is expected.
  for (const warning of warnings) process.emitWarning(warning, 'AgentWarning')
  if (status.state === 'auth_required')
    throw new Error(`agent-host: agent '${agent.id}' is not signed in. Next: ${status.message}.`)
}

/** A session with the config's options, each checked by the agent: at the start, not by the first turn. */
async function openSession(
  agent: AgentDefinition,
  { workspace, options, instructions }: Spec,
  tools: readonly HostTool[],
): Promise<string> {
  const known = await agent.list_options({ workspace })
  const ids = known.options.map(({ id }) => id)
  for (const id of Object.keys(options)) {
    if (!ids.includes(id))
      throw new TypeError(
        `agent-host: agent '${agent.id}' has no option '${id}'. Options: ${ids.join(', ') || 'none'}.`,
      )
  }
  const { sessionId } = await agent.create_session({
    workspace,
    options,
    tools: tools.map(({ name: toolName, description, inputSchema }) => ({ name: toolName, description, inputSchema })),
    ...(instructions !== undefined && { instructions }),
  })
  // In the agent's own order: the choice of a model may reset what depends on it.
  for (const optionId of ids) {
    const value = options[optionId]
    if (value !== undefined) await agent.set_option({ sessionId, optionId, value })
  }
  return sessionId
}

function publish(
  ctx: Context,
  spec: Spec,
  agent: AgentDefinition,
  agentSessionId: string,
  ending: (() => unknown)[],
): HostedAgent {
  const id = SessionId(`${spec.id ?? agent.id}-session-${randomUUID()}`)
  const session = ctx.sessions.prepare(id, { meta: { cwd: spec.workspace } })
  const hosted = new HostedAgent(ctx, {
    session,
    agent,
    agentSessionId,
    provider: agent.id,
    model: spec.options['model'] ?? 'default',
    approvals: spec.approvals,
    askPerson: (asking, approval, signal) => askPerson(ctx, asking, approval, signal),
  })
  ending.push(() => hosted.scope.dispose())
  ending.push(hosted.ctx.sessions.enter(session))
  ending.push(ctx.agents.enter(hosted, ctx.agent))
  ending.push(() => quiet(hosted, agent))
  hosted.ctx.sessions.announce(session)
  ctx.agents.announce(hosted)
  agentEvents(ctx, hosted).emit('agent/session-start', { source: 'startup' })
  return hosted
}

/** Ends the open turn, so that its end is in the log before the session goes; an agent that doesn't end it loses its program. */
async function quiet(hosted: HostedAgent, agent: AgentDefinition): Promise<void> {
  hosted.cancel({ kind: 'disposed' })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, CANCEL_MS, 'late')
  })
  const first = await Promise.race([hosted.whenIdle(), late])
  clearTimeout(timer)
  if (first !== 'late') return
  await agent.dispose()
  hosted.abandon()
  await hosted.whenIdle()
}

/** The service of `@deepseek-ai/dsh-user-approval`, as far as it is needed; an app without it grants nothing. */
interface ApprovalService {
  request(request: {
    readonly agent: Agent
    readonly toolName: string
    readonly callId?: string
    readonly reason: string
    readonly signal: AbortSignal
  }): Promise<string>
}

async function askPerson(
  ctx: Context,
  agent: Agent,
  { title, toolCall, description }: Approval,
  signal: AbortSignal,
): Promise<boolean> {
  const service = ctx.get('approval') as ApprovalService | undefined
  const outcome = await service?.request({
    agent,
    toolName: toolCall === undefined ? 'tool' : toolName(toolCall),
    ...(toolCall !== undefined && { callId: toolCall.id }),
    reason: description ?? title,
    signal,
  })
  return outcome === 'allowed-once'
}
