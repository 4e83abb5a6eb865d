/**
 * Messages of threads that nobody knows yet. A child's first messages come before the call that names it, so they are kept for a
 * while and delivered once the child is adopted. Nothing is told of a thread that nobody adopts.
 */
import type { IncomingRequest } from '@loader-smoke/agent-sdk'
import type { Notification } from '../wire/messages.ts'

/** A message that waits for its thread. */
export type HeldMessage =
  | { readonly kind: 'notification'; readonly method: string; readonly params: Notification }
  | { readonly kind: 'request'; readonly request: IncomingRequest }

const maxThreads = 32
const maxMessages = 1_024

/** The messages of strangers. */
export class Strangers {
  readonly #threads = new Map<string, HeldMessage[]>()
  readonly #refuse: (request: IncomingRequest) => void

  /** `refuse` answers a held request that will never be delivered. */
  constructor(refuse: (request: IncomingRequest) => void) {
    this.#refuse = refuse
  }

  /** Keeps a message; the oldest thread beyond 32 is forgotten, and so is a thread with more than 1,024 messages. */
  hold(threadId: string, message: HeldMessage): void {
    const messages = this.#threads.get(threadId) ?? []
    this.#threads.delete(threadId)
    this.#threads.set(threadId, messages)
    messages.push(message)
    if (messages.length > maxMessages) this.#forget(threadId)
    const [oldest] = this.#threads.keys()
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#forget(oldest)
  }

  /** Hands out what was kept of a thread, in order. */
  take(threadId: string): readonly HeldMessage[] {
    const messages = this.#threads.get(threadId) ?? []
    this.#threads.delete(threadId)
    return messages
  }

  /** Forgets all: no run goes on that could adopt anyone. */
  clear(): void {
    for (const threadId of this.#threads.keys()) this.#forget(threadId)
  }

  #forget(threadId: string): void {
    for (const message of this.take(threadId)) if (message.kind === 'request') this.#refuse(message.request)
  }
}
