/** What a child's own thread record adds to its task. */
import type { Task } from '@loader-smoke/agent-sdk'
import type { Chats, Place } from '../sessions/chats.ts'
import type { Thread } from '../wire/messages.ts'
import { fromSeconds } from '../wire/time.ts'
import { firstLine, type Subagent } from './subagent.ts'
import { adopt, changeTask } from './tree.ts'

/** The task with the record's nickname, and with its preview where the task has no title or prompt of its own. */
export function withRecord(task: Task, thread: Thread): Task {
  const { agentNickname: name, preview } = thread
  return {
    ...task,
    ...(name ? { name } : {}),
    ...(task.title === '' && firstLine(preview) !== '' ? { title: firstLine(preview) } : {}),
    ...(task.prompt === undefined && preview ? { prompt: preview } : {}),
  }
}

/** Adds a record to a child's task; tells the task only when it has changed. */
export function describeChild(chats: Chats, child: Subagent, thread: Thread): void {
  const task = withRecord(child.task, thread)
  if (JSON.stringify(task) !== JSON.stringify(child.task)) changeTask(chats, child, task)
}

/** The thread that spawned `thread`; `null` for a chat, a review, or any other thread that is nobody's child. */
export function spawnerOf(thread: Thread): string | null {
  const { source } = thread
  if (typeof source !== 'object' || source === null) return null
  const { subAgent } = source
  if (typeof subAgent !== 'object' || subAgent === null) return null
  return subAgent.thread_spawn?.parent_thread_id ?? null
}

/** A thread began. It is a task when a known chat or task spawned it; the earlier start wins. */
export function childStarted(chats: Chats, parent: Place, parentThread: string, thread: Thread): Subagent | null {
  const { id } = thread
  if (typeof id !== 'string') return null
  const known = chats.subagents.get(id)
  const child = known ?? adopt(chats, parent, parentThread, id, { title: firstLine(thread.preview) })
  const began = fromSeconds(thread.createdAt)
  const startedAt = began !== undefined && began < child.task.startedAt ? began : child.task.startedAt
  changeTask(chats, child, { ...withRecord(child.task, thread), startedAt })
  return known === undefined ? child : null
}
