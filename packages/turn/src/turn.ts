/** Drives one task through the one root agent of a booted app. */
import type { FixtureContext, RootAgent, SessionEvent, SessionRef } from './context.ts'
import { type FixtureTurnResult, TurnFold, type TurnFacts } from './envelope.ts'
import { report } from './report.ts'
import { onlyRootAgent } from './root-agent.ts'
import { TurnError, type TurnFailureKind } from './turn-error.ts'

/** Options of {@link runFixtureTurn}. */
export interface FixtureTurnOptions {
  /** What is asked of the agent: the text of one user message. */
  readonly task: string
  /** Sees every event of the turn's session, from the one that put the task into the inbox. What it throws rejects the turn. */
  onEvent?(sessionId: string, event: SessionEvent): void
  /** How long to wait for the first root agent, in milliseconds. Default 10,000. */
  readonly publishTimeoutMs?: number
}

let turns = 0

/**
 * Gives `task` to the only root agent of `ctx` and resolves with the answer once the agent is idle and its session is stored.
 * May be called again for a further turn. When the harness set `LOADER_SMOKE_REPORT`, the turn's start and its end or failure are
 * written there too, so a failure counts even when the caller swallows the rejection.
 * @throws TurnError when there is not exactly one root agent, or when the turn ended in any way but `completed`; nothing is flushed then.
 *   An error of the agent itself, of `onEvent` or of the session store comes through unchanged.
 */
export async function runFixtureTurn(ctx: FixtureContext, options: FixtureTurnOptions): Promise<FixtureTurnResult> {
  const turn = ++turns
  let agent: RootAgent | undefined
  try {
    checkOptions(options)
    agent = await as('no-root', () => onlyRootAgent(ctx, options.publishTimeoutMs))
    report({ type: 'turn-start', turn, sessionId: agent.session.id })
    const { output, usage, tools, steps } = await drive(ctx, agent, options)
    const envelope = { type: 'result', sessionId: agent.session.id, output, ...(usage && { usage }) } as const
    report({ type: 'turn-end', turn, envelope, tools, steps })
    return envelope
  } catch (thrown) {
    const { kind, error } = thrown instanceof Tagged ? thrown : { kind: 'agent', error: thrown }
    const sessionId = agent?.session.id ?? null
    const message = error instanceof Error ? error.message : String(error)
    if (agent === undefined) report({ type: 'turn-start', turn, sessionId })
    report({
      type: 'turn-failed',
      turn,
      sessionId,
      reason: error instanceof TurnError ? error.reason : message,
      kind: error instanceof TurnError ? error.kind : kind,
      message,
    })
    throw error
  }
}

/** Sends the task, follows it until the agent is idle, and stores the session. */
async function drive(ctx: FixtureContext, agent: RootAgent, options: FixtureTurnOptions): Promise<TurnFacts> {
  const { session } = agent
  await agent.whenIdle()
  const message = Object.freeze({
    id: crypto.randomUUID(),
    role: 'user',
    content: [{ type: 'text', text: options.task }],
    source: { kind: 'user' },
  })
  const seen: { fold?: TurnFold; observerError?: { readonly error: unknown } } = {}
  const dispose = ctx.on('session/event', (from, event) => {
    if (from !== session) return
    if (!seen.fold && !inserts(event, message.id)) return
    seen.fold ??= new TurnFold()
    seen.fold.add(event)
    try {
      options.onEvent?.(session.id, event)
    } catch (error) {
      // Event buses contain what a listener throws, so it is kept and thrown when the agent is idle; the first one counts.
      seen.observerError ??= { error }
    }
  })
  try {
    await as('receipt', () => send(ctx, agent, message))
    await agent.whenIdle()
  } finally {
    await dispose()
  }
  if (seen.observerError) throw new Tagged('observer', seen.observerError.error)
  if (!seen.fold)
    throw new TurnError(
      'receipt',
      `the task never reached the inbox of session ${session.id}: the agent is idle and no \`agent/inbox/spliced\` event carried it`,
    )
  const facts = seen.fold.facts()
  if (facts.failure) throw facts.failure
  if (isWaiting(agent, message.id))
    throw new TurnError('unfinished', 'the agent is idle and the task is still in its inbox: no turn took it')
  await as('flush', () => flush(ctx, session))
  return facts
}

/** Registries that confirm receipt are asked to: their rejection is the turn's. Others take the message and say nothing. */
function send(ctx: FixtureContext, agent: RootAgent, message: object): unknown {
  const registry = ctx.get('agents')
  return registry?.sendInput
    ? registry.sendInput(agent as never, { message, target: 'next-turn' } as never)
    : agent.followup(message as never)
}

function isWaiting({ inbox }: RootAgent, id: string): boolean {
  return inbox !== undefined && [...inbox.nextTurn, ...inbox.nextStep].some((waiting) => waiting.id === id)
}

function flush(ctx: FixtureContext, session: SessionRef): unknown {
  if (!ctx.sessions)
    throw new Error(
      `the session ${session.id} can't be stored: no \`sessions\` service is registered in this context. Next: add @deepseek-ai/dsh-session (or what provides \`sessions\`) to the config.`,
    )
  return ctx.sessions.flush(session)
}

function inserts(event: SessionEvent, id: string): boolean {
  if (event.type !== 'agent/inbox/spliced' || !Array.isArray(event.data?.inserted)) return false
  return event.data.inserted.some((inserted: any) => inserted?.id === id)
}

function checkOptions({ task, publishTimeoutMs = 0 }: FixtureTurnOptions): void {
  if (typeof task !== 'string' || task === '')
    throw wrongOption(`runFixtureTurn: task must be a text that is not empty, got ${JSON.stringify(task)}.`)
  if (!Number.isInteger(publishTimeoutMs) || publishTimeoutMs < 0 || publishTimeoutMs > 2_147_483_647)
    throw wrongOption(
      `runFixtureTurn: publishTimeoutMs must be a whole number of milliseconds from 0 to 2147483647, got ${publishTimeoutMs}.`,
    )
}

function wrongOption(message: string): TurnError {
  return new TurnError('options', message, message)
}

/** An error of someone else's beside the stage it came from; only the report sees it, the caller gets `error` itself. */
class Tagged {
  readonly kind: TurnFailureKind
  readonly error: unknown

  constructor(kind: TurnFailureKind, error: unknown) {
    this.kind = kind
    this.error = error
  }
}

async function as<T>(kind: TurnFailureKind, step: () => T): Promise<Awaited<T>> {
  try {
    return await step()
  } catch (error) {
    throw new Tagged(kind, error)
  }
}
