/** Gives a running turn one more input. */
import { type PromptInput, type PromptResult, RefusedError } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import type { Chats, Place } from '../sessions/chats.ts'
import { inputRejected, inputSent } from './deliveries.ts'
import { toUserInput } from './input.ts'

/** JSON-RPC's code for a request that can't be carried out as it is; the server uses it when the turn is over or another one. */
const invalidRequest = -32600

/** What a steer needs beside the session. */
export interface SteerDeps {
  readonly chats: Chats
  readonly client: () => Promise<Client>
  readonly skillPaths: ReadonlyMap<string, string>
}

/**
 * Resolves when the turn has taken the input. Rejects when it has not: certainly (the run's turn ended, or the server refused), then
 * `input_rejected` says so; or perhaps (the answer was lost or not understood), then the input may still turn up as consumed.
 */
export async function steer(deps: SteerDeps, place: Place, runId: string, input: PromptInput): Promise<PromptResult> {
  const { chats } = deps
  const { sessionId, state } = place
  const { delivery } = input
  inputSent(place, delivery, runId)
  const client = await deps.client()
  let expectedTurnId: string
  try {
    expectedTurnId = state.turn ?? (await knownTurn(place))
    if (state.run !== runId) throw new Error('the turn ended before steering')
  } catch (error) {
    inputRejected(chats, place, delivery, runId)
    throw error
  }
  const params = { threadId: chats.threadOf(sessionId), ...toUserInput(input, deps.skillPaths), expectedTurnId }
  const { turnId } = await client.request('turn/steer', params).catch((error: unknown) => {
    if (error instanceof RefusedError && error.code === invalidRequest) inputRejected(chats, place, delivery, runId)
    throw error
  })
  if (typeof turnId !== 'string') throw new Error('turn/steer failed: the answer names no turn')
  return delivery === undefined
    ? { runId }
    : { runId, receipt: { evidence: 'native_admission', nativeInputId: delivery.attemptId } }
}

function knownTurn({ state }: Place): Promise<string> {
  return state.start?.known ?? Promise.reject(new Error('the turn ended before steering'))
}
