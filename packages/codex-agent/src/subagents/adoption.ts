/** What happens once a child is known: what it sent before is delivered, and its own record is looked up. */
import type { IncomingRequest } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import type { Chats } from '../sessions/chats.ts'
import type { Notification } from '../wire/messages.ts'
import type { Adoption } from './collab.ts'
import { describeChild } from './record.ts'
import type { Strangers } from './strangers.ts'

/** What an adoption needs. */
export interface AdoptionDeps {
  readonly chats: Chats
  readonly strangers: Strangers
  /** The running server's client; `null` when none runs. Nobody waits for a record, so it is no reason to start one. */
  readonly running: () => Promise<Client> | null
  /** Runs work that nobody waits for; its failure is nobody's. */
  readonly inBackground: (work: () => Promise<void>) => void
  readonly deliverNotification: (method: string, params: Notification) => void
  readonly deliverRequest: (request: IncomingRequest) => void
}

/** Makes the two. */
export function adoption(deps: AdoptionDeps): Adoption {
  const { chats, strangers, running, inBackground, deliverNotification, deliverRequest } = deps
  return {
    adopted({ threadId }) {
      for (const message of strangers.take(threadId))
        if (message.kind === 'notification') deliverNotification(message.method, message.params)
        else deliverRequest(message.request)
    },
    describe(child) {
      const { threadId } = child
      if (running() === null) return
      inBackground(async () => {
        const client = await running()
        if (client === null) return
        const { thread } = await client.request('thread/read', { threadId, includeTurns: false })
        if (thread && chats.subagents.get(threadId) === child) describeChild(chats, child, thread)
      })
    },
  }
}
