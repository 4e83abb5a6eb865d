/** Turns, their plans, their errors. */
import { fromError, fromPlan } from '../events/facts.ts'
import { markStale } from '../events/message.ts'
import { blockedRecovery } from '../limits/recovery.ts'
import type { Meter } from '../limits/meter.ts'
import { turnCompleted, turnStarted } from '../runs/turns.ts'
import { type Chats, isOver } from '../sessions/chats.ts'
import { childTurnCompleted, childTurnStarted } from '../subagents/child-turn.ts'
import type { Handlers } from './table.ts'

/** The handlers of `turn/*` and `error`. `onIdle` is called when a chat's turn has ended. */
export function turnHandlers(chats: Chats, meter: Meter, onIdle: () => void): Handlers {
  return {
    'turn/started': ({ threadId, turn }) => {
      const place = chats.placeOf(threadId)
      if (place === null || typeof turn?.id !== 'string') return
      if (place.subagent === null) turnStarted(chats, place, turn.id)
      else childTurnStarted(chats, place.subagent, turn.id)
    },
    'turn/completed': ({ threadId, turn }) => {
      const place = chats.placeOf(threadId)
      if (place === null || !turn) return
      if (place.subagent !== null) return childTurnCompleted(chats, place, place.subagent, turn)
      turnCompleted(chats, place, turn)
      onIdle()
    },
    'turn/plan/updated': (params) => {
      const place = chats.placeOf(params.threadId)
      if (place !== null) chats.tell(place, params.turnId, fromPlan(params))
    },
    error: (params) => {
      const place = chats.placeOf(params.threadId)
      const { turnId, error, willRetry } = params
      if (place === null || isOver(place, turnId)) return
      if (willRetry === true) {
        // The response that streamed is dropped and comes again from its beginning.
        markStale(place.items.messages)
        markStale(place.items.reasonings)
      }
      chats.tell(place, turnId, fromError(params))
      if (error?.codexErrorInfo === 'usageLimitExceeded')
        chats.tell(place, turnId, { event: 'usage_blocked', recovery: blockedRecovery(meter.facts) })
    },
  }
}
