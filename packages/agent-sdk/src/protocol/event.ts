/** What an agent tells its host while it works: one closed union, told apart by `event`. */
import type { Approval } from './approval.ts'
import type { Question } from './question.ts'
import type { Outcome } from './run.ts'
import type { Task } from './task.ts'
import type { ToolCall, ToolParts, ToolStatus } from './tool-call.ts'
import type { Recovery, UsageLimits } from './usage.ts'

/** Where an event belongs. A field that does not apply is absent, not undefined. */
export interface EventPlace {
  /** The chat, also for what a subagent does; `''` for what concerns the whole agent. */
  readonly sessionId: string
  /** The run that the event belongs to; may be one that has finished. */
  readonly runId?: string
  /** The subagent whose event this is. */
  readonly taskId?: string
}

/** One entry of the agent's plan. */
export interface PlanEntry {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** How text arrives: `append` adds to what came before under the same `itemId`, `replace` takes its place. */
export type TextMode = 'append' | 'replace'

/** An event without its place. */
export type EventBody =
  /** A run that the agent began by itself; one begun by a prompt is announced by the prompt's result. */
  | { readonly event: 'run_started' }
  /** Exactly once per run; nothing of the run is still to come but late tool updates. */
  | { readonly event: 'run_finished'; readonly outcome: Outcome }
  | { readonly event: 'text_delta'; readonly itemId: string; readonly text: string; readonly mode: TextMode }
  | { readonly event: 'reasoning_delta'; readonly itemId: string; readonly text: string; readonly mode: TextMode }
  | ({ readonly event: 'tool_call_started' } & ToolCall)
  | ({
      readonly event: 'tool_call_updated'
      readonly id: string
      readonly status?: ToolStatus
      /** To be added to what the tool has shown. */
      readonly outputDelta?: string
    } & ToolParts)
  | { readonly event: 'plan'; readonly entries: readonly PlanEntry[] }
  | ({ readonly event: 'task' } & Task)
  | ({ readonly event: 'approval' } & Approval)
  /** The approval was settled elsewhere: it needs no answer any more. */
  | { readonly event: 'approval_resolved'; readonly id: string }
  | ({ readonly event: 'question' } & Question)
  | { readonly event: 'question_resolved'; readonly id: string }
  /** The agent's model has read the input. */
  | { readonly event: 'input_consumed'; readonly inputId: string; readonly nativeInputId: string }
  /** The agent certainly did not take the input; it may be sent again. */
  | { readonly event: 'input_rejected'; readonly inputId: string; readonly attemptId: string }
  | { readonly event: 'usage'; readonly usedTokens: number; readonly contextWindow?: number }
  /**
   * What the whole run has cost, with what its subagents spent until its end: at most once per run, before its `run_finished`, by agents that
   * are told.
   * `inputTokens` includes the cached ones, `outputTokens` includes reasoning.
   */
  | {
      readonly event: 'tokens'
      readonly inputTokens: number
      readonly cachedInputTokens?: number
      readonly cacheWriteInputTokens?: number
      readonly outputTokens: number
      readonly reasoningTokens?: number
    }
  | ({ readonly event: 'usage_limits' } & UsageLimits)
  | { readonly event: 'usage_blocked'; readonly recovery: Recovery }
  | { readonly event: 'compacted' }
  | { readonly event: 'session_info'; readonly title: string }
  | { readonly event: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly message: string }

type Placed<Body> = Body extends unknown ? EventPlace & Body : never

/** An event with its place. */
export type Event = Placed<EventBody>
