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
import type { Event, Outcome } from '@loader-smoke/agent-sdk'
import { type Provenance, TurnLog } from '../turn/turn-log.ts'
import { Activity } from './activity.ts'
import { Conversation } from './conversation.ts'
import { type Answerer, answerApproval, dismissQuestion } from './requests.ts'
import { RunFailure, toFailure } from './run-failure.ts'
import { toTexts } from './to-texts.ts'

/** What a hosted agent is made of. */
export interface HostedAgentSpec extends Answerer, Provenance {
  readonly session: Session
  /** The agent's own session. */
  readonly agentSessionId: string
}

/** Who made it publishes and disposes it: `plugin.ts`. */
export class HostedAgent implements Agent {
  readonly id: SessionId
  readonly session: Session
  readonly options: AgentOptions
  readonly inbox: Inbox
  readonly ctx: Context
  readonly scope: Scope
  readonly #base: Context
  readonly #spec: HostedAgentSpec
  readonly #dispatch: AgentEventDispatch
  readonly #conversation: Conversation
  readonly #activity: Activity
  readonly #tasks = new Set<string>()
  #turn: number
  /** Of the open turn. */
  #log: TurnLog | null = null
  /** Why the open turn has failed, although the agent goes on or has been told to stop. */
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
    const conversation = new Conversation(spec.agent, spec.agentSessionId, {
      onEvent: (event) => this.#add(event),
      onOwnRun: () => this.#activity.wake(),
    })
    this.#conversation = conversation
    this.#activity = new Activity({
      onStatus: (status) => dispatch.emit('agent/status', { status }),
      drive: () => ctx.agents.withInitiator(this, () => this.#drive()),
      hasOwnWork: () => conversation.hasOwnRun,
      hasMessages: () => this.inbox.hasPending,
    })
  }

  get status(): AgentStatus {
    return this.#activity.status
  }

  /** Aborted when the open turn is; never, when none is open. */
  get signal(): AbortSignal {
    return this.#activity.signal
  }

  /** Takes an event of the agent; the sink that the agent was made with. */
  receive(event: Event): void {
    if (event.event === 'notice') return void this.#base.logger[event.level === 'info' ? 'info' : 'warn'](event.message)
    if (event.sessionId === this.#conversation.sessionId) {
      if (event.event === 'approval') return this.#settle(answerApproval(this.#spec, this, event, this.signal))
      if (event.event === 'question') return this.#settle(dismissQuestion(this.#spec, event.id))
    }
    this.#conversation.receive(event)
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
    const afterAbort = wakeup && this.#activity.signal.aborted
    this.inbox.append(afterAbort ? 'next-turn' : target, message)
    if (!wakeup) return
    if (this.#log !== null && target === 'next-step' && !afterAbort) void this.#steerNow(this.#log)
    else this.#activity.wake(afterAbort)
  }

  cancel(cause: AgentCancelCause, { keepInbox = false }: CancelOptions = {}): void {
    if (!keepInbox) {
      this.inbox.clear()
      this.#activity.forgetWake()
    }
    this.#activity.abort(cause)
  }

  whenIdle(): Promise<void> {
    return this.#activity.whenIdle()
  }

  /** Ends the open turn of an agent that has been disposed and told nothing of it. */
  abandon(): void {
    this.#conversation.abandon()
  }

  runMaintenance<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#activity.maintain(task)
  }

  /** Never rejects: a failed turn is in the log, and told by `agent/error`. */
  async #drive(): Promise<void> {
    try {
      while (await this.#playTurn(this.#activity.signal)) this.#activity.renew()
    } catch (error) {
      this.#tellError(error)
    }
  }

  /** One turn, from its start to its end in the log. Resolves with whether another one waits; rejects when it failed. */
  async #playTurn(signal: AbortSignal): Promise<boolean> {
    const { provider, model } = this.#spec
    const log = new TurnLog(this.session, { provider, model }, this.#turn + 1, this.#tasks)
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
      const messages = this.inbox.claim(target, log.turn)
      const place = { messages, turn: log.turn, step: log.nextStep, signal }
      const entered = await this.#dispatch.waterfall('agent/pre-step', place, async () => ({ kind: 'enter', messages }))
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
  async #judge(run: Promise<Outcome>, signal: AbortSignal): Promise<void> {
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

  /** Gives what waits for the next step to the running turn. What the agent certainly did not take waits for a turn of its own. */
  async #steerNow(log: TurnLog): Promise<void> {
    const claimed = this.inbox.claim('next-step', log.turn)
    try {
      log.addInput(claimed)
      if (await this.#conversation.steer(toTexts(claimed))) return
      for (const message of claimed) this.inbox.append('next-turn', message)
      this.#activity.wake()
    } catch (error) {
      this.#tellError(error)
    }
  }

  /** An event that can't be logged fails the turn: the agent must not be thrown at, and the log must not look complete. */
  #add(event: Event): void {
    try {
      this.#log?.add(event)
    } catch (error) {
      this.#fail(error)
    }
  }

  #settle(answered: Promise<void>): void {
    answered.catch((error: unknown) => this.#fail(error))
  }

  /** The open turn can't succeed any more: its first failure is kept, and the run is ended. */
  #fail(error: unknown): void {
    if (this.#log === null) return
    this.#failure ??= error instanceof RunFailure ? error : new RunFailure('RUN_FAILED', toFailure(error).message)
    void this.#stopRun()
  }

  async #stopRun(): Promise<void> {
    try {
      await this.#conversation.cancel()
    } catch (error) {
      this.#tellError(error)
    }
  }

  #tellError(error: unknown): void {
    this.#dispatch.emit('agent/error', { turn: this.#turn, step: (this.#log?.nextStep ?? 1) - 1, error })
  }
}
