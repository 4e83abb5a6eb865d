/**
 * A real Cordis context with the real session store and agent registry of DeepSeek Harness, and an agent in it that plays
 * a script: when a task arrives it appends the given events to its real session. Only the loop and the model are left out.
 */
import { Context } from '@deepseek-ai/cordis'
import { type Agent, AgentRegistry, Inbox } from '@deepseek-ai/dsh-agent'
import { createAssistantMessage } from '@deepseek-ai/dsh-llm'
import { type Session, SessionId, SessionStore, type TurnEndReason } from '@deepseek-ai/dsh-session'

/** What the agent does when it is woken: appends events to `session`, after the task was claimed from the inbox. */
export type Script = (session: Session, turn: number) => void | Promise<void>

/** An app with the two services and no agent yet. */
export async function app(): Promise<Context & AsyncDisposable> {
  const ctx = new Context()
  await ctx.plugin(SessionStore)
  await ctx.plugin(AgentRegistry)
  return Object.assign(ctx, { [Symbol.asyncDispose]: () => ctx.fiber.dispose() as Promise<void> })
}

/** Publishes an agent that plays `script` for each task. */
export function addAgent(ctx: Context, id: string, script: Script): Agent {
  const session = ctx.sessions.create(SessionId(id))
  const silent = { inserted: () => {}, discarded: () => {}, claimed: () => {} }
  const inbox = new Inbox(session, silent)
  let running: Promise<void> = Promise.resolve()
  let turn = 0
  const agent: Agent = {
    id: session.id,
    session,
    ctx,
    inbox,
    status: 'idle',
    options: {},
    whenIdle: () => running,
    followup(message) {
      inbox.append('next-turn', message)
      running = afterwards(running, async () => {
        turn += 1
        inbox.claim('next-turn', turn)
        await script(session, turn)
      })
    },
    send: unused,
    steer: unused,
    inject: unused,
    cancel: unused,
    runMaintenance: unused,
  }
  ctx.agents.register(agent)
  return agent
}

async function afterwards(earlier: Promise<void>, next: () => Promise<void>): Promise<void> {
  await earlier
  await next()
}

function unused(): never {
  throw new Error('a turn needs none of this')
}

/** A turn of one step that answers `text`. */
export function answering(text: string, usage = { inputTokens: 10, outputTokens: 2 }): Script {
  return (session, turn) => {
    session.append('turn/start', { turn })
    session.append('step/start', { turn, step: 1 })
    say(session, turn, 1, [{ type: 'text', text }], usage)
    session.append('step/end', { turn, step: 1 })
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
  }
}

/** A turn that ends with `reason` before any answer. */
export function endingWith(reason: TurnEndReason): Script {
  return (session, turn) => {
    session.append('turn/start', { turn })
    session.append('turn/end', { turn, reason })
  }
}

/** Appends an assistant message. */
export function say(
  session: Session,
  turn: number,
  step: number,
  content: Parameters<typeof createAssistantMessage>[0]['content'],
  usage?: { inputTokens: number; outputTokens: number },
): void {
  const message = createAssistantMessage({ content, source: { provider: 'scripted', model: 'scripted' } })
  session.append('assistant/message', { turn, step, message, ...(usage && { usage }) }, { surfaceOp: 'append' })
}
