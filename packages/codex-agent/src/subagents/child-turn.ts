/** A child's turns: it works, waits for the user, is done for now. None of them is a run of the chat. */
import type { Chats, Place } from '../sessions/chats.ts'
import { closeItems, outcomeOf } from '../runs/turns.ts'
import type { NotificationParams, Turn } from '../wire/messages.ts'
import { isLive, type Subagent, withStatus } from './subagent.ts'
import { changeTask } from './tree.ts'

/** A child's turn began. */
export function childTurnStarted(chats: Chats, child: Subagent, turnId: string): void {
  child.turn = turnId
  if (!child.closed && !isLive(child)) changeTask(chats, child, withStatus(child.task, 'running'))
}

/** A child's turn ended: it is done for now, and may get more. */
export function childTurnCompleted(chats: Chats, place: Place, child: Subagent, turn: Turn): void {
  if (turn.status === 'inProgress') return
  const outcome = outcomeOf(turn)
  closeItems(chats, place, turn.id ?? null, outcome)
  child.turn = null
  // `completed` was said by the parent, who knows the answer.
  if (child.closed || child.task.status === 'completed') return
  const status = { completed: 'idle', cancelled: 'cancelled', failed: 'failed' } as const
  const summary = outcome.status === 'failed' ? outcome.message : (child.lastText ?? undefined)
  changeTask(chats, child, withStatus(child.task, status[outcome.status], summary))
}

/** A child's thread waits for the user, or goes on. That it is idle is told by its turn's end. */
export function childStatusChanged(
  chats: Chats,
  child: Subagent,
  status: NotificationParams<'thread/status/changed'>['status'],
): void {
  if (status?.type !== 'active' || child.closed || !isLive(child)) return
  const waits = (status.activeFlags?.length ?? 0) > 0
  const next = waits ? 'waiting' : 'running'
  if (child.task.status !== next) changeTask(chats, child, withStatus(child.task, next))
}

/** A child starts a tool: that is what it does now. */
export function childToolStarted(chats: Chats, child: Subagent, title: string): void {
  changeTask(chats, child, { ...child.task, toolUses: (child.task.toolUses ?? 0) + 1, activity: title })
}
