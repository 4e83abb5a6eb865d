/** Threads: their state, names, usage, and warnings about them. */
import { fromReroute, fromTokenUsage } from '../events/facts.ts'
import { countTokens } from '../events/tokens.ts'
import type { Chats, Place } from '../sessions/chats.ts'
import { childStatusChanged } from '../subagents/child-turn.ts'
import type { Adoption } from '../subagents/collab.ts'
import { childStarted, spawnerOf } from '../subagents/record.ts'
import type { NotificationParams } from '../wire/messages.ts'
import type { Handlers } from './table.ts'

/** The handlers of `thread/*`, and of warnings about a thread. */
export function threadHandlers(chats: Chats, adoption: Adoption): Handlers {
  return {
    'thread/started': ({ thread }) => {
      const parentThread = thread ? spawnerOf(thread) : null
      const parent = chats.placeOf(parentThread)
      if (!thread || parent === null || parentThread === null) return
      const child = childStarted(chats, parent, parentThread, thread)
      if (child !== null) adoption.adopted(child)
    },
    'thread/status/changed': ({ threadId, status }) => {
      const place = chats.placeOf(threadId)
      if (place === null) return
      if (place.subagent === null) place.state.loaded = status?.type !== 'notLoaded'
      else childStatusChanged(chats, place.subagent, status)
    },
    'thread/closed': ({ threadId }) => {
      const place = chats.placeOf(threadId)
      if (place?.subagent === null) place.state.loaded = false
    },
    'thread/name/updated': ({ threadId, threadName }) => {
      const place = chats.placeOf(threadId)
      if (place?.subagent === null && threadName) chats.tell(place, null, { event: 'session_info', title: threadName })
    },
    'thread/tokenUsage/updated': (params) => {
      const place = chats.placeOf(params.threadId)
      if (place === null) return
      countCost(place, params)
      if (place.subagent === null) return chats.tell(place, params.turnId, fromTokenUsage(params))
      const usage = { usedTokens: Number(params.tokenUsage?.total?.totalTokens ?? 0) }
      place.subagent.task = { ...place.subagent.task, usage }
      chats.tell(place, null, { event: 'usage', ...usage })
    },
    warning: ({ threadId, message }) => warn(chats, chats.placeOf(threadId), message),
    guardianWarning: ({ threadId, message }) => warn(chats, chats.placeOf(threadId), message),
    'model/rerouted': (params) => {
      const place = chats.placeOf(params.threadId)
      if (place !== null) chats.tell(place, params.turnId, fromReroute(params))
    },
  }
}

/** Books a model response on the run that goes on. The counts of an earlier turn come again when a thread is resumed, forked or reverted. */
function countCost({ state, subagent }: Place, params: NotificationParams<'thread/tokenUsage/updated'>): void {
  const { threadId, turnId } = params
  if (state.run === null || typeof threadId !== 'string' || turnId !== (subagent ?? state).turn) return
  const counted = countTokens(state.tokens.get(threadId), params)
  if (counted !== undefined) state.tokens.set(threadId, counted)
}

const maxRemembered = 256

/** Once per session and text: the warning about a model outside the catalogue comes with every turn. */
function warn(chats: Chats, place: Place | null, message: string | null | undefined): void {
  if (place === null || !message) return
  const { warned } = place.state
  if (warned.has(message)) return
  if (warned.size >= maxRemembered) warned.clear()
  warned.add(message)
  chats.tell(place, null, { event: 'notice', level: 'warning', message })
}
