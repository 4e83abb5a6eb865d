/** An agent-sdk agent as an agent of DeepSeek Harness: an inbox, turns driven one at a time, and the session's log as the truth. */
import type { Context } from '@deepseek-ai/cordis'
import {
  type Agent,
  type AgentCancelCause,
  agentEvents,
  type AgentEventDispatch,
  type AgentOptions,
  type AgentStatus,
  type CancelOptions,
  Inbox,
  type InboxTarget,
} from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-llm'
import { createScope, type Scope } from '@deepseek-ai/dsh-scope'
import type { Session, SessionId } from '@deepseek-ai/dsh-session'
import type { AgentDefinition, Approval, Event } from '@loader-smoke/agent-sdk'
import { TurnLog } from '../turn/turn-log.ts'
import { type ApprovalPolicy, granting, refusal, refusing } from './approval-policy.ts'
import { Conversation } from './conversation.ts'
import { RunFailure, toFailure } from './run-failure.ts'
import { toTexts } from './to-texts.ts'

/** What a hosted agent is made of. */
export interface HostedAgentSpec {
  readonly session: Session
  readonly agent: AgentDefinition
  /** The agent's own session. */
  readonly agentSessionId: string
  readonly provider: string
  readonly model: string
  readonly approvals: ApprovalPolicy
  /** Asks a person; only for the policy `ask`. */
  askPerson(agent: Agent, approval: Approval): Promise<boolean>
}

type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'maintenance' | 'running'; readonly abort: AbortController; wakeRequested: boolean }

/** Who made it publishes and disposes it: `plugin.ts`. */
export class HostedAgent implements Agent {
  readonly id: SessionId
  readonly session: Session
  readonly options: AgentOptions
  readonly inbox: Inbox
  readonly ctx: Context
  readonly scope: Scope
  readonly #spec: HostedAgentSpec
  readonly #dispatch: AgentEventDispatch
  readonly #conversation: Conversation
  readonly #base: Context
  #phase: Phase = { kind: 'idle' }
  #activity: Promise<void> = Promise.resolve()
  #turn: number
  #log: TurnLog | null = null
  /** Why the open turn has failed although the agent goes on, or has been told to stop. */
  #failure: RunFailure | null = null

