/** The Codex agent of one account: a short method for each of the agent protocol, which sends it to its room. No logic of its own. */
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
import { update } from '@loader-smoke/agent-sdk/maintenance'
import type * as Effect from 'effect/Effect'
import { type Account, defaultAccount } from './account.ts'
import { answerHeld } from './approvals/held.ts'
import type { AppServer, Client } from './connection/app-server.ts'
import { codexHome } from './connection/home.ts'
import { AgentCore } from './core.ts'
import { toDefinition } from './definition.ts'
import { beginSignIn, maintained, readInfo } from './facts.ts'
import { listSessions } from './history/list.ts'
import { readHistory } from './history/read.ts'
import { readCatalog } from './options/catalog.ts'
import { listOptions } from './options/list.ts'
import { applyOption, checkOption } from './options/set.ts'
import type { Approvals, Questions } from './routing/requests.ts'
import { cancelRun, cancelTask } from './runs/cancel.ts'
import { inputSent } from './runs/deliveries.ts'
import { checkInput } from './runs/input.ts'
import { startTurn } from './runs/start.ts'
import { steer } from './runs/steer.ts'
import { beginRun, withdrawRun } from './runs/turns.ts'
import type { Chats } from './sessions/chats.ts'
import { createSession, ensureLoaded, forkSession, resumeSession } from './sessions/open.ts'
import { rollback } from './sessions/rollback.ts'
import type { SessionState } from './sessions/state.ts'
import { readSkills } from './skills.ts'
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
  readonly #host: HostApi
  readonly #home: string
  readonly #checkUpdates: boolean
  readonly #core: AgentCore
  readonly #chats: Chats
  readonly #skillPaths = new Map<string, string>()

  constructor({ host, account = defaultAccount, env = process.env, checkUpdates = true }: CodexAgentOptions) {
    this.account = account
    this.#host = host
    this.#home = codexHome(account.home, env)
    this.#checkUpdates = checkUpdates
    this.#core = new AgentCore({ agentId: account.id, host, home: this.#home, emit: (event) => this.emit(event) })
    this.#chats = this.#core.chats
  }

  /** Open sessions by id. */
  get sessions(): Map<string, SessionState> {
    return this.#chats.sessions
  }

  /** Subagents by thread. */
  get subagents(): Map<string, Subagent> {
    return this.#chats.subagents
  }

  /** Requests that wait for the user. */
  get approvals(): Approvals {
    return this.#core.approvals
  }

  get questions(): Questions {
    return this.#core.questions
  }

  /** What is known of the account's usage; `null` before it was read, and after a change of account. */
  get quotaFacts(): Recovery | null {
    return this.#core.meter.facts
  }

  /** The running app-server; `null` when none runs. */
  get proc(): AppServer | null {
    return this.#core.server
  }

  /** The client of the running app-server, which is started when none runs. */
  client(): Promise<Client> {
    return this.#core.client()
  }

  /** Runs a job in the background, after those before it; its failure is nobody's. */
  enqueue(job: Effect.Effect<void>): void {
    this.#core.enqueue(job)
  }

  /** Takes a notification off the wire. One that can't be read is told by its method, and the rest goes on. */
  onNotification(method: string, params: Notification): void {
    this.#core.onNotification(method, params)
  }

  /** Turns a notification into events, at once. */
  routeNotification(method: string, params: Notification): void {
    this.#core.routeNotification(method, params)
  }

  /** The session's run; `null` when it is idle or not open. */
  runOf(sessionId: string): string | null {
    return this.sessions.get(sessionId)?.run ?? null
  }

  /** Ends the session's run at once, and stops what its start may still bring about. */
  finishRun(sessionId: string, outcome: Outcome): void {
    this.#core.finishRun(sessionId, outcome)
  }

  async initialize(): Promise<AgentInfo> {
    const checkedBy = this.#checkUpdates ? this.#host : null
    return readInfo(await this.client(), this.#core.meter, { id: this.account.id, home: this.#home, checkedBy })
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
    const { release } = this.#core
    await cancelRun({ chats: this.#chats, running: () => this.#core.runningClient(), release }, sessionId)
    this.#core.strangersMayLeave()
  }

  async cancelTask({ sessionId, taskId }: SessionRef & { readonly taskId: string }): Promise<void> {
    const { release } = this.#core
    await cancelTask({ chats: this.#chats, client: () => this.client(), release }, sessionId, taskId)
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
    return this.#core.meter.read(await this.client())
  }

  /** Updates the CLI with the installer that owns it, and lets the next request start the new version. */
  async update(): Promise<void> {
    if (this.#chats.anyRun()) throw new Error('codex is at work: update it when no session has a run')
    await update(this.#host, maintained(null))
    await this.#core.stopServer()
  }

  async authenticate(signIn: SignIn): Promise<SignInResult> {
    return beginSignIn(await this.client(), this.#host, signIn)
  }

  async logout(): Promise<void> {
    await (await this.client()).request('account/logout', undefined)
  }

  /** Ends the runs, then the app-server; resolves when it is gone. */
  dispose(): Promise<void> {
    return this.#core.dispose()
  }

  /** This agent as its host knows it. */
  definition(): AgentDefinition {
    return toDefinition(this)
  }
}
