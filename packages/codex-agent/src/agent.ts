/**
 * The Codex agent of one account: composes the rooms of this package, and holds what they share. No logic of its own: its length is that of
 * the protocol, one short method for each method.
 */
import type {
  AgentDefinition,
  AgentInfo,
  AgentOption,
  ApprovalAnswer,
  CreateSession,
  Event,
  HistoryItem,
  HostApi,
  Outcome,
  PromptInput,
  PromptResult,
  QuestionAnswer,
  Recovery,
  ResumeSession,
  SessionRef,
  SessionSummary,
  SetOption,
  SignIn,
  SignInResult,
  Skill,
  UsageLimits,
} from '@loader-smoke/agent-sdk'
import { checkMaintenance, update } from '@loader-smoke/agent-sdk/maintenance'
import * as Effect from 'effect/Effect'
import { type Account, defaultAccount } from './account.ts'
import { answerHeld, cancelHeld } from './approvals/held.ts'
import type { AppServer, Client } from './connection/app-server.ts'
import { type Background, startBackground } from './connection/background.ts'
import { codexHome } from './connection/home.ts'
import { AppServerSlot } from './connection/slot.ts'
import { toDefinition } from './definition.ts'
import { agentInfo, beginSignIn, maintained, readStatus } from './facts.ts'
import { listSessions } from './history/list.ts'
import { readHistory } from './history/read.ts'
import { Meter } from './limits/meter.ts'
import { readCatalog } from './options/catalog.ts'
import { listOptions } from './options/list.ts'
import { applyOption, checkOption } from './options/set.ts'
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
import { cancelRun, cancelTask, stopFirst } from './runs/cancel.ts'
import { inputSent } from './runs/deliveries.ts'
import { checkInput } from './runs/input.ts'
import { abandonStart, startTurn } from './runs/start.ts'
import { steer } from './runs/steer.ts'
import { beginRun, finishRun, withdrawRun } from './runs/turns.ts'
import { Chats } from './sessions/chats.ts'
import { createSession, ensureLoaded, forkSession, resumeSession } from './sessions/open.ts'
import { rollback } from './sessions/rollback.ts'
import type { SessionState } from './sessions/state.ts'
import { readSkills } from './skills.ts'
import { adoption } from './subagents/adoption.ts'
import { Strangers } from './subagents/strangers.ts'
import type { Subagent } from './subagents/subagent.ts'
import type { Notification } from './wire/messages.ts'

export { versionOf } from './connection/version.ts'
export { newSession } from './sessions/state.ts'

/** What an agent is made of. */
export interface CodexAgentOptions {
  readonly host: HostApi
  /** Default the user's own account. */
  readonly account?: Account
  /** Default `process.env`; only HOME and USERPROFILE are read, for the default account's home. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether {@link CodexAgent.initialize} asks the installer for a newer version; default true. It needs the network. */
  readonly checkUpdates?: boolean
}

/** The app-server of one account as an agent. Nothing runs before it is first needed; `dispose` ends it. */
export class CodexAgent {
  readonly account: Account
  /** Where events go: called synchronously, in the order in which things happened. */
  emit: (event: Event) => void = () => {}
  /** Requests that wait for the user. */
  readonly approvals: Approvals = new Map()
  readonly questions: Questions = new Map()
  readonly #host: HostApi
  readonly #home: string
  readonly #checkUpdates: boolean
  readonly #chats = new Chats((event) => this.#tell(event))
  readonly #meter = new Meter()
  readonly #strangers = new Strangers(refuse)
  readonly #skillPaths = new Map<string, string>()
  readonly #slot: AppServerSlot
  readonly #route: Route
  readonly #requests: RequestDeps
  #background: Background = startBackground()

