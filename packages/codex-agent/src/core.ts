/** What the rooms of one agent share: its sessions, its app-server, and the way of the server's messages into events. */
import type { Event, HostApi, Outcome } from '@loader-smoke/agent-sdk'
import * as Effect from 'effect/Effect'
import { cancelHeld } from './approvals/held.ts'
import type { AppServer, Client } from './connection/app-server.ts'
import { type Background, startBackground } from './connection/background.ts'
import { AppServerSlot } from './connection/slot.ts'
import { Meter } from './limits/meter.ts'
import { accountHandlers } from './routing/account.ts'
import { loseServer } from './routing/gone.ts'
import { itemHandlers } from './routing/items.ts'
import {
  type Approvals,
  type Questions,
  refuse,
  type RequestDeps,
  resolvedHandlers,
  takeRequest,
} from './routing/requests.ts'
import { type Route, routeBy } from './routing/table.ts'
import { threadHandlers } from './routing/threads.ts'
import { turnHandlers } from './routing/turns.ts'
import { stopFirst } from './runs/cancel.ts'
import { abandonStart } from './runs/start.ts'
import { finishRun } from './runs/turns.ts'
import { Chats } from './sessions/chats.ts'
import { adoption } from './subagents/adoption.ts'
import { Strangers } from './subagents/strangers.ts'
import type { Notification } from './wire/messages.ts'

/** What a core is made of. */
export interface CoreOptions {
  readonly agentId: string
  readonly host: HostApi
  /** The account's CODEX_HOME. */
  readonly home: string
  readonly emit: (event: Event) => void
}

/** Nothing runs before a client is first asked for; `dispose` ends it. */
export class AgentCore {
  readonly approvals: Approvals = new Map()
  readonly questions: Questions = new Map()
  readonly chats = new Chats((event) => this.#tell(event))
  readonly meter = new Meter()
  readonly #emit: (event: Event) => void
  readonly #strangers = new Strangers(refuse)
  readonly #slot: AppServerSlot
  readonly #route: Route
  readonly #requests: RequestDeps
  #background: Background = startBackground()

  constructor({ agentId, host, home, emit }: CoreOptions) {
    this.#emit = emit
    const held = {
      chats: this.chats,
      approvals: this.approvals,
      questions: this.questions,
      strangers: this.#strangers,
    }
    this.#requests = { ...held, agentId, host }
    this.#slot = new AppServerSlot(host, home, {
      onNotification: (method, params) => this.onNotification(method, (params ?? {}) as Notification),
      onRequest: (request) => takeRequest(this.#requests, request),
      onGone: () => loseServer(held),
    })
    const adopting = adoption({
      ...held,
      running: () => (this.server === null ? null : this.client()),
      inBackground: (work) => this.enqueue(Effect.promise(work)),
      deliverNotification: (method, params) => this.onNotification(method, params),
      deliverRequest: (request) => takeRequest(this.#requests, request),
    })
    this.#route = routeBy(
      itemHandlers(this.chats, adopting),
      turnHandlers(this.chats, this.meter, () => this.strangersMayLeave()),
      threadHandlers(this.chats, adopting),
      accountHandlers(this.chats, this.meter),
      resolvedHandlers(held),
    )
  }

  /** The running app-server; `null` when none runs. */
  get server(): AppServer | null {
    return this.#slot.current
  }

  /** The client of the running app-server, which is started when none runs. */
  client(): Promise<Client> {
    return this.#slot.client()
  }

  /** The client of the running app-server; resolves with `null` when none runs, and starts none. */
  async runningClient(): Promise<Client | null> {
    return this.server === null ? null : this.client()
  }

  /** Ends the app-server; the next client is one of another. */
  stopServer(): Promise<void> {
    return this.#slot.stop()
  }

  /** Runs a job in the background, after those before it; its failure is nobody's. */
  enqueue(job: Effect.Effect<void>): void {
    this.#background.offer(job)
  }

  /** Takes a notification off the wire. One that can't be read is told by its method, and the rest goes on. */
  onNotification(method: string, params: Notification): void {
    try {
      this.routeNotification(method, params)
    } catch {
      // What may throw here is reading a message of another shape than any version is known to send; its content stays out.
      const message = `Codex sent a ${method} that this agent could not read; what it told is missing here.`
      this.chats.tellSession('', { event: 'notice', level: 'warning', message })
    }
  }

  /** Turns a notification into events, at once. */
  routeNotification(method: string, params: Notification): void {
    const { threadId } = params
    // A child's first messages come before the call that names it.
    if (typeof threadId === 'string' && !this.chats.knows(threadId) && this.chats.anyRun())
      this.#strangers.hold(threadId, { kind: 'notification', method, params })
    else this.#route(method, params)
  }

  /** Ends the session's run at once, and stops what its start may still bring about. */
  finishRun(sessionId: string, outcome: Outcome): void {
    const place = this.chats.placeOf(sessionId)
    const start = place?.state.start ?? null
    finishRun(this.chats, sessionId, outcome)
    if (place !== null && start !== null) void stopFirst(place.state, abandonStart(place, start))
  }

  /** Answers what these threads wait for. */
  readonly release = (threads: ReadonlySet<string>): void => {
    cancelHeld(this.approvals, threads)
    cancelHeld(this.questions, threads)
  }

  /** What unknown threads have sent is of nobody once no run goes on. */
  strangersMayLeave(): void {
    if (!this.chats.anyRun()) this.#strangers.clear()
  }

  /** Ends the runs, then the app-server; resolves when it is gone. */
  async dispose(): Promise<void> {
    for (const sessionId of this.chats.sessions.keys()) this.finishRun(sessionId, { status: 'cancelled' })
    await this.stopServer()
    await this.#background.stop()
    this.#background = startBackground()
  }

  /** A host's sink that throws must not stop the reading of what else has arrived: its error surfaces as its own. */
  #tell(event: Event): void {
    try {
      this.#emit(event)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
