/** One session of an agent-sdk agent: prompts go in, the events of the run come out in order, until it has finished. */
import { randomUUID } from 'node:crypto'
import type { AgentDefinition, Event, Outcome } from '@loader-smoke/agent-sdk'

/** Who listens to a conversation. */
export interface ConversationHandlers {
  /** What the agent itself does during a run; its subagents' doings are left out. */
  onEvent(event: Event): void
  /** The agent has begun a run by itself; `followOwnRun` takes it up. Until then its events are kept. */
  onOwnRun(): void
}

/** A run that is waited for. `runId` is null until the agent has accepted the prompt. */
interface Followed {
  runId: string | null
  readonly ended: PromiseWithResolvers<Outcome>
  /** Runs that finished before the prompt was answered: one of them may be ours. */
  readonly early: Map<string, Outcome>
}

/** Holds the session `sessionId` of `agent`; whoever made the agent disposes it. */
export class Conversation {
  readonly sessionId: string
  readonly #agent: AgentDefinition
  readonly #handlers: ConversationHandlers
  #followed: Followed | null = null
  #ownRun: { readonly runId: string; readonly events: Event[] } | null = null
  readonly #rejected = new Set<string>()

  constructor(agent: AgentDefinition, sessionId: string, handlers: ConversationHandlers) {
    this.#agent = agent
    this.sessionId = sessionId
    this.#handlers = handlers
  }

  /** Whether the agent has begun a run by itself that nobody has taken up. */
  get hasOwnRun(): boolean {
    return this.#ownRun !== null
  }

  /** Starts a run with `texts` and resolves with its outcome. Rejects when the agent does not accept the prompt. */
  async run(texts: readonly string[]): Promise<Outcome> {
    const followed = this.#follow(null)
    this.#prompt(followed, texts).catch(followed.ended.reject)
    return this.#ended(followed)
  }

  /** Takes up the run that the agent has begun by itself. */
  async followOwnRun(): Promise<Outcome> {
    return this.#ended(this.#follow(this.#ownRun?.runId ?? null))
  }

  /** Nothing comes from the agent any more: a run that it has not ended is over. */
  abandon(): void {
    this.#followed?.ended.resolve({ status: 'failed', message: 'the agent was disposed and did not end its run' })
  }

  /** Gives the running turn more input. Resolves with false when the agent certainly did not take it. */
  async steer(texts: readonly string[]): Promise<boolean> {
    const attemptId = randomUUID()
    const delivery = { inputId: randomUUID(), attemptId, intent: 'steer' } as const
    try {
      await this.#agent.prompt({ sessionId: this.sessionId, input: { ...toInput(texts), delivery } })
      return true
    } catch (error) {
      if (this.#rejected.has(attemptId)) return false
      throw error
    } finally {
      this.#rejected.delete(attemptId)
    }
  }

  /** Asks the agent to end the run; the run's outcome still comes. */
  async cancel(): Promise<void> {
    await this.#agent.cancel({ sessionId: this.sessionId })
  }

  /** Takes an event of the agent. Events of other sessions are not ours. */
  receive(event: Event): void {
    if (event.sessionId !== this.sessionId || event.taskId !== undefined) return
    if (event.event === 'input_rejected') this.#rejected.add(event.attemptId)
    if (event.event === 'run_started' && event.runId !== undefined) {
      this.#ownRun = { runId: event.runId, events: [] }
      if (this.#followed === null) this.#handlers.onOwnRun()
      return
    }
    if (this.#ownRun !== null && event.runId === this.#ownRun.runId) this.#ownRun.events.push(event)
    else this.#deliver(event)
  }

  /** Beside the wait for the end: a prompt that is never answered must not keep anyone from abandoning the run. */
  async #prompt(followed: Followed, texts: readonly string[]): Promise<void> {
    const { runId } = await this.#agent.prompt({ sessionId: this.sessionId, input: toInput(texts) })
    followed.runId = runId
    const outcome = followed.early.get(runId)
    if (outcome !== undefined) followed.ended.resolve(outcome)
  }

  async #ended(followed: Followed): Promise<Outcome> {
    try {
      return await followed.ended.promise
    } finally {
      this.#followed = null
    }
  }

  #follow(runId: string | null): Followed {
    const followed: Followed = { runId, ended: Promise.withResolvers(), early: new Map() }
    this.#followed = followed
    const kept = this.#ownRun?.events ?? []
    this.#ownRun = null
    for (const event of kept) this.#deliver(event)
    return followed
  }

  #deliver(event: Event): void {
    if (event.event !== 'run_finished') return this.#handlers.onEvent(event)
    const followed = this.#followed
    if (followed === null || event.runId === undefined) return
    if (followed.runId === null) followed.early.set(event.runId, event.outcome)
    else if (followed.runId === event.runId) followed.ended.resolve(event.outcome)
  }
}

function toInput(texts: readonly string[]) {
  return { blocks: texts.map((text) => ({ type: 'text', text }) as const) }
}
