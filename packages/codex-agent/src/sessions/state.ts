/** What this agent remembers of an open session. */
import type { HostTool, OptionValues } from '@loader-smoke/agent-sdk'
import { noOpenItems, type OpenItems } from '../events/items.ts'
import type { ThreadTokens } from '../events/tokens.ts'
import type { AbandonedStart, StartInFlight } from '../runs/start-in-flight.ts'
import { type RetiredTurns, retiredTurns } from './retired-turns.ts'

/** An input that was sent and not yet read by the model. */
export interface PendingInput {
  readonly inputId: string
  /** The run it was sent in, which may end before the input is read. */
  readonly runId: string
}

/** An open session. */
export interface SessionState {
  workspace: string
  /** The run that goes on; `null` when idle. */
  run: string | null
  /** The run's turn; `null` when idle, or while the server has not named it. */
  turn: string | null
  /** The host's message id → the turn it started. */
  readonly turns: Map<string, string>
  /** Attempt id → input, until the model has read it. */
  readonly inputs: Map<string, PendingInput>
  readonly options: OptionValues
  instructions: string | null
  /** Instructions that the thread may not have: an existing thread keeps those it began with, so they go along with the next turn. */
  newInstructions: string | null
  tools: readonly HostTool[]
  /** Whether the running app-server has the thread loaded and sends its events. */
  loaded: boolean
  /** Whether the thread has a message. One without is not stored, so an app-server that ends takes it along. */
  prompted: boolean
  /** The server's thread when it is not named as the session is: the session's first thread was lost before its first message. */
  threadId: string | null
  /** A `turn/start` whose turn is not known yet. */
  start: StartInFlight | null
  /** What the run has cost so far, by thread: its own and those of its subagents. */
  readonly tokens: Map<string, ThreadTokens>
  /** The same of a run that was cancelled meanwhile. */
  abandoned: AbandonedStart | null
  /** The end of a stop that is still going on; the next start waits for it, for it would join the turn that is being stopped. */
  stopping: Promise<unknown> | null
  /** Called when the server says that a turn has begun or ended. */
  readonly turnWatchers: Map<string, () => void>
  readonly retired: RetiredTurns
  readonly items: OpenItems
  /** Warnings already told: some come again with every turn. */
  readonly warned: Set<string>
}

/** An idle session in `workspace`, loaded in the running app-server. */
export function newSession(
  workspace: string,
  known: Partial<Pick<SessionState, 'instructions' | 'tools' | 'prompted' | 'loaded'>> & {
    readonly options?: OptionValues
  } = {},
): SessionState {
  return {
    workspace,
    run: null,
    turn: null,
    turns: new Map(),
    inputs: new Map(),
    options: { ...known.options },
    instructions: known.instructions ?? null,
    newInstructions: null,
    tools: known.tools ?? [],
    loaded: known.loaded ?? true,
    prompted: known.prompted ?? true,
    threadId: null,
    start: null,
    tokens: new Map(),
    abandoned: null,
    stopping: null,
    turnWatchers: new Map(),
    retired: retiredTurns(),
    items: noOpenItems(),
    warned: new Set(),
  }
}
