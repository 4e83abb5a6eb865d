/** The stored turns of a thread. */
import { RefusedError } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import type { Turn } from '../wire/messages.ts'
import { allPages } from '../wire/pages.ts'

/**
 * All turns of a thread, oldest first, with all their items. Threads of earlier versions have no pages: then the whole thread is
 * read at once. A thread without a message has no turns, which the server says by an error.
 */
export async function allTurns(client: Client, threadId: string): Promise<readonly Turn[]> {
  const paged = await allPages((cursor) =>
    client.request('thread/turns/list', { threadId, cursor, itemsView: 'full', sortDirection: 'asc' }),
  ).catch(noTurns)
  if (paged.length > 0) return paged
  const { thread } = await client.request('thread/read', { threadId, includeTurns: true }).catch((error: unknown) => {
    if (error instanceof RefusedError) return { thread: null }
    throw error
  })
  return (thread?.turns ?? []).flatMap((turn) => (turn ? [turn] : []))
}

function noTurns(error: unknown): readonly Turn[] {
  if (error instanceof RefusedError && /not materialized yet|not supported/.test(error.reason)) return []
  throw error
}
