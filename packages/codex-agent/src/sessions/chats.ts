/** Which open session a thread belongs to, and how an event gets its place. */
import type { Event, EventBody } from '@loader-smoke/agent-sdk'
import type { OpenItems } from '../events/items.ts'
import type { Subagent } from '../subagents/subagent.ts'
import type { SessionState } from './state.ts'

/** Where a thread's messages belong. */
export interface Place {
  readonly sessionId: string
  readonly state: SessionState
  /** `null` for the chat's own thread. */
  readonly subagent: Subagent | null
  readonly items: OpenItems
}

/** Whether the turn of a chat is over for us. A child's turns are followed by its task. */
export function isOver({ state, subagent }: Place, turnId: string | null | undefined): boolean {
  return subagent === null && typeof turnId === 'string' && turnId !== state.turn && state.retired.has(turnId)
}

/** The open sessions and the subagents below them. */
export class Chats {
  readonly sessions = new Map<string, SessionState>()
  /** By thread. */
  readonly subagents = new Map<string, Subagent>()
  /** Threads that stand in for a session's lost first one. */
  readonly #standIns = new Map<string, string>()
  readonly #emit: (event: Event) => void

  constructor(emit: (event: Event) => void) {
    this.#emit = emit
  }

  /** Where messages of `threadId` belong; `null` for a thread of nobody here. */
  placeOf(threadId: string | null | undefined): Place | null {
    if (threadId === null || threadId === undefined) return null
    const sessionId = this.#standIns.size === 0 ? threadId : (this.#standIns.get(threadId) ?? threadId)
    const state = this.sessions.get(sessionId)
    if (state !== undefined) return { sessionId, state, subagent: null, items: state.items }
    const subagent = this.subagents.get(threadId)
    if (subagent === undefined) return null
    const chat = this.sessions.get(subagent.chat)
    return chat === undefined ? null : { sessionId: subagent.chat, state: chat, subagent, items: subagent.items }
  }

  /** Whether messages of `threadId` belong to anyone here. */
  knows(threadId: string): boolean {
    return this.sessions.has(threadId) || this.placeOf(threadId) !== null
  }

  /** The open session, or an error that says what to do. */
  session(sessionId: string): SessionState {
    const state = this.sessions.get(sessionId)
    if (state === undefined)
      throw new Error(`codex has no open session ${sessionId}: create it, or resume it when it was closed`)
    return state
  }

  /** The server's thread of an open session. */
  threadOf(sessionId: string): string {
    return this.sessions.get(sessionId)?.threadId ?? sessionId
  }

  /** Whether a run goes on in any session. */
  anyRun(): boolean {
    for (const { run } of this.sessions.values()) if (run !== null) return true
    return false
  }

  /** Lets `threadId` stand in for the session's own thread from now on. */
  standIn(sessionId: string, threadId: string): void {
    this.session(sessionId).threadId = threadId
    this.#standIns.set(threadId, sessionId)
  }

  /** Forgets the session and the subagents below it; nothing of them is told any more. */
  close(sessionId: string): void {
    const standIn = this.sessions.get(sessionId)?.threadId
    if (standIn) this.#standIns.delete(standIn)
    this.sessions.delete(sessionId)
    for (const [threadId, { chat }] of this.subagents) if (chat === sessionId) this.subagents.delete(threadId)
  }

  /** Tells an event of a place. `turnId` decides the run: a turn that is over keeps its own, any other belongs to the current one. */
  tell(place: Place, turnId: string | null | undefined, body: EventBody): void {
    const { sessionId, state, subagent } = place
    const retired = subagent === null && turnId && turnId !== state.turn ? state.retired.get(turnId) : undefined
    const runId = retired === undefined ? state.run : retired.runId
    // One literal per shape: this runs for every streamed word.
    if (subagent !== null && body.event !== 'task')
      this.#emit(
        runId === null
          ? { sessionId, taskId: subagent.task.id, ...body }
          : { sessionId, runId, taskId: subagent.task.id, ...body },
      )
    else this.#emit(runId === null ? { sessionId, ...body } : { sessionId, runId, ...body })
  }

  /** Tells an event of a session and a given run. */
  tellRun(sessionId: string, runId: string, body: EventBody): void {
    this.#emit({ sessionId, runId, ...body })
  }

  /** Tells an event that belongs to no run. */
  tellSession(sessionId: string, body: EventBody): void {
    this.#emit({ sessionId, ...body })
  }
}
