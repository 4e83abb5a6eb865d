/** Starts the turn of a new run. */
import { type PromptInput, RefusedError } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import { messageOf } from '../connection/errors.ts'
import { turnSettings } from '../options/settings.ts'
import type { Chats, Place } from '../sessions/chats.ts'
import { ensureLoaded } from '../sessions/open.ts'
import type { SessionState } from '../sessions/state.ts'
import type { Requests } from '../wire/generated/methods.ts'
import { inputRejected } from './deliveries.ts'
import { toUserInput } from './input.ts'
import { stopTurn } from './interrupt.ts'
import type { StartInFlight } from './start-in-flight.ts'
import { finishRun, turnKnown } from './turns.ts'

type TurnParams = Requests['turn/start']['params']

/** What a start needs beside the session. */
export interface StartDeps {
  readonly chats: Chats
  readonly client: () => Promise<Client>
  readonly skillPaths: ReadonlyMap<string, string>
}

/** Sends the input and settles the run's turn. Never rejects: what goes wrong ends the run. */
export async function startTurn(
  deps: StartDeps,
  place: Place,
  start: StartInFlight,
  input: PromptInput,
): Promise<void> {
  const { chats } = deps
  const { sessionId, state } = place
  const isCurrent = () => state.run === start.runId
  try {
    // A turn that is being stopped must have been told so first: this start would join it.
    await state.stopping
    const client = await deps.client()
    await ensureLoaded(client, chats, sessionId)
    // Cancelled before anything was sent: there is nothing to start or to stop.
    if (!isCurrent()) return
    const sending = client.request('turn/start', {
      threadId: chats.threadOf(sessionId),
      ...toUserInput(input, deps.skillPaths),
      ...turnSettings(state.options),
      ...newInstructions(state),
    })
    start.sent = { client, threadId: chats.threadOf(sessionId), answered: sending.then(({ turn }) => turn?.id ?? null) }
    const turnId = await start.sent.answered
    state.newInstructions = null
    if (turnId !== null && input.itemId !== undefined) state.turns.set(input.itemId, turnId)
    if (isCurrent()) answered(chats, place, turnId)
  } catch (error) {
    if (!isCurrent()) return
    if (error instanceof RefusedError) inputRejected(chats, place, input.delivery, start.runId)
    const message = messageOf(error)
    chats.tell(place, null, { event: 'notice', level: 'error', message })
    finishRun(chats, sessionId, { status: 'failed', message })
  }
}

/** Instructions that the thread was not opened with reach the model as a message of the developer, and stay in the thread. */
function newInstructions({ newInstructions: value }: SessionState): Pick<TurnParams, 'additionalContext'> {
  return value === null ? {} : { additionalContext: { host_instructions: { value, kind: 'application' } } }
}

/**
 * The answer names the turn. During a turn that goes on although its run is over, a start is an input to that turn, and its id is the
 * answer: then that turn is this run's. Should it have ended by now, it has ended this run.
 */
function answered(chats: Chats, place: Place, turnId: string | null): void {
  const { sessionId, state } = place
  if (state.turn !== null) return
  if (turnId === null) throw new Error('turn/start failed: the answer names no turn')
  const retired = state.retired.get(turnId)
  if (retired?.outcome) return finishRun(chats, sessionId, retired.outcome, { turnId, completed: true })
  state.retired.revive(turnId)
  turnKnown(place, turnId)
}

/**
 * Sees to it that a cancelled start leaves no running turn behind; resolves when its turn has been told to stop, or never came to be.
 * Until then every turn of the thread that nobody knows is this one's: the next start waits.
 */
export async function abandonStart({ state }: Place, { sent, runId }: StartInFlight): Promise<void> {
  if (sent === null) return
  const { client, threadId, answered } = sent
  let stopping: Promise<void> | null = null
  const stop = (turnId: string) => {
    state.retired.add(turnId, { runId, outcome: state.retired.get(turnId)?.outcome ?? null })
    stopping ??= stopTurn(client, state, threadId, turnId)
    return stopping
  }
  state.abandoned = { runId, stop }
  // Refused or lost with the server: no turn came to be.
  const turnId = await answered.catch(() => null)
  if (state.abandoned?.runId === runId) state.abandoned = null
  if (turnId !== null) await stop(turnId)
}
