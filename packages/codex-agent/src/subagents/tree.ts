/** Changes of the subagents of all chats; every change is told as the whole task. */
import type { Task } from '@loader-smoke/agent-sdk'
import type { Chats, Place } from '../sessions/chats.ts'
import { isLive, newSubagent, type Subagent, withStatus } from './subagent.ts'

/** Tells the task as it is now. */
export function tellTask(chats: Chats, subagent: Subagent): void {
  const place = chats.placeOf(subagent.threadId)
  if (place === null) return
  const { task } = subagent
  chats.tell(place, null, { event: 'task', ...task, title: task.title === '' ? 'Subagent' : task.title })
}

/** Changes the task and tells it. */
export function changeTask(chats: Chats, subagent: Subagent, task: Task): void {
  subagent.task = task
  tellTask(chats, subagent)
}

/** Makes the child `threadId` of `parent` known; does not tell it yet. */
export function adopt(
  chats: Chats,
  parent: Place,
  parentThread: string,
  threadId: string,
  task: Partial<Task> & { readonly title: string },
): Subagent {
  const subagent = newSubagent(threadId, parentThread, parent.sessionId, {
    ...task,
    ...(parent.subagent === null ? {} : { parentTaskId: parent.subagent.task.id }),
  })
  chats.subagents.set(threadId, subagent)
  return subagent
}

/** The children below `threadId`, nearest first. */
export function descendants(chats: Chats, threadId: string): Subagent[] {
  const children = [...chats.subagents.values()].filter(({ parent }) => parent === threadId)
  return children.flatMap((child) => [child, ...descendants(chats, child.threadId)])
}

/** Ends every live task of all chats: the server that they ran in is gone. */
export function failLiveTasks(chats: Chats, summary: string): void {
  for (const subagent of chats.subagents.values()) {
    subagent.turn = null
    if (isLive(subagent)) changeTask(chats, subagent, withStatus(subagent.task, 'failed', summary))
  }
}
