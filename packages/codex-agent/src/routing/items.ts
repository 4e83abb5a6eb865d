/** Items of turns: text, reasoning, tools, and what concerns subagents. */
import type { EventBody } from '@loader-smoke/agent-sdk'
import { messageCompleted, messageDelta } from '../events/message.ts'
import { reasoningBreak, reasoningCompleted, reasoningDelta } from '../events/reasoning.ts'
import { patchUpdated, toolCompleted, toolOutput, toolStarted } from '../events/tool.ts'
import { toolConverter } from '../events/tools/table.ts'
import { inputConsumed } from '../runs/deliveries.ts'
import { type Chats, isOver, type Place } from '../sessions/chats.ts'
import { childToolStarted } from '../subagents/child-turn.ts'
import { type Adoption, collabCall, subagentActivity } from '../subagents/collab.ts'
import type { Item } from '../wire/messages.ts'
import type { Handlers } from './table.ts'

/** The handlers of `item/*`. */
export function itemHandlers(chats: Chats, adoption: Adoption): Handlers {
  const tell = (place: Place, turnId: string | null | undefined, bodies: readonly EventBody[]) => {
    for (const body of bodies) chats.tell(place, turnId, body)
  }
  return {
    'item/started': ({ threadId, turnId, item }) => {
      const place = chats.placeOf(threadId)
      if (place !== null && item && threadId) started(chats, adoption, place, threadId, turnId ?? null, item)
    },
    'item/completed': ({ threadId, turnId, item }) => {
      const place = chats.placeOf(threadId)
      if (place !== null && item && threadId)
        tell(place, turnId, completed(chats, adoption, place, threadId, turnId ?? null, item))
    },
    'item/agentMessage/delta': ({ threadId, turnId, itemId, delta }) => {
      const place = livePlace(chats, threadId, turnId)
      if (place !== null && itemId) tell(place, turnId, messageDelta(place.items.messages, itemId, delta ?? ''))
    },
    // A plan is what the model answers in plan mode.
    'item/plan/delta': ({ threadId, turnId, itemId, delta }) => {
      const place = livePlace(chats, threadId, turnId)
      if (place !== null && itemId) tell(place, turnId, messageDelta(place.items.messages, itemId, delta ?? ''))
    },
    'item/reasoning/summaryTextDelta': ({ threadId, turnId, itemId, delta }) => {
      const place = livePlace(chats, threadId, turnId)
      if (place !== null && itemId) tell(place, turnId, reasoningDelta(place.items.reasonings, itemId, delta ?? ''))
    },
    'item/reasoning/textDelta': ({ threadId, turnId, itemId, delta }) => {
      const place = livePlace(chats, threadId, turnId)
      if (place !== null && itemId) tell(place, turnId, reasoningDelta(place.items.reasonings, itemId, delta ?? ''))
    },
    'item/reasoning/summaryPartAdded': ({ threadId, turnId, itemId }) => {
      const place = livePlace(chats, threadId, turnId)
      if (place !== null && itemId) tell(place, turnId, reasoningBreak(place.items.reasonings, itemId))
    },
    'item/commandExecution/outputDelta': ({ threadId, turnId, itemId, delta }) => {
      const place = chats.placeOf(threadId)
      if (place !== null && itemId) chats.tell(place, turnId, toolOutput(place.items.tools, itemId, delta ?? ''))
    },
    'item/mcpToolCall/progress': ({ threadId, turnId, itemId, message }) => {
      const place = chats.placeOf(threadId)
      if (place !== null && itemId)
        chats.tell(place, turnId, toolOutput(place.items.tools, itemId, `${message ?? ''}\n`))
    },
    'item/fileChange/patchUpdated': ({ threadId, turnId, itemId, changes }) => {
      const place = chats.placeOf(threadId)
      if (place !== null && itemId) chats.tell(place, turnId, patchUpdated(place.items.tools, itemId, changes))
    },
  }
}

function started(
  chats: Chats,
  adoption: Adoption,
  place: Place,
  threadId: string,
  turnId: string | null,
  item: Item,
): void {
  const { id, type } = item
  if (type === 'userMessage' && place.subagent === null) return inputConsumed(chats, place, item)
  if (type === 'collabAgentToolCall') return collabCall(chats, adoption, place, threadId, item)
  if (type === 'subAgentActivity') return subagentActivity(chats, adoption, place, threadId, item)
  // The model speaks one message after the other: one that a steer cut off will never complete.
  if (type === 'agentMessage' && id) return dropOthers(place.items.messages, id)
  const convert = toolConverter(item)
  // Of a turn that was told to be over no tool can still be running; should it complete, it is told then.
  if (convert === undefined || !id || isOver(place, turnId)) return
  const body = toolStarted(place.items.tools, id, item, turnId, convert)
  if (place.subagent !== null && body.event === 'tool_call_started')
    childToolStarted(chats, place.subagent, body.title ?? '')
  chats.tell(place, turnId, body)
}

function completed(
  chats: Chats,
  adoption: Adoption,
  place: Place,
  threadId: string,
  turnId: string | null,
  item: Item,
): readonly EventBody[] {
  const { id, type } = item
  if (!id) return []
  switch (type) {
    case 'userMessage':
      if (place.subagent === null) inputConsumed(chats, place, item)
      return []
    case 'collabAgentToolCall':
      collabCall(chats, adoption, place, threadId, item)
      return []
    case 'subAgentActivity':
      subagentActivity(chats, adoption, place, threadId, item)
      return []
    case 'agentMessage':
    case 'plan':
      if (place.subagent !== null && type === 'agentMessage') place.subagent.lastText = item.text ?? null
      return isOver(place, turnId) ? [] : messageCompleted(place.items.messages, id, item.text ?? '')
    case 'reasoning':
      return isOver(place, turnId) ? [] : reasoningCompleted(place.items.reasonings, id, item)
    case 'contextCompaction':
      return [{ event: 'compacted' }]
    default: {
      const convert = toolConverter(item)
      if (convert === undefined) return []
      const body = toolCompleted(place.items, id, item, convert)
      if (place.subagent !== null && body.event === 'tool_call_started')
        childToolStarted(chats, place.subagent, body.title ?? '')
      return [body]
    }
  }
}

/** Where text goes; nowhere when its turn is over: its run was told to have ended. Tools are different, they may run on. */
function livePlace(chats: Chats, threadId: string | null | undefined, turnId: string | null | undefined): Place | null {
  const place = chats.placeOf(threadId)
  return place === null || isOver(place, turnId) ? null : place
}

function dropOthers(messages: Map<string, { readonly stale: boolean }>, id: string): void {
  for (const [other, { stale }] of messages) if (other !== id && !stale) messages.delete(other)
}
