/** What a chat's calls and activities say about its subagents: who was started, who answered, who ended. */
import type { Task } from '@loader-smoke/agent-sdk'
import type { Chats, Place } from '../sessions/chats.ts'
import type { Item } from '../wire/messages.ts'
import { firstLine, type Subagent, withStatus } from './subagent.ts'
import { adopt, changeTask, tellTask } from './tree.ts'

/** What happens around an adoption. */
export interface Adoption {
  /** Looks up the child's own record in the background: nickname, title, prompt. */
  describe(subagent: Subagent): void
  /** The child is known now: what it sent before can be delivered. */
  adopted(subagent: Subagent): void
}

type AgentState = NonNullable<Item['agentsStates']>[string]

/** Calls with which the parent gives a child more to do, also one whose answer was taken. */
const reopening = new Set(['sendInput', 'resumeAgent', 'followupTask'])

/** A `collabAgentToolCall`, the first form of multi-agent work: the call names the children, and later their states. */
export function collabCall(chats: Chats, adoption: Adoption, place: Place, threadId: string, item: Item): void {
  const states = item.agentsStates ?? {}
  const named = new Set([...(item.receiverThreadIds ?? []), ...Object.keys(states)])
  for (const childId of named) {
    if (typeof childId !== 'string' || chats.placeOf(childId)?.subagent === null) continue
    const known = chats.subagents.get(childId)
    if (known === undefined && item.tool === 'listAgents') continue
    const spawned = item.tool === 'spawnAgent' ? spawnFacts(item) : null
    const child = known ?? adopt(chats, place, threadId, childId, spawned ?? { title: '' })
    const before = child.task
    if (known !== undefined && spawned !== null)
      child.task = { ...spawned, ...child.task, title: child.task.title || spawned.title }
    if (known !== undefined && reopening.has(item.tool ?? '') && item.status !== 'failed') reopen(child)
    applyState(child, states[childId])
    if (child.task !== before || known === undefined) tellTask(chats, child)
    if (known === undefined) welcome(adoption, child)
  }
}

/** A `subAgentActivity`, the second form: the child is named by its path, and its instruction is not readable. */
export function subagentActivity(chats: Chats, adoption: Adoption, place: Place, threadId: string, item: Item): void {
  const { kind, agentThreadId: childId } = item
  // A child's message to the chat itself is addressed the same way.
  if (typeof childId !== 'string' || chats.placeOf(childId)?.subagent === null) return
  const known = chats.subagents.get(childId)
  const child = known ?? adopt(chats, place, threadId, childId, activityFacts(item))
  const { status } = child.task
  if (known === undefined) tellTask(chats, child)
  if (kind === 'started' && status !== 'running' && !child.closed)
    changeTask(chats, child, withStatus(child.task, 'running'))
  if (kind === 'interrupted' && status !== 'cancelled') changeTask(chats, child, withStatus(child.task, 'cancelled'))
  if (kind === 'completed' && status !== 'completed')
    changeTask(chats, child, withStatus(child.task, 'completed', child.lastText ?? undefined))
  if (known === undefined) welcome(adoption, child)
}

function welcome(adoption: Adoption, child: Subagent): void {
  adoption.adopted(child)
  adoption.describe(child)
}

function spawnFacts(item: Item): Partial<Task> & { readonly title: string } {
  return {
    title: firstLine(item.prompt),
    ...(item.prompt ? { prompt: item.prompt } : {}),
    ...(item.id ? { toolCallId: item.id } : {}),
    ...(item.model ? { model: item.model } : {}),
    ...(item.reasoningEffort ? { effort: item.reasoningEffort } : {}),
  }
}

function activityFacts(item: Item): Partial<Task> & { readonly title: string } {
  const name = item.agentPath?.split('/').at(-1) ?? ''
  return {
    title: name.replaceAll('_', ' '),
    ...(item.model ? { model: item.model } : {}),
    ...(item.reasoningEffort ? { effort: item.reasoningEffort } : {}),
  }
}

function reopen(child: Subagent): void {
  child.closed = false
  if (child.task.status !== 'running') child.task = withStatus(child.task, 'running')
}

function applyState(child: Subagent, state: AgentState): void {
  const summary = state?.message ?? undefined
  const { task } = child
  switch (state?.status) {
    case 'completed':
    case 'shutdown':
      // The answer was taken, or the child was closed: its late turns must not open it again.
      child.closed = true
      child.turn = null
      if (task.status !== 'completed' || (summary !== undefined && task.summary !== summary))
        child.task = withStatus(task, 'completed', summary)
      return
    case 'errored':
      if (task.status !== 'failed') child.task = withStatus(task, 'failed', summary)
      return
    case 'interrupted':
      if (task.status !== 'cancelled') child.task = withStatus(task, 'cancelled', summary)
      return
    default:
      // pendingInit, running and notFound tell nothing that the child's own turns don't tell better.
      return
  }
}