  constructor({ host, account = defaultAccount, env = process.env, checkUpdates = true }: CodexAgentOptions) {
    this.account = account
    this.#host = host
    this.#home = codexHome(account.home, env)
    this.#checkUpdates = checkUpdates
    const held = {
      chats: this.#chats,
      approvals: this.approvals,
      questions: this.questions,
      strangers: this.#strangers,
    }
    this.#requests = { ...held, agentId: account.id, host }
    this.#slot = new AppServerSlot(host, this.#home, {
      onNotification: (method, params) => this.onNotification(method, (params ?? {}) as Notification),
      onRequest: (request) => takeRequest(this.#requests, request),
      onGone: () => loseServer(held),
    })
    const adopting = adoption({
      ...held,
      running: () => (this.proc === null ? null : this.client()),
      inBackground: (work) => this.enqueue(Effect.promise(work)),
      deliverNotification: (method, params) => this.onNotification(method, params),
      deliverRequest: (request) => takeRequest(this.#requests, request),
    })
    this.#route = routeBy(
      itemHandlers(this.#chats, adopting),
      turnHandlers(this.#chats, this.#meter, () => this.#strangersMayLeave()),
      threadHandlers(this.#chats, adopting),
      accountHandlers(this.#chats, this.#meter),
      resolvedHandlers(held),
    )
  }

  /** Open sessions by id. */
  get sessions(): Map<string, SessionState> {
    return this.#chats.sessions
  }

  /** Subagents by thread. */
  get subagents(): Map<string, Subagent> {
    return this.#chats.subagents
  }

  /** What is known of the account's usage; `null` before it was read, and after a change of account. */
  get quotaFacts(): Recovery | null {
    return this.#meter.facts
  }

  /** The running app-server; `null` when none runs. */
  get proc(): AppServer | null {
    return this.#slot.current
  }

  /** The client of the running app-server, which is started when none runs. */
  client(): Promise<Client> {
    return this.#slot.client()
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
      this.#chats.tellSession('', { event: 'notice', level: 'warning', message })
    }
  }

  /** Turns a notification into events, at once. */
  routeNotification(method: string, params: Notification): void {
    const { threadId } = params
    // A child's first messages come before the call that names it.
    if (typeof threadId === 'string' && !this.#chats.knows(threadId) && this.#chats.anyRun())
      this.#strangers.hold(threadId, { kind: 'notification', method, params })
    else this.#route(method, params)
  }

  /** The session's run; `null` when it is idle or not open. */
  runOf(sessionId: string): string | null {
    return this.sessions.get(sessionId)?.run ?? null
  }

  /** Ends the session's run at once, and stops what its start may still bring about. */
  finishRun(sessionId: string, outcome: Outcome): void {
    const place = this.#chats.placeOf(sessionId)
    const start = place?.state.start ?? null
    finishRun(this.#chats, sessionId, outcome)
    if (place !== null && start !== null) void stopFirst(place.state, abandonStart(place, start))
  }

  async initialize(): Promise<AgentInfo> {
    const client = await this.client()
    const { version } = client
    const [status, usageLimits, maintenance] = await Promise.all([
      readStatus(client),
      this.limits().catch(() => null),
      this.#checkUpdates ? checkMaintenance(this.#host, maintained(version)) : null,
    ])
    return agentInfo({ id: this.account.id, home: this.#home, version, status, usageLimits, maintenance })
  }

  async listOptions({
    workspace,
  }: {
    readonly workspace: string
  }): Promise<{ readonly options: readonly AgentOption[] }> {
    return { options: listOptions(await readCatalog(await this.client(), workspace), {}) }
  }

  async setOption({ sessionId, optionId, value }: SetOption): Promise<{ readonly options: readonly AgentOption[] }> {
    const state = this.#chats.session(sessionId)
    const catalog = await readCatalog(await this.client(), state.workspace)
    checkOption(optionId, value, listOptions(catalog, state.options))
    applyOption(state.options, optionId, value)
    return { options: listOptions(catalog, state.options) }
  }

  async listSkills({ workspace }: { readonly workspace: string }): Promise<{ readonly skills: readonly Skill[] }> {
    const located = await readSkills(await this.client(), workspace)
    for (const { skill, path } of located) this.#skillPaths.set(skill.name, path)
    return { skills: located.map(({ skill }) => skill) }
  }

  async listSessions({
    workspace,
  }: {
    readonly workspace: string
  }): Promise<{ readonly sessions: readonly SessionSummary[] }> {
    return { sessions: await listSessions(await this.client(), workspace) }
  }

  /** Reads a session's history; its title follows as a `session_info`. */
  async readSession({
    sessionId,
  }: SessionRef & { readonly workspace: string }): Promise<{ readonly items: readonly HistoryItem[] }> {
    const { title, items, subagents } = await readHistory(
      await this.client(),
      sessionId,
      this.#chats.threadOf(sessionId),
    )
    for (const child of subagents) if (!this.subagents.has(child.threadId)) this.subagents.set(child.threadId, child)
    this.#chats.tellSession(sessionId, { event: 'session_info', title })
    return { items }
  }

  async createSession(session: CreateSession): Promise<SessionRef> {
    return { sessionId: await createSession(() => this.client(), this.#chats, session) }
  }

  async resumeSession(session: ResumeSession): Promise<void> {
    await resumeSession(() => this.client(), this.#chats, session)
  }

  async forkSession(session: ResumeSession): Promise<SessionRef> {
    return { sessionId: await forkSession(() => this.client(), this.#chats, session) }
  }

  /** Closes a session; a run that goes on is stopped first, for it would cost on unseen. */
  async closeSession({ sessionId }: SessionRef): Promise<void> {
    const state = this.#chats.session(sessionId)
    const threadId = this.#chats.threadOf(sessionId)
    if (state.run !== null) await this.cancel({ sessionId })
    if (state.loaded) await (await this.client()).request('thread/unsubscribe', { threadId })
    this.#chats.close(sessionId)
  }

  /** Starts a run, or steers the running one. A new run's start is not waited for; rejects, without a run, when there is no server. */
  async prompt({ sessionId, input }: SessionRef & { readonly input: PromptInput }): Promise<PromptResult> {
    const state = this.#chats.session(sessionId)
    checkInput(input, this.#skillPaths)
    const deps = { chats: this.#chats, client: () => this.client(), skillPaths: this.#skillPaths }
    const place = { sessionId, state, subagent: null, items: state.items }
    if (state.run !== null) return steer(deps, place, state.run, input)
    const start = beginRun(this.#chats, sessionId)
    inputSent(place, input.delivery, start.runId)
    await this.client().catch((error) => {
      withdrawRun(place, start, input.delivery)
      throw error
    })
    void startTurn(deps, place, start, input)
    return { runId: start.runId }
  }

  async cancel({ sessionId }: SessionRef): Promise<void> {
    const running = async () => (this.proc === null ? null : this.client())
    await cancelRun({ chats: this.#chats, running, release: this.#release }, sessionId)
    this.#strangersMayLeave()
  }

  async cancelTask({ sessionId, taskId }: SessionRef & { readonly taskId: string }): Promise<void> {
    await cancelTask({ chats: this.#chats, client: () => this.client(), release: this.#release }, sessionId, taskId)
  }

  async respondToApproval({ approvalId, optionId }: ApprovalAnswer): Promise<void> {
    answerHeld(this.approvals, approvalId, 'approval', ({ toResult }) => toResult(optionId))
  }

  async respondToQuestion({ questionId, answer }: QuestionAnswer): Promise<void> {
    answerHeld(this.questions, questionId, 'question', ({ toResult }) => toResult(answer))
  }

  async rollback({ sessionId, itemId }: SessionRef & { readonly itemId: string }): Promise<void> {
    this.#chats.session(sessionId)
    await rollback(await this.client(), this.#chats, sessionId, itemId)
  }

  async compact({ sessionId }: SessionRef): Promise<void> {
    this.#chats.session(sessionId)
    const client = await this.client()
    await ensureLoaded(client, this.#chats, sessionId)
    await client.request('thread/compact/start', { threadId: this.#chats.threadOf(sessionId) })
  }

  /** Reads the account's meters; `null` when it has none. */
  async limits(): Promise<UsageLimits | null> {
    return this.#meter.read(await this.client())
  }

  /** Updates the CLI with the installer that owns it, and lets the next request start the new version. */
  async update(): Promise<void> {
    if (this.#chats.anyRun()) throw new Error('codex is at work: update it when no session has a run')
    await update(this.#host, maintained(null))
    await this.#slot.stop()
  }

  async authenticate(signIn: SignIn): Promise<SignInResult> {
    return beginSignIn(await this.client(), this.#host, signIn)
  }

  async logout(): Promise<void> {
    await (await this.client()).request('account/logout', undefined)
  }

  /** Ends the runs, then the app-server; resolves when it is gone. */
  async dispose(): Promise<void> {
    for (const sessionId of this.sessions.keys()) this.finishRun(sessionId, { status: 'cancelled' })
    await this.#slot.stop()
    await this.#background.stop()
    this.#background = startBackground()
  }

  /** This agent as its host knows it. */
  definition(): AgentDefinition {
    return toDefinition(this)
  }

  /** A host's sink that throws must not stop the reading of what else has arrived: its error surfaces as its own. */
  #tell(event: Event): void {
    try {
      this.emit(event)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  readonly #release = (threads: ReadonlySet<string>): void => {
    cancelHeld(this.approvals, threads)
    cancelHeld(this.questions, threads)
  }

  #strangersMayLeave(): void {
    if (!this.#chats.anyRun()) this.#strangers.clear()
  }
}
