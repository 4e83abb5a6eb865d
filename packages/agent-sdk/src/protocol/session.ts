/** Conversations: opening, listing and reading them. */
import type { OptionValues } from './option.ts'
import type { Task } from './task.ts'
import type { ToolCall } from './tool-call.ts'

/** A tool that the host offers to the agent; the agent calls it through {@link HostApi.tools}. */
export interface HostTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A new conversation. */
export interface CreateSession {
  /** Absolute path of the folder to work in. */
  readonly workspace: string
  readonly options?: OptionValues
  readonly tools?: readonly HostTool[]
  /** The host's instructions to the model. */
  readonly instructions?: string
}

/** An earlier conversation, opened again. */
export interface ResumeSession extends CreateSession {
  readonly sessionId: string
}

/** A copy of a conversation, which goes on by itself. */
export type ForkSession = ResumeSession

/** One row of a list of conversations. */
export interface SessionSummary {
  readonly id: string
  readonly title: string
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly updatedAt: string
}

/** One entry of a conversation's history, told apart by `role`. */
export type HistoryItem =
  | { readonly role: 'user'; readonly id: string; readonly text: string }
  | { readonly role: 'assistant'; readonly id: string; readonly text: string }
  | { readonly role: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly role: 'tool'; readonly id: string; readonly toolCall: ToolCall }
  | { readonly role: 'compacted'; readonly id: string }
  /** A subagent's work, with its own history. */
  | { readonly role: 'task'; readonly id: string; readonly task: Task; readonly items: readonly HistoryItem[] }

/** A skill of the workspace or the account. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Where it comes from, in the agent's words, e.g. `user`. */
  readonly source: string
  /** Whether only the user may start it. */
  readonly manualOnly: boolean
}

/** A slash command of the agent. */
export interface SlashCommand {
  readonly name: string
  readonly description: string
}
