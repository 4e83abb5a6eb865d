/** What must hold for any interleaving of messages. */
import type { Event } from '@loader-smoke/agent-sdk'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSession } from '../src/sessions/state.ts'
import { scripted } from './support/scripted.ts'
import { endedOnce, eventsOf, shownTexts } from './support/shown.ts'

const sessions = ['chat', 'other'] as const
const turnIds = ['t1', 't2', 't3', 't4']
type Step = readonly [method: string, params: Record<string, unknown>]

const threadId = fc.constantFrom('chat', 'other', 'kid', 'stranger')
const turnId = fc.constantFrom(...turnIds)
const itemId = fc.constantFrom('i1', 'i2')
const childStates = fc.constantFrom('pendingInit', 'running', 'completed', 'errored', 'interrupted', 'shutdown')

/** Any notification of the kinds that move state, for any thread, turn and item, in any order. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(threadId, turnId)
    .map(([threadId, id]): Step => ['turn/started', { threadId, turn: { id, status: 'inProgress' } }]),
  fc
    .tuple(threadId, turnId, fc.constantFrom('completed', 'interrupted', 'failed', 'inProgress'))
    .map(([threadId, id, status]): Step => [
      'turn/completed',
      { threadId, turn: { id, status, error: { message: 'm' } } },
    ]),
  fc
    .tuple(threadId, turnId, itemId, fc.string())
    .map(([threadId, turnId, itemId, delta]): Step => ['item/agentMessage/delta', { threadId, turnId, itemId, delta }]),
  fc
    .tuple(
      threadId,
      turnId,
      itemId,
      fc.constantFrom('item/started', 'item/completed'),
      fc.constantFrom('commandExecution', 'fileChange', 'agentMessage', 'reasoning', 'userMessage'),
    )
    .map(([threadId, turnId, id, method, type]): Step => [
      method,
      { threadId, turnId, item: { type, id: `${type}-${id}`, text: 'x', changes: [] } },
    ]),
  fc
    .tuple(
      fc.constantFrom('chat', 'other', 'kid'),
      turnId,
      fc.constantFrom('spawnAgent', 'wait', 'sendInput'),
      childStates,
    )
    .map(([threadId, turnId, tool, status]): Step => [
      'item/completed',
      {
        threadId,
        turnId,
        item: {
          type: 'collabAgentToolCall',
          id: 'c',
          tool,
          prompt: 'p',
          receiverThreadIds: ['kid'],
          agentsStates: { kid: { status, message: null } },
        },
      },
    ]),
  fc
    .tuple(threadId, turnId, fc.boolean())
    .map(([threadId, turnId, willRetry]): Step => ['error', { threadId, turnId, willRetry, error: { message: 'm' } }]),
  fc
    .tuple(threadId, turnId)
    .map(([threadId, turnId]): Step => [
      'thread/tokenUsage/updated',
      { threadId, turnId, tokenUsage: { last: {}, total: {} } },
    ]),
)

/** What the host does in between. */
const hostStep = fc.constantFrom('finish chat', 'close other', 'nothing')

function play(steps: readonly (readonly [Step, string])[]) {
  const made = scripted()
  const { agent, notify, events } = made
  const closedAt = new Map<string, number>()
  const runs: string[] = ['run-1']
  agent.sessions.set('other', newSession('/other'))
  made.agent.emit = (event: Event) => {
    if (event.event === 'run_started') runs.push(event.runId ?? '')
    events.push(event)
  }
  for (const [[method, params], host] of steps) {
    notify(method, params)
    if (host === 'finish chat') agent.finishRun('chat', { status: 'cancelled' })
    if (host === 'close other' && agent.sessions.delete('other')) closedAt.set('other', events.length)
  }
  for (const sessionId of sessions) agent.finishRun(sessionId, { status: 'cancelled' })
  return { ...made, runs, closedAt }
}

const story = fc.array(fc.tuple(step, hostStep), { maxLength: 60 })

test('every run ends exactly once, whatever arrives', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const { events, runs, closedAt } = play(steps)
      const alive = runs.filter((runId) => !(closedAt.has('other') && startedIn(events, runId) === 'other'))
      expect(endedOnce(events, alive)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a run’s end is its last event but for tools, and no run begins twice', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const { events } = play(steps)
      const begun = eventsOf(events, 'run_started').map(({ runId }) => runId)
      expect(new Set(begun).size).toBe(begun.length)
      const ended = new Set<string>()
      const late: string[] = []
      for (const event of events) {
        if (event.runId !== undefined && ended.has(event.runId)) late.push(event.event)
        if (event.event === 'run_finished' && event.runId !== undefined) ended.add(event.runId)
      }
      expect(late.filter((event) => !['tool_call_started', 'tool_call_updated', 'usage'].includes(event))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('nothing is told of a session that is closed, nor of a stranger', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const { events, closedAt } = play(steps)
      const after = events.slice(closedAt.get('other') ?? events.length)
      expect(after.filter(({ sessionId }) => sessionId === 'other')).toEqual([])
      expect(events.filter(({ sessionId }) => !['chat', 'other', ''].includes(sessionId))).toEqual([])
      expect(events.filter(({ taskId }) => taskId !== undefined && taskId !== 'kid')).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('every tool that a run started is told to have ended, or may still run', () => {
  fc.assert(
    fc.property(story, (steps) => {
      const { events, state } = play(steps)
      const open = new Set<string>()
      for (const event of events.filter(({ sessionId, taskId }) => sessionId === 'chat' && taskId === undefined)) {
        if (event.event === 'tool_call_started' && event.status === 'running') open.add(event.id)
        if (event.event === 'tool_call_updated' && event.status !== undefined && event.status !== 'running')
          open.delete(event.id)
      }
      for (const id of open) expect([...state.items.tools.keys()]).toContain(id)
    }),
    { numRuns: 300 },
  )
})

test('text reassembles to exactly what was completed, however it was cut, dropped and repeated', () => {
  const attempt = fc.record({ cuts: fc.array(fc.nat(), { maxLength: 5 }), sameItem: fc.boolean(), upTo: fc.nat() })
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.array(attempt, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (text, attempts, streamsLast) => {
        const { notify, events } = scripted()
        const place = { threadId: 'chat', turnId: 'turn-1' }
        let item = 'm0'
        attempts.forEach(({ cuts, sameItem, upTo }, index) => {
          const last = index === attempts.length - 1
          if (index > 0) notify('error', { ...place, willRetry: true, error: { message: 'Reconnecting... 1/5' } })
          if (!sameItem) item = `m${index}`
          const said = last ? text : text.slice(0, upTo % (text.length + 1))
          if (!last || streamsLast)
            for (const delta of pieces(said, cuts)) notify('item/agentMessage/delta', { ...place, itemId: item, delta })
          if (last) notify('item/completed', { ...place, item: { type: 'agentMessage', id: item, text } })
        })
        expect(shownTexts(events)).toEqual([text])
      },
    ),
    { numRuns: 500 },
  )
})

function pieces(text: string, cuts: readonly number[]): string[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1))), text.length].toSorted((a, b) => a - b)
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter((piece) => piece !== '')
}

function startedIn(events: readonly Event[], runId: string): string | undefined {
  return events.find((event) => event.event === 'run_started' && event.runId === runId)?.sessionId
}
