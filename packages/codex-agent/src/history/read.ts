/** A whole session as history, with the work of its subagents inside it. */
import type { HistoryItem } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import { collabCall, subagentActivity, type Adoption } from '../subagents/collab.ts'
import { withRecord } from '../subagents/record.ts'
import { firstLine, type Subagent, withStatus } from '../subagents/subagent.ts'
import { Chats } from '../sessions/chats.ts'
import { newSession } from '../sessions/state.ts'
import type { Thread, Turn } from '../wire/messages.ts'
import { fromSeconds } from '../wire/time.ts'
import { historyItem } from './items.ts'
import { allTurns } from './turns.ts'

/** A session's history. */
export interface SessionHistory {
  readonly title: string
  readonly items: readonly HistoryItem[]
  /** The subagents found in it, so that later events of theirs have a place. */
  readonly subagents: readonly Subagent[]
}

/** Reads a session without opening it. */
export async function readHistory(client: Client, sessionId: string, threadId: string): Promise<SessionHistory> {
  const { thread } = await client.request('thread/read', { threadId, includeTurns: false })
  // A scratch of its own: rebuilding tells nobody anything, and two reads at a time don't meet.
  const chats = new Chats(() => {})
  chats.sessions.set(sessionId, newSession(''))
  if (threadId !== sessionId) chats.standIn(sessionId, threadId)
  const items = await readThread(client, chats, threadId)
  return { title: titleOf(thread), items, subagents: [...chats.subagents.values()] }
}

/** A session's title: its name, else what it began with. */
export function titleOf(thread: Thread | null | undefined): string {
  return thread?.name || firstLine(thread?.preview)
}

async function readThread(client: Client, chats: Chats, threadId: string): Promise<HistoryItem[]> {
  const place = chats.placeOf(threadId)
  const items: HistoryItem[] = []
  const spawned: { readonly child: Subagent; readonly at: number }[] = []
  const adoption: Adoption = { describe: () => {}, adopted: (child) => spawned.push({ child, at: items.length }) }
  for (const turn of await allTurns(client, threadId))
    for (const item of turn.items ?? []) {
      if (!item || place === null) continue
      const began = spawned.length
      if (item.type === 'collabAgentToolCall') collabCall(chats, adoption, place, threadId, item)
      else if (item.type === 'subAgentActivity') subagentActivity(chats, adoption, place, threadId, item)
      for (const { child } of spawned.slice(began)) items.push(placeholder(child, turn))
      const own = historyItem(item)
      if (own !== null) items.push(own)
    }
  for (const { child, at } of spawned) items[at] = await readChild(client, chats, child)
  return items
}

async function readChild(client: Client, chats: Chats, child: Subagent): Promise<HistoryItem> {
  const { threadId } = child
  const record = await client.request('thread/read', { threadId, includeTurns: false }).catch(() => ({ thread: null }))
  const items = await readThread(client, chats, threadId).catch(() => [])
  if (record.thread) child.task = withRecord(child.task, record.thread)
  // A stored child does nothing any more, whatever its last state was.
  if (child.task.status === 'running' || child.task.status === 'waiting') child.task = withStatus(child.task, 'idle')
  const answer = items.findLast((item) => item.role === 'assistant')
  if (child.task.summary === undefined && answer?.role === 'assistant')
    child.task = { ...child.task, summary: answer.text }
  return { role: 'task', id: threadId, task: child.task, items }
}

function placeholder(child: Subagent, turn: Turn): HistoryItem {
  const startedAt = fromSeconds(turn.startedAt)
  if (startedAt !== undefined) child.task = { ...child.task, startedAt }
  return { role: 'task', id: child.threadId, task: child.task, items: [] }
}
