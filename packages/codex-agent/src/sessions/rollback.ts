/** Takes a session back to before a message. */
import type { Client } from '../connection/app-server.ts'
import { allTurns } from '../history/turns.ts'
import type { Chats } from './chats.ts'
import { ensureLoaded } from './open.ts'

/** Reverts from the turn that the message started: found by the host's id of the message, else by the server's. */
export async function rollback(client: Client, chats: Chats, sessionId: string, itemId: string): Promise<void> {
  const state = chats.session(sessionId)
  const threadId = chats.threadOf(sessionId)
  const beforeTurnId = state.turns.get(itemId) ?? (await turnHolding(client, threadId, itemId))
  if (beforeTurnId === null) throw new Error(`codex does not know message ${itemId} in session ${sessionId}`)
  await ensureLoaded(client, chats, sessionId)
  await client.request('thread/revert', { threadId, beforeTurnId })
}

async function turnHolding(client: Client, threadId: string, itemId: string): Promise<string | null> {
  const turns = await allTurns(client, threadId)
  return turns.find(({ items }) => items?.some((item) => item?.id === itemId))?.id ?? null
}
