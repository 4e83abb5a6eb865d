/** The app-server is gone: whatever it did ends now, and is told. */
import { closeAllTools, finishRun } from '../runs/turns.ts'
import type { Chats } from '../sessions/chats.ts'
import type { Strangers } from '../subagents/strangers.ts'
import { failLiveTasks } from '../subagents/tree.ts'
import type { Approvals, Questions } from './requests.ts'

/** What a server that is gone leaves behind. */
export interface LostDeps {
  readonly chats: Chats
  readonly approvals: Approvals
  readonly questions: Questions
  readonly strangers: Strangers
}

/** Fails every run and every live task, whatever the exit code: a server that was told to stop during a turn exits with 0. */
export function loseServer({ chats, approvals, questions, strangers }: LostDeps): void {
  // Commands too: those that run in the background end with the server.
  for (const threadId of [...chats.sessions.keys(), ...chats.subagents.keys()]) closeAllTools(chats, threadId, 'failed')
  withdrawAll(chats, approvals, 'approval_resolved')
  withdrawAll(chats, questions, 'question_resolved')
  failLiveTasks(chats, 'The codex app-server exited')
  for (const [sessionId, state] of chats.sessions) {
    state.loaded = false
    state.abandoned = null
    finishRun(chats, sessionId, { status: 'failed', message: 'the codex app-server exited' })
  }
  strangers.clear()
}

function withdrawAll(
  chats: Chats,
  table: Approvals | Questions,
  event: 'approval_resolved' | 'question_resolved',
): void {
  for (const [id, { threadId }] of table) {
    table.delete(id)
    const place = chats.placeOf(threadId)
    if (place !== null) chats.tell(place, null, { event, id })
  }
}
