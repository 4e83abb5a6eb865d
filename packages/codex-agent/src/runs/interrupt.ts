/** Stops what runs in a thread. */
import type { Client } from '../connection/app-server.ts'

/** Resolves when the server has taken the interrupt, or there was nothing to interrupt: a turn that has ended is refused. */
export async function interruptTurn(client: Client, threadId: string, turnId: string): Promise<void> {
  // Refused: the turn is over. Closed: so is the server. Either way the turn does not run, which is all that was wanted.
  await client.request('turn/interrupt', { threadId, turnId }).catch(() => {})
}

/** Ends the shell commands of a thread, which an interrupt leaves running. Versions that don't know the request leave them. */
export async function endCommands(client: Client, threadId: string): Promise<void> {
  await client.request('thread/backgroundTerminals/clean', { threadId }).catch(() => {})
}
