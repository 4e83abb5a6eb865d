/** What becomes of the inputs that the host wants to hear about. */
import type { Delivery } from '@loader-smoke/agent-sdk'
import type { Chats, Place } from '../sessions/chats.ts'
import type { Item } from '../wire/messages.ts'

/** The input is on its way. Remembered beyond the end of its run, until the model has read it. */
export function inputSent({ state }: Place, delivery: Delivery | undefined, runId: string): void {
  if (delivery !== undefined) state.inputs.set(delivery.attemptId, { inputId: delivery.inputId, runId })
}

/** The server certainly did not take the input. */
export function inputRejected(
  chats: Chats,
  { sessionId, state }: Place,
  delivery: Delivery | undefined,
  runId: string,
): void {
  if (delivery === undefined) return
  const { inputId, attemptId } = delivery
  state.inputs.delete(attemptId)
  chats.tellRun(sessionId, runId, { event: 'input_rejected', inputId, attemptId })
}

/** A message of the user appears in the thread: the model reads it now. Told once, with the run in which it was sent. */
export function inputConsumed(chats: Chats, { sessionId, state }: Place, item: Item): void {
  if (typeof item.clientId !== 'string' || typeof item.id !== 'string') return
  const pending = state.inputs.get(item.clientId)
  if (pending === undefined) return
  state.inputs.delete(item.clientId)
  chats.tellRun(sessionId, pending.runId, { event: 'input_consumed', inputId: pending.inputId, nativeInputId: item.id })
}
