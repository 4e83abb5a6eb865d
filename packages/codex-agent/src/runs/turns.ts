/** Runs and the turns below them: which turn may end which run. Every run ends exactly once. */
import { randomUUID } from 'node:crypto'
import type { Delivery, Outcome } from '@loader-smoke/agent-sdk'
import { failureText } from '../events/failure-text.ts'
import { fromTokens } from '../events/tokens.ts'
import { closeTools } from '../events/tool.ts'
import type { OpenTool } from '../events/items.ts'
import type { Chats, Place } from '../sessions/chats.ts'
import type { Turn } from '../wire/messages.ts'
import { startInFlight, type StartInFlight } from './start-in-flight.ts'

/** Begins a run of an idle session; its turn is not known yet. */
export function beginRun(chats: Chats, sessionId: string): StartInFlight {
  const state = chats.session(sessionId)
  const start = startInFlight(newRunId())
  state.run = start.runId
  // A turn left over from before says nothing about this run.
  state.turn = null
  state.start = start
  return start
}

/** Takes a run back that the host was never told of: there is no server to send it to. */
export function withdrawRun({ state }: Place, start: StartInFlight, delivery: Delivery | undefined): void {
  if (state.run !== start.runId) return
  if (delivery !== undefined) state.inputs.delete(delivery.attemptId)
  state.run = null
  state.start = null
  start.reject(new Error('the turn ended before steering'))
}

/** The server began a turn: the current run's, or one that it began by itself. */
export function turnStarted(chats: Chats, place: Place, turnId: string): void {
  const { sessionId, state } = place
  state.turnWatchers.get(turnId)?.()
  if (state.retired.has(turnId)) return
  // The next start waits until the abandoned one is settled, so this turn can be no other.
  if (state.abandoned !== null) return void state.abandoned.stop(turnId)
  if (state.run === null) {
    state.run = newRunId()
    chats.tellRun(sessionId, state.run, { event: 'run_started' })
  }
  turnKnown(place, turnId)
}

/** The current run's turn is `turnId`. */
export function turnKnown({ state }: Place, turnId: string): void {
  state.turn = turnId
  state.prompted = true
  state.start?.resolve(turnId)
  state.start = null
}

/**
 * The server ended a turn. Only the current turn ends the run, or, while the turn is not known, any that has not retired: a turn may
 * end before the answer to its start arrives.
 */
export function turnCompleted(chats: Chats, place: Place, turn: Turn): void {
  const { sessionId, state } = place
  const { id } = turn
  if (turn.status === 'inProgress' || typeof id !== 'string') return
  const outcome = outcomeOf(turn)
  if (state.retired.has(id)) {
    state.retired.complete(id, outcome)
    state.turnWatchers.get(id)?.()
    return
  }
  const ends =
    state.abandoned === null &&
    state.run !== null &&
    (id === state.turn || (state.turn === null && state.start !== null))
  if (ends) finishRun(chats, sessionId, outcome, { turnId: id, completed: true })
  else state.retired.add(id, { runId: state.abandoned?.runId ?? state.run, outcome })
}

/** How the server says a turn ended. */
export function outcomeOf(turn: Turn): Outcome {
  if (turn.status === 'interrupted') return { status: 'cancelled' }
  if (turn.status === 'failed') return { status: 'failed', message: failureText(turn.error) }
  return { status: 'completed' }
}

/** Ends the session's run at once and retires its turn; does nothing when the session is idle. */
export function finishRun(
  chats: Chats,
  sessionId: string,
  outcome: Outcome,
  { turnId = null, completed = false }: { readonly turnId?: string | null; readonly completed?: boolean } = {},
): void {
  const place = chats.placeOf(sessionId)
  if (place === null || place.subagent !== null) return
  const { state } = place
  const { run, start } = state
  if (run === null) return
  closeItems(chats, place, turnId ?? state.turn, outcome)
  const ended = turnId ?? state.turn
  if (ended !== null) state.retired.add(ended, { runId: run, outcome: completed ? outcome : null })
  // Before anyone hears of it: the host may prompt again from within the event.
  state.run = null
  state.turn = null
  state.start = null
  const tokens = [...state.tokens.values()]
  state.tokens.clear()
  start?.reject(new Error('the turn ended before steering'))
  if (tokens.length > 0) chats.tellRun(sessionId, run, fromTokens(tokens))
  chats.tellRun(sessionId, run, { event: 'run_finished', outcome })
}

/** Closes what is open in a thread whose turn has ended. Streamed text needs no closing word; a tool must not run for ever. */
export function closeItems(chats: Chats, place: Place, turnId: string | null, outcome: Outcome): void {
  const { messages, reasonings } = place.items
  messages.clear()
  reasonings.clear()
  // A command may run on in the background, and completes by itself: after the turn, or when it is stopped.
  const ends = (tool: OpenTool) =>
    tool.type !== 'commandExecution' && (tool.turnId === null || turnId === null || tool.turnId === turnId)
  const status = outcome.status === 'failed' ? 'failed' : 'cancelled'
  for (const body of closeTools(place.items, status, ends)) chats.tell(place, turnId, body)
}

/** Closes every tool of a thread, commands too, each with the run it belongs to: what they run in is gone, or about to be ended. */
export function closeAllTools(chats: Chats, threadId: string, status: 'failed' | 'cancelled'): void {
  const place = chats.placeOf(threadId)
  if (place === null) return
  for (const [id, { turnId }] of place.items.tools)
    for (const body of closeTools(place.items, status, (_tool, other) => other === id)) chats.tell(place, turnId, body)
}

function newRunId(): string {
  return `codex-run-${randomUUID()}`
}
