/** The requests of the server that wait for the user. Each is answered once, or withdrawn and never answered. */
import type { IncomingRequest, RequestId } from '@loader-smoke/agent-sdk'

/** A request that waits. `Answer` is what the user gives. */
export interface Held<Answer> {
  readonly request: IncomingRequest
  /** The thread that waits for it. */
  readonly threadId: string
  /** The server's answer for the user's. */
  toResult(answer: Answer): unknown
  /** The server's answer when the user stops the work. */
  readonly cancelled: unknown
}

/** Answers a held request and forgets it; throws when none of this id waits. `noun` names what was asked, e.g. `approval`. */
export function answerHeld<Answer>(
  table: Map<string, Held<Answer>>,
  id: string,
  noun: string,
  answer: (held: Held<Answer>) => unknown,
): void {
  const held = table.get(id)
  if (held === undefined)
    throw new Error(`no codex ${noun} is waiting under ${id}: it was answered already, or withdrawn`)
  table.delete(id)
  held.request.reply(answer(held))
}

/** Forgets the request that the server settled elsewhere, and tells its id and thread; `null` when none such waits. */
export function withdrawHeld(
  table: Map<string, Held<never>>,
  requestId: RequestId,
): { readonly id: string; readonly threadId: string } | null {
  for (const [id, { request, threadId }] of table)
    if (request.id === requestId) {
      table.delete(id)
      return { id, threadId }
    }
  return null
}

/** Answers everything that these threads wait for with a stop. */
export function cancelHeld(table: Map<string, Held<never>>, threads: ReadonlySet<string>): void {
  for (const [id, { request, threadId, cancelled }] of table)
    if (threads.has(threadId)) {
      table.delete(id)
      request.reply(cancelled)
    }
}
