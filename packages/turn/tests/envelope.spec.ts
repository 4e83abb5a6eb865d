/** What the events of a turn add up to. */
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../src/context.ts'
import { TurnFold } from '../src/envelope.ts'

const text = (value: string) => ({ type: 'text', text: value })
const message = (step: number, content: unknown[], more = {}): SessionEvent => ({
  type: 'assistant/message',
  data: { turn: 1, step, message: { content }, ...more },
})
const usage = (inputTokens: number, outputTokens: number, more = {}) => ({ inputTokens, outputTokens, ...more })
const call = (data: unknown): SessionEvent => ({ type: 'tool/call', data })
const at = (time: number, event: SessionEvent): SessionEvent => ({ ...event, time })
const end = (kind: string): SessionEvent => ({ type: 'turn/end', data: { turn: 1, reason: { kind } } })
const usageChunk = (...counts: Parameters<typeof usage>) => ({ type: 'usage', usage: usage(...counts) })

function facts(...events: SessionEvent[]) {
  const fold = new TurnFold()
  for (const event of events) fold.add(event)
  return fold.facts()
}

describe('the output', () => {
  it.each([
    ['joins the text blocks of one message', [message(1, [text('a'), { type: 'reasoning' }, text('b')])], 'ab'],
    ['is that of the last message with text', [message(1, [text('first')]), message(2, [text('last')])], 'last'],
    [
      'is kept by a message with only tool calls',
      [message(1, [text('said')]), message(2, [{ type: 'tool-call' }])],
      'said',
    ],
    ['may be empty text', [message(1, [text('said')]), message(2, [text('')])], ''],
    ['is empty when nothing was said', [], ''],
  ])('%s', (_title, events, output) => {
    expect(facts(...events).output).toBe(output)
  })
})

describe('the usage', () => {
  it('is absent when no step reported any', () => {
    expect(facts(message(1, [text('x')])).usage).toBeUndefined()
  })

  it('is the sum over the steps of their last report, with the optional counts that any step had', () => {
    const events: SessionEvent[] = [
      { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: usageChunk(1, 1) } },
      { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: usageChunk(2, 3, { reasoningTokens: 1 }) } },
      message(2, [], { usage: usage(4, 5, { cacheReadTokens: 6 }) }),
      {
        type: 'assistant/attempt',
        data: {
          turn: 1,
          step: 3,
          stream: [
            { type: 'text-chunks', time0: 1, index: 0, dt: [], texts: ['partial'] },
            { type: 'chunk', time: 1, chunk: usageChunk(9, 9) },
            { type: 'chunk', time: 2, chunk: usageChunk(1, 2, { cacheWriteTokens: 7, reasoningTokens: 2 }) },
          ],
        },
      },
    ]
    expect(facts(...events).usage).toEqual({
      inputTokens: 7,
      outputTokens: 10,
      cacheReadTokens: 6,
      cacheWriteTokens: 7,
      reasoningTokens: 3,
    })
  })

  it("takes a message's own report over the streamed ones of its step, before or after it", () => {
    const chunk: SessionEvent = { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: usageChunk(100, 100) } }
    const own = message(1, [], { usage: usage(1, 2) })
    expect(facts(chunk, own).usage).toEqual(usage(1, 2))
    expect(facts(own, chunk).usage).toEqual(usage(1, 2))
  })

  it('reads the stream of a message that carries its usage inside it', () => {
    const own = message(1, [], { stream: [{ type: 'chunk', time: 1, chunk: usageChunk(3, 4) }] })
    expect(facts(own).usage).toEqual(usage(3, 4))
  })

  it('counts the same step number of two turns twice', () => {
    const second: SessionEvent = {
      type: 'assistant/message',
      data: { turn: 2, step: 1, message: { content: [] }, usage: usage(1, 1) },
    }
    expect(facts(message(1, [], { usage: usage(1, 1) }), second).usage).toEqual(usage(2, 2))
  })
})

describe('the steps', () => {
  it('are told in order, each from its first to its last answer, with its own usage', () => {
    const { steps } = facts(
      at(10, { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: usageChunk(1, 1) } }),
      at(15, message(1, [text('x')], { usage: usage(2, 3) })),
      at(20, message(2, [text('y')])),
      message(3, [text('z')]),
    )
    expect(steps).toEqual([
      { step: 1, startedAtMs: 10, endedAtMs: 15, usage: { inputTokens: 2, outputTokens: 3 } },
      { step: 2, startedAtMs: 20, endedAtMs: 20 },
      { step: 3 },
    ])
  })

  it('carry their time over to the tools called in them', () => {
    expect(facts({ ...call({ name: 'bash', callId: 'a' }), time: 7 }).tools).toEqual([
      { name: 'bash', callId: 'a', atMs: 7 },
    ])
  })
})

describe('the tools', () => {
  it('are the calls in order, without those of no name', () => {
    expect(facts(call({ name: 'bash', callId: 'a' }), call(null), call({ name: 'read', callId: 'b' })).tools).toEqual([
      { name: 'bash', callId: 'a' },
      { name: 'read', callId: 'b' },
    ])
  })
})

describe('the failure', () => {
  it('is the first one of several turns', () => {
    expect(facts(end('blocked'), end('max-tokens')).failure).toMatchObject({ kind: 'blocked' })
    expect(facts(end('completed'), end('max-tokens')).failure).toMatchObject({ kind: 'max-tokens' })
  })

  it('is a turn/end without a reason, too', () => {
    expect(facts({ type: 'turn/end', data: undefined }).failure).toMatchObject({ kind: 'unknown' })
  })
})
