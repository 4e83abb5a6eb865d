/** A tool call as the host shows it: what runs, where, and what came of it. */

/** What sort of work a tool does; decides its icon and grouping, never its permission. */
export type ToolKind = 'execute' | 'edit' | 'read' | 'search' | 'fetch' | 'think' | 'other'

/** `pending` waits for approval; the last four are final. `declined` is the user's no, `cancelled` a stop. */
export type ToolStatus = 'pending' | 'running' | 'completed' | 'failed' | 'declined' | 'cancelled'

/** A place in the workspace that a tool reads or writes. */
export interface ToolLocation {
  /** As the agent named it; absolute when the agent knows. */
  readonly path: string
}

/** One block of what a tool shows, in order. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  /** `diff` is a unified hunk; `oldText`/`newText` are whole texts, used when a file is new. */
  | { readonly type: 'diff'; readonly path: string; readonly diff: string }
  | { readonly type: 'diff'; readonly path: string; readonly oldText: string; readonly newText: string }
  | {
      readonly type: 'terminal'
      readonly command: string
      readonly cwd: string
      readonly output: string
      /** `null` when the command did not exit by itself. */
      readonly exitCode: number | null
      /** Whether `output` is cut; the output deltas before it were whole. */
      readonly truncated?: true
    }

/** The parts of a tool call that a later update may replace; an absent part is unchanged. */
export interface ToolParts {
  readonly title?: string
  /** The tool's own name, where it has one beside the title. */
  readonly name?: string
  readonly input?: unknown
  readonly content?: readonly ToolContent[]
  readonly locations?: readonly ToolLocation[]
}

/** A whole tool call. */
export interface ToolCall extends ToolParts {
  /** Unique within its session. */
  readonly id: string
  readonly kind: ToolKind
  readonly status: ToolStatus
}
