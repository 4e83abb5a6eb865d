/** An agent whose app-server is a script: for what the real one can't be brought to do at will. */
import type { Event } from '@loader-smoke/agent-sdk'
import {
  type FakeApi,
  fakeApi,
  type FakePeer,
  type HostScript,
  settle,
  type TestMessage,
} from '@loader-smoke/agent-sdk/testing'
import type { CodexAgent } from '../../src/agent.ts'
import { newSession, type SessionState } from '../../src/sessions/state.ts'
import { testAgent } from './test-agent.ts'

/** Answers requests of one method; `undefined` leaves the request open. */
export type Answers = Record<string, (params: Record<string, unknown>, message: TestMessage, peer: FakePeer) => unknown>

/** An agent, what it told, and its scripted server. */
export interface Scripted {
  readonly agent: CodexAgent
  readonly events: Event[]
  readonly api: FakeApi
  /** The session `chat`, with the run `run-1` and the turn `turn-1`. */
  readonly state: SessionState
  /** Sends a notification off the wire's end, without a process. */
  notify(method: string, params: Record<string, unknown>): void
  /** Requests of the running server so far, by method. */
  asked(method: string): Record<string, unknown>[]
}

/** Makes one. An unanswered method is refused as the real server does. */
export function scripted({
  answers = {},
  onHost,
  userAgent = 'convergence/0.171.0 (Debian 12; x86_64) xterm',
}: { readonly answers?: Answers; readonly onHost?: HostScript; readonly userAgent?: string } = {}): Scripted {
  const api = fakeApi({
    onSpawn: () => (message, peer) => {
      const { id, method } = message
      if (method === undefined || id === undefined) return
      if (method === 'initialize') return peer.reply(message, { userAgent })
      const answer = answers[method]
      if (answer === undefined)
        return peer.send({ id, error: { code: -32_600, message: `Invalid request: unknown variant ${method}` } })
      const result = answer(message.params, message, peer)
      if (result !== undefined) peer.reply(message, result)
    },
    onHost,
  })
  const agent = testAgent(api)
  const events: Event[] = []
  agent.emit = (event) => events.push(event)
  const state = newSession('/work')
  state.run = 'run-1'
  state.turn = 'turn-1'
  agent.sessions.set('chat', state)
  return {
    agent,
    events,
    api,
    state,
    notify: (method, params) => agent.routeNotification(method, params),
    asked: (method) =>
      (api.peers.at(-1)?.received ?? []).filter((message) => message.method === method).map(({ params }) => params),
  }
}

/** Text as a prompt's input. */
export function textInput(text: string) {
  return { blocks: [{ type: 'text', text } as const] }
}

/** A turn that has ended. */
export function completedTurn(id: string, rest: Record<string, unknown> = {}) {
  return { threadId: 'chat', turn: { id, items: [], status: 'completed', error: null, ...rest } }
}

export { settle }
