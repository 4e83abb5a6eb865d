/** Stops what runs in a thread. */
import { RefusedError } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import type { SessionState } from '../sessions/state.ts'

/** How long a turn that can't be interrupted yet is waited for; it begins about 100 ms after the answer to its start. */
const beginDeadlineMs = 2_000

/** Resolves when the server has taken the interrupt, or there was nothing to interrupt: a turn that has ended is refused. */
export async function interruptTurn(client: Client, threadId: string, turnId: string): Promise<void> {
  // Refused: the turn is over. Closed: so is the server. Either way the turn does not run, which is all that was wanted.
  await client.request('turn/interrupt', { threadId, turnId }).catch(() => {})
}

/**
 * Stops a chat's turn, which may only just have been answered for: version 0.171.0 answers a start before the turn can be interrupted,
 * refuses an interrupt in between, and runs the turn all the same. So a refused interrupt is repeated once the turn has begun.
 */
export async function stopTurn(client: Client, state: SessionState, threadId: string, turnId: string): Promise<void> {
  const begun = Promise.withResolvers<void>()
  state.turnWatchers.set(turnId, begun.resolve)
  try {
    await client.request('turn/interrupt', { threadId, turnId })
  } catch (error) {
    const tooEarly = error instanceof RefusedError && /no active turn/.test(error.reason)
    if (!tooEarly || state.retired.get(turnId)?.outcome) return
    const timer = setTimeout(begun.resolve, beginDeadlineMs)
    await begun.promise
    clearTimeout(timer)
    if (!state.retired.get(turnId)?.outcome) await interruptTurn(client, threadId, turnId)
  } finally {
    state.turnWatchers.delete(turnId)
  }
}

/** Ends the shell commands of a thread, which an interrupt leaves running. Versions that don't know the request leave them. */
export async function endCommands(client: Client, threadId: string): Promise<void> {
  await client.request('thread/backgroundTerminals/clean', { threadId }).catch(() => {})
}
