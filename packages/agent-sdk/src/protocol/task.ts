/** Work that an agent gave to one of its subagents. */

/** `idle` is done for now and may get more; `completed`, `failed` and `cancelled` are over. */
export type TaskStatus = 'running' | 'waiting' | 'idle' | 'completed' | 'failed' | 'cancelled'

/** A subagent's task; every change is reported whole. */
export interface Task {
  readonly id: string
  readonly title: string
  readonly prompt?: string
  /** The subagent's nickname. */
  readonly name?: string
  readonly model?: string
  readonly effort?: string
  /** The tool call that started it. */
  readonly toolCallId?: string
  /** Set when a subagent started it. */
  readonly parentTaskId?: string
  readonly status: TaskStatus
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601; present once the status is not running or waiting. */
  readonly endedAt?: string
  /** The subagent's answer, or why it failed. */
  readonly summary?: string
  readonly usage?: TaskUsage
  /** Tools started so far. */
  readonly toolUses?: number
  /** What it does right now. */
  readonly activity?: string
}

/** Tokens of one subagent since it began. */
export interface TaskUsage {
  readonly usedTokens: number
}
