/** Stops a run and everything below it, or one subagent. */
import type { Client } from '../connection/app-server.ts'
import type { Chats } from '../sessions/chats.ts'
import type { SessionState } from '../sessions/state.ts'
import type { Subagent } from '../subagents/subagent.ts'
import { descendants } from '../subagents/tree.ts'
import { endCommands, interruptTurn, stopTurn } from './interrupt.ts'
import { abandonStart } from './start.ts'
import { closeAllTools, finishRun } from './turns.ts'

/** What a cancellation needs beside the session. */
export interface CancelDeps {
  readonly chats: Chats
  /** The running server's client; `null` when none runs, and so nothing does that could be stopped. */
  readonly running: () => Promise<Client | null>
  /** Answers what these threads wait for. */
  readonly release: (threads: ReadonlySet<string>) => void
}

/**
 * Ends the session's run at once; resolves when the server has been told to stop the turns below it, the chat's last, and to end
 * their shell commands.
 */
export async function cancelRun(deps: CancelDeps, sessionId: string): Promise<void> {
  const { chats } = deps
  const state = chats.session(sessionId)
  const threadId = chats.threadOf(sessionId)
  const children = descendants(chats, threadId)
  const ownTurn = state.run === null ? null : state.turn
  const { start } = state
  deps.release(new Set([threadId, ...children.map((child) => child.threadId)]))
  for (const thread of [...children.map((child) => child.threadId), threadId]) closeAllTools(chats, thread, 'cancelled')
  finishRun(chats, sessionId, { status: 'cancelled' })
  const stop = async () => {
    const place = chats.placeOf(threadId)
    const abandoned = start !== null && place !== null ? abandonStart(place, start) : null
    const client = await deps.running()
    if (client === null) return
    const live = liveTurns(children)
    const interrupts = live.map((turn) => interruptTurn(client, turn.threadId, turn.turnId))
    if (ownTurn !== null) interrupts.push(stopTurn(client, state, threadId, ownTurn))
    await Promise.all([...interrupts, abandoned])
    // After the interrupts: what a turn has left behind is only then complete.
    await Promise.all([...live.map((turn) => turn.threadId), threadId].map((thread) => endCommands(client, thread)))
  }
  await stopFirst(state, stop())
}

/** Lets the session's next start wait for `stopping`. */
export async function stopFirst(state: SessionState, stopping: Promise<void>): Promise<void> {
  const all = Promise.all([state.stopping, stopping])
  state.stopping = all
  await all
  if (state.stopping === all) state.stopping = null
}

/** Ends one subagent and what it started; the chat's run goes on. */
export async function cancelTask(
  deps: Pick<CancelDeps, 'chats' | 'release'> & { readonly client: () => Promise<Client> },
  sessionId: string,
  taskId: string,
): Promise<void> {
  const child = deps.chats.subagents.get(taskId)
  if (child === undefined || child.chat !== sessionId)
    throw new Error(`session ${sessionId} has no codex subagent ${taskId}`)
  if (child.turn === null) throw new Error(`codex subagent ${taskId} is not running, so there is nothing to cancel`)
  const family = [...descendants(deps.chats, taskId), child]
  deps.release(new Set(family.map(({ threadId }) => threadId)))
  const live = liveTurns(family)
  const client = await deps.client()
  await Promise.all(live.map((turn) => interruptTurn(client, turn.threadId, turn.turnId)))
  await Promise.all(live.map((turn) => endCommands(client, turn.threadId)))
}

function liveTurns(children: readonly Subagent[]): { readonly threadId: string; readonly turnId: string }[] {
  return children.flatMap(({ threadId, turn }) => (turn === null ? [] : [{ threadId, turnId: turn }]))
}