  constructor(ctx: Context, spec: HostedAgentSpec) {
    const { session, provider, model } = spec
    this.#base = ctx
    this.#spec = spec
    this.session = session
    this.id = session.id
    this.options = { provider, model }
    this.scope = createScope(ctx, this)
    this.ctx = this.scope.ctx.extend({ agent: this })
    const dispatch = agentEvents(ctx, this)
    this.#dispatch = dispatch
    this.inbox = new Inbox(session, {
      inserted: (message) => dispatch.emit('agent/inbox/inserted', { message }),
      discarded: (message) => dispatch.emit('agent/inbox/discarded', { message }),
      claimed: (message, turn) => dispatch.emit('agent/inbox/claimed', { message, turn }),
    })
    this.#turn = session.events.filter(({ type }) => type === 'turn/start').length
    this.#conversation = new Conversation(spec.agent, spec.agentSessionId, {
      onEvent: (event) => this.#add(event),
      onOwnRun: () => this.#wake(false),
    })
  }

  get status(): AgentStatus {
    return this.#phase.kind === 'running' ? 'running' : 'idle'
  }

  /** Aborted when the open turn is; never, when none is open. */
  get signal(): AbortSignal {
    return this.#phase.kind === 'idle' ? new AbortController().signal : this.#phase.abort.signal
  }

  /** Takes an event of the agent; the sink that the agent was made with. */
  receive(event: Event): void {
    if (event.event === 'notice') return this.#notice(event)
    if (event.event === 'approval' && event.sessionId === this.#conversation.sessionId) return void this.#answer(event)
    if (event.event === 'question' && event.sessionId === this.#conversation.sessionId)
      return void this.#dismiss(event.id)
    this.#conversation.receive(event)
  }

  /** An event that can't be logged fails the turn: the agent must not be thrown at, and the log must not look complete. */
  #add(event: Event): void {
    try {
      this.#log?.add(event)
    } catch (error) {
      this.#fail(error)
    }
  }

  followup(message: UserMessage): void {
    this.send(message, 'next-turn', true)
  }

  steer(message: UserMessage): void {
    this.send(message, 'next-step', true)
  }

  inject(message: UserMessage): void {
    this.send(message, 'next-step', false)
  }

  send(message: UserMessage, target: InboxTarget, wakeup: boolean): void {
    const afterAbort = wakeup && this.#phase.kind !== 'idle' && this.#phase.abort.signal.aborted
    this.inbox.append(afterAbort ? 'next-turn' : target, message)
    if (!wakeup) return
    if (this.#phase.kind === 'running' && target === 'next-step' && !afterAbort) void this.#steerNow()
    else this.#wake(afterAbort)
  }

  cancel(cause: AgentCancelCause, { keepInbox = false }: CancelOptions = {}): void {
    if (!keepInbox) {
      this.inbox.clear()
      if (this.#phase.kind !== 'idle') this.#phase.wakeRequested = false
    }
    if (this.#phase.kind !== 'idle') this.#phase.abort.abort(cause)
  }

  async whenIdle(): Promise<void> {
    for (let activity = this.#activity; ; activity = this.#activity) {
      await activity
      if (activity === this.#activity) return
    }
  }

  runMaintenance<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#phase.kind !== 'idle') throw new Error(`agent "${this.id}" already has active work`)
    const abort = new AbortController()
    this.#setPhase({ kind: 'maintenance', abort, wakeRequested: false })
    const done = Promise.withResolvers<void>()
    this.#activity = done.promise
    const ended = async () => {
      try {
        return await task(abort.signal)
      } finally {
        this.#rest()
        done.resolve()
      }
    }
    return ended()
  }

  #setPhase(phase: Phase): void {
    const before = this.status
    this.#phase = phase
    if (this.status !== before) this.#dispatch.emit('agent/status', { status: this.status })
  }

  /** Starts the driver; work that comes during maintenance or behind an abort waits for its end. */
  #wake(afterAbort: boolean): void {
    if (this.#phase.kind !== 'idle') {
      const disposed = (this.#phase.abort.signal.reason as AgentCancelCause | undefined)?.kind === 'disposed'
      if (!disposed && (this.#phase.kind === 'maintenance' || afterAbort)) this.#phase.wakeRequested = true
      return
    }
    this.#setPhase({ kind: 'running', abort: new AbortController(), wakeRequested: false })
    this.#activity = this.#base.agents.withInitiator(this, () => this.#drive())
  }

  /** Back to idle, then at once to the work that came meanwhile. */
  #rest(): void {
    const wake = this.#phase.kind !== 'idle' && this.#phase.wakeRequested && this.inbox.hasPending
    this.#setPhase({ kind: 'idle' })
    if (wake || this.#conversation.hasOwnRun) this.#wake(false)
  }

  /** Never rejects: a failed turn is in the log, and told by `agent/error`. */
  async #drive(): Promise<void> {
    try {
      while (await this.#playTurn()) {
        if (this.#phase.kind === 'running')
          this.#phase = { ...this.#phase, abort: new AbortController(), wakeRequested: false }
      }
    } catch (error) {
      this.#dispatch.emit('agent/error', { turn: this.#turn, step: this.#log?.nextStep ?? 0, error })
    } finally {
      this.#log = null
      this.#rest()
    }
  }

  /** One turn, from its start to its end in the log. Resolves with whether another one waits. */
  async #playTurn(): Promise<boolean> {
    const { provider, model } = this.#spec
    const signal = (this.#phase as Exclude<Phase, { kind: 'idle' }>).abort.signal
    const log = new TurnLog(this.session, { provider, model }, this.#turn + 1)
    log.begin()
    this.#turn = log.turn
    this.#log = log
    this.#failure = null
    const stop = () => void this.#stopRun()
    signal.addEventListener('abort', stop)
    try {
      log.end(await this.#playSteps(log, signal))
    } catch (error) {
      log.end(signal.aborted ? { kind: 'aborted', reason: signal.reason } : { kind: 'error', error: toFailure(error) })
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      this.#log = null
    }
    return this.inbox.hasPending || this.#conversation.hasOwnRun
  }

  async #playSteps(log: TurnLog, signal: AbortSignal): Promise<{ kind: 'completed' } | { kind: 'blocked' }> {
    if (this.#conversation.hasOwnRun) {
      await this.#judge(this.#conversation.followOwnRun(), signal)
      return { kind: 'completed' }
    }
    for (let target: InboxTarget = 'next-turn'; ; target = 'next-step') {
      signal.throwIfAborted()
      const claimed = this.inbox.claim(target, log.turn)
      const place = { messages: claimed, turn: log.turn, step: log.nextStep, signal }
      const entered = await this.#dispatch.waterfall('agent/pre-step', place, async () => ({
        kind: 'enter',
        messages: claimed,
      }))
      signal.throwIfAborted()
      if (entered.kind === 'reject') return { kind: 'blocked' }
      if (entered.messages.length === 0) return { kind: 'completed' }
      log.addInput(entered.messages)
      await this.#judge(this.#conversation.run(toTexts(entered.messages)), signal)
      log.endStep(false)
      if (this.inbox.nextStep.length === 0)
        await this.#dispatch.serial('agent/turn-stopping', { turn: log.turn, signal })
      signal.throwIfAborted()
      if (this.inbox.nextStep.length === 0) return { kind: 'completed' }
    }
  }

  /** Throws unless the run completed and nothing failed beside it. */
  async #judge(run: ReturnType<Conversation['run']>, signal: AbortSignal): Promise<void> {
    const outcome = await run.catch((error: unknown) => {
      throw this.#failure ?? error
    })
    signal.throwIfAborted()
    if (this.#failure !== null) throw this.#failure
    if (outcome.status === 'failed') throw new RunFailure('RUN_FAILED', outcome.message)
    if (outcome.status === 'cancelled')
      throw new RunFailure(
        'RUN_CANCELLED',
        'the agent reported its run as cancelled, and nothing in this app had cancelled it',
      )
  }

  async #steerNow(): Promise<void> {
    const log = this.#log
    // Claimed by the open turn; without one the driver takes it at its next boundary.
    if (log === null) return
    const claimed = this.inbox.claim('next-step', log.turn)
    try {
      log.addInput(claimed)
      if (await this.#conversation.steer(toTexts(claimed))) return
      for (const message of claimed) this.inbox.append('next-turn', message)
      this.#wake(false)
    } catch (error) {
      this.#dispatch.emit('agent/error', { turn: log.turn, step: log.nextStep - 1, error })
    }
  }

  async #stopRun(): Promise<void> {
    try {
      await this.#conversation.cancel()
    } catch (error) {
      this.#dispatch.emit('agent/error', { turn: this.#turn, step: this.#log?.nextStep ?? 0, error })
    }
  }

  async #answer(approval: Approval): Promise<void> {
    const { approvals, agent } = this.#spec
    try {
      const granted = approvals === 'ask' ? await this.#spec.askPerson(this, approval) : approvals === 'allow'
      const option = granted ? granting(approval) : refusing(approval)
      // An id that the agent does not know is a refusal.
      await agent.respond_to_approval({ approvalId: approval.id, optionId: option?.id ?? 'refused' })
      if (!granted) this.#fail(new RunFailure('APPROVAL_DENIED', refusal(approval, approvals)))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #dismiss(questionId: string): Promise<void> {
    const reason =
      'the agent asked the user a question, and in this app nobody answers. Next: give it a task that it can do without.'
    try {
      await this.#spec.agent.respond_to_question({ questionId, answer: { values: {}, cancelled: true } })
      this.#fail(new RunFailure('QUESTION_UNANSWERED', reason))
    } catch (error) {
      this.#fail(error)
    }
  }

  /** The open turn can't succeed any more: its first failure is kept, and the run is ended. */
  #fail(error: unknown): void {
    if (this.#log === null) return
    this.#failure ??= error instanceof RunFailure ? error : new RunFailure('RUN_FAILED', toFailure(error).message)
    void this.#stopRun()
  }

  #notice({ level, message }: Extract<Event, { readonly event: 'notice' }>): void {
    this.#base.logger[level === 'info' ? 'info' : 'warn'](message)
  }
}
