/** The stored sessions of a workspace. */
import type { SessionSummary } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import { allPages } from '../wire/pages.ts'
import { fromSeconds } from '../wire/time.ts'
import { titleOf } from './read.ts'

/** The sessions whose folder is exactly `workspace`, without those of subagents. */
export async function listSessions(client: Client, workspace: string): Promise<readonly SessionSummary[]> {
  const rows = await allPages((cursor) =>
    client.request('thread/list', { cwd: workspace, limit: 100, ...(cursor === null ? {} : { cursor }) }),
  )
  return rows
    .filter((row) => typeof row?.id === 'string' && !row.parentThreadId)
    .map((row) => ({
      id: row?.id ?? '',
      title: titleOf(row),
      createdAt: fromSeconds(row?.createdAt) ?? '',
      updatedAt: fromSeconds(row?.updatedAt) ?? fromSeconds(row?.createdAt) ?? '',
    }))
}
