/** What contexts of other shapes and unlucky orders do to a turn: a structural context, so that every order can be played. */
import { describe, expect, it } from 'vitest'
import type { FixtureContext, SessionEvent, SessionRef } from '../src/context.ts'
import { runFixtureTurn } from '../src/turn.ts'

type Listener = (session: SessionRef, event: SessionEvent) => void

/** A context with one agent, whose registry confirms receipt when `confirms` is given. */
function context(parts: {
  readonly followup?: (message: any, emit: Listener) => void
  readonly confirms?: (input: any, emit: Listener) => unknown
  readonly whenIdle?: () => Promise<unknown>
}) {
  const session = { id: 's1' }
  const listeners = new Set<Listener>()
  const calls: string[] = []
  const emit: Listener = (from, event) => {
    for (const listener of listeners) listener(from, event)
  }
  const agent = {
    session,
    async whenIdle() {
      calls.push('whenIdle')
      await parts.whenIdle?.()
    },
    followup(message: unknown) {
      calls.push('followup')
      parts.followup?.(message, emit)
    },
  }
  const registry = {
    roots: () => [agent],
    ...(parts.confirms && {
      sendInput(to: unknown, input: unknown) {
        calls.push(to === agent ? 'sendInput' : 'sendInput to another agent')
        return parts.confirms?.(input, emit)
      },
    }),
  }
  const ctx: FixtureContext = {
    get: () => registry as never,
    on(name: string, listener: any) {
      calls.push(`on ${name}`)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sessions: {
      flush(flushed) {
        calls.push(flushed === session ? 'flush' : 'flush of another session')
      },
    },
  }
  return { ctx, session, emit, calls, listeners }
}

const spliced = (...inserted: unknown[]): SessionEvent => ({ type: 'agent/inbox/spliced', data: { inserted } })
const said = (text: string): SessionEvent => ({
  type: 'assistant/message',
  data: { turn: 1, step: 1, message: { content: [{ type: 'text', text }] } },
})

describe('a registry that confirms receipt', () => {
  it('gets the message and the next turn as its target, and the agent is waited for after the receipt', async () => {
    const { ctx, session, calls, listeners } = context({
      confirms({ message, target }, emit) {
        expect(target).toBe('next-turn')
        emit(session, spliced(message))
        emit(session, said('confirmed'))
        return Promise.resolve({ location: 'inbox' })
      },
    })
    expect((await runFixtureTurn(ctx, { task: 'go' })).output).toBe('confirmed')
    expect(calls).toEqual(['whenIdle', 'on session/event', 'sendInput', 'whenIdle', 'flush'])
    expect(listeners.size).toBe(0)
  })

  it('rejects the turn with its own rejection, and nothing is flushed or left listening', async () => {
    const error = new Error('custody unavailable')
    const { ctx, calls, listeners } = context({ confirms: () => Promise.reject(error) })
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toBe(error)
    expect(calls).toEqual(['whenIdle', 'on session/event', 'sendInput'])
    expect(listeners.size).toBe(0)
  })
})

describe('events in unlucky orders', () => {
  it('sees nothing before the task enters the inbox: not an answer, not the arrival of another message', async () => {
    const { ctx, session } = context({
      followup(message, emit) {
        emit(session, said('too early'))
        emit(session, spliced({ id: 'another' }))
        emit(session, said('still too early'))
        emit(session, spliced({ id: 'another still' }, message))
        emit({ id: 's1' }, said('of a session that only looks the same'))
      },
    })
    const seen: string[] = []
    const result = await runFixtureTurn(ctx, { task: 'go', onEvent: (_, event) => seen.push(event.type) })
    expect(result).toEqual({ type: 'result', sessionId: 's1', output: '' })
    expect(seen).toEqual(['agent/inbox/spliced'])
  })

  it('waits for the agent to be idle before the task is sent, so that an earlier turn is not taken for this one', async () => {
    let idle = 0
    const { ctx, session, calls } = context({
      whenIdle: () => Promise.resolve(idle++),
      followup: (message, emit) => emit(session, spliced(message)),
    })
    await runFixtureTurn(ctx, { task: 'go' })
    expect(calls).toEqual(['whenIdle', 'on session/event', 'followup', 'whenIdle', 'flush'])
  })

  it('takes events it does not know, and payloads of other shapes, as saying nothing', async () => {
    const { ctx, session } = context({
      followup(message, emit) {
        emit(session, { type: 'agent/inbox/spliced', data: null })
        emit(session, { type: 'agent/inbox/spliced', data: { inserted: 'text' } })
        emit(session, spliced(null, message))
        for (const type of [
          'assistant/message',
          'assistant/chunk',
          'assistant/attempt',
          'tool/call',
          'feedback/record',
        ])
          for (const data of [null, {}, { stream: 'x', message: 'x', chunk: 'x' }]) emit(session, { type, data })
      },
    })
    expect((await runFixtureTurn(ctx, { task: 'go' })).output).toBe('')
  })
})

it('says which service is missing when the session can not be stored', async () => {
  const { ctx, session } = context({ followup: (message, emit) => emit(session, spliced(message)) })
  await expect(runFixtureTurn({ get: ctx.get, on: ctx.on }, { task: 'go' })).rejects.toThrow(
    "the session s1 can't be stored: no `sessions` service is registered in this context. Next: add @deepseek-ai/dsh-session (or what provides `sessions`) to the config.",
  )
})
