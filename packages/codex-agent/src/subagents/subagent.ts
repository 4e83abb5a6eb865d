/** A child thread of a chat, and the task that the host sees of it. */
import type { Task, TaskStatus } from '@loader-smoke/agent-sdk'
import { noOpenItems, type OpenItems } from '../events/items.ts'

/** A child thread. */
export interface Subagent {
  readonly threadId: string
  /** The thread that started it: the chat's, or another child's. */
  readonly parent: string
  /** The session it works for. */
  readonly chat: string
  /** Its live turn; `null` when it does nothing. */
  turn: string | null
  /** Its answer was taken: a later turn does not open it again. */
  closed: boolean
  task: Task
  readonly items: OpenItems
  /** What it said last: its answer, once its turn ends. */
  lastText: string | null
}

/** A running child. */
export function newSubagent(
  threadId: string,
  parent: string,
  chat: string,
  task: Omit<Task, 'id' | 'status' | 'startedAt'> & Partial<Task>,
): Subagent {
  return {
    threadId,
    parent,
    chat,
    turn: null,
    closed: false,
    task: {
      id: threadId,
      status: 'running',
      startedAt: new Date().toISOString(),
      ...task,
    },
    items: noOpenItems(),
    lastText: null,
  }
}

/** `task` with another status; the end has a time and no activity, a new beginning has neither end nor summary. */
export function withStatus(task: Task, status: TaskStatus, summary?: string): Task {
  if (status === 'running' || status === 'waiting') {
    const { endedAt: _, ...open } = task
    return { ...open, status }
  }
  const { activity: _, ...ended } = task
  return {
    ...ended,
    status,
    endedAt: new Date().toISOString(),
    ...(summary === undefined ? {} : { summary }),
  }
}

/** Whether something may still come of it. */
export function isLive({ task }: Subagent): boolean {
  return task.status === 'running' || task.status === 'waiting'
}

/** The first line of a text, for a title. */
export function firstLine(text: string | null | undefined): string {
  return (text ?? '').trim().split('\n', 1)[0]?.trim() ?? ''
}
