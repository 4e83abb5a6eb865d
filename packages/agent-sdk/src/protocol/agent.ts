/** An agent as its host sees it: facts about it, and the methods that the host calls. */
import type { HostApi } from '../host/host.ts'
import type { ApprovalAnswer } from './approval.ts'
import type { Event } from './event.ts'
import type { AgentOption } from './option.ts'
import type { QuestionAnswer } from './question.ts'
import type { PromptInput, PromptResult } from './run.ts'
import type {
  CreateSession,
  ForkSession,
  HistoryItem,
  ResumeSession,
  SessionSummary,
  Skill,
  SlashCommand,
} from './session.ts'
import type { UsageLimits } from './usage.ts'

/** Whether the agent can work; `message` says what the user has to do. */
export type AgentStatus = { readonly state: 'ready' } | { readonly state: 'auth_required'; readonly message: string }

/** What the agent can do beyond a plain conversation. */
export interface AgentCapabilities {
  readonly subagents: boolean
  readonly slashCommands: boolean
  readonly steering: boolean
  readonly fork: boolean
  readonly rollback: boolean
  readonly compact: boolean
}

/** What is known of the installed program and its updates. */
export interface Maintenance {
  /** Whether {@link AgentDefinition.update} can update it: the installer that owns it is proven. */
  readonly canUpdate: boolean
  readonly installedVersion: string | null
  /** Absent when the installer was not asked or did not answer. */
  readonly latestVersion?: string
  readonly manager?: 'npm' | 'homebrew'
}

/** Facts about an agent, from its running program. */
export interface AgentInfo {
  readonly id: string
  readonly version: string | null
  readonly status: AgentStatus
  readonly capabilities: AgentCapabilities
  /** Agents of one family understand each other's sessions when their `continuationKey` is equal. */
  readonly family: string
  readonly continuationKey: string
  /** An SVG document. */
  readonly icon: string
  readonly usageLimits?: UsageLimits | null
  readonly maintenance?: Maintenance
  /** For a person, e.g. a version outside the tested range; empty when all is well. */
  readonly warnings: readonly string[]
}

/** Names an open session. */
export interface SessionRef {
  readonly sessionId: string
}

/** A change of one setting. */
export interface SetOption extends SessionRef {
  readonly optionId: string
  readonly value: string
}

/** Ways to sign in. `device_code` and `chatgpt` end in the browser, later. */
export type SignIn =
  | { readonly method: 'chatgpt' }
  | { readonly method: 'device_code' }
  | { readonly method: 'api_key'; readonly apiKey: string }

/** What the user has to do to finish signing in. */
export interface SignInResult {
  readonly url?: string
  readonly code?: string
}

/**
 * The methods of the agent protocol, by their names on the host's side. Every method rejects with an `Error` whose message is
 * for a person; a failed run is no rejection but a `run_finished` event.
 */
export interface AgentDefinition {
  readonly id: string
  readonly name: string
  initialize(): Promise<AgentInfo>
  list_options(params: { readonly workspace: string }): Promise<{ readonly options: readonly AgentOption[] }>
  list_commands(params: { readonly workspace: string }): Promise<{ readonly commands: readonly SlashCommand[] }>
  list_sessions(params: { readonly workspace: string }): Promise<{ readonly sessions: readonly SessionSummary[] }>
  read_session(params: SessionRef & { readonly workspace: string }): Promise<{ readonly items: readonly HistoryItem[] }>
  list_skills(params: { readonly workspace: string }): Promise<{ readonly skills: readonly Skill[] }>
  create_session(params: CreateSession): Promise<SessionRef>
  resume_session(params: ResumeSession): Promise<void>
  close_session(params: SessionRef): Promise<void>
  /** Resolves with the new session. */
  fork_session(params: ForkSession): Promise<SessionRef>
  /** Starts a run, or gives the running one more input. Resolves once it is accepted, not once it ends. */
  prompt(params: SessionRef & { readonly input: PromptInput }): Promise<PromptResult>
  /** Ends the run and everything that it started. */
  cancel(params: SessionRef): Promise<void>
  /** Ends one subagent and leaves the run alone. */
  cancel_task(params: SessionRef & { readonly taskId: string }): Promise<void>
  set_option(params: SetOption): Promise<{ readonly options: readonly AgentOption[] }>
  respond_to_approval(params: ApprovalAnswer): Promise<void>
  respond_to_question(params: QuestionAnswer): Promise<void>
  /** Forgets a message of the user and all that followed; files stay as they are. */
  rollback(params: SessionRef & { readonly itemId: string }): Promise<void>
  compact(params: SessionRef): Promise<void>
  usage_limits(): Promise<UsageLimits | null>
  update(): Promise<void>
  authenticate(params: SignIn): Promise<SignInResult>
  logout(): Promise<void>
  /** Ends the agent's program and everything below it; resolves when it is gone. The agent can be used again. */
  dispose(): Promise<void>
}

/** Makes an agent for one host; `emit` is called synchronously, in the order in which things happened. */
export type AgentFactory = (host: HostApi, emit: (event: Event) => void) => AgentDefinition
