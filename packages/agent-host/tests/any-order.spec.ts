/** Whatever an agent tells, in whatever order: the log keeps DeepSeek Harness' rules, each tool has one result, and no text is lost. */
import type { EventBody } from '@loader-smoke/agent-sdk'
import { runFixtureTurn } from '@loader-smoke/turn'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { realApp, rootOf } from './real-app.ts'
import { type RunScript, scriptedAgent } from './scripted-agent.ts'

const itemId = fc.constantFrom('m1', 'm2', 'm3')
const toolId = fc.constantFrom('t1', 't2', 't3')
const mode = fc.constantFrom('append' as const, 'replace' as const)
const status = fc.constantFrom('running' as const, 'completed' as const, 'failed' as const, 'declined' as const)
const piece = fc.string({ maxLength: 3 })

const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({ event: fc.constant('text_delta' as const), itemId, text: piece, mode }),
  fc.record({ event: fc.constant('reasoning_delta' as const), itemId: fc.constant('r'), text: piece, mode }),
  fc.record({
    event: fc.constant('tool_call_started' as const),
    id: toolId,
    kind: fc.constant('execute' as const),
    status,
  }),
  fc.record({ event: fc.constant('tool_call_updated' as const), id: toolId, status, outputDelta: piece }),
  fc.constant({ event: 'plan', entries: [{ content: 'one', status: 'pending' }] } as const),
  fc.record({
    event: fc.constant('task' as const),
    id: fc.stringMatching(/^child-\d$/),
    title: piece,
    status: fc.constantFrom('running' as const, 'waiting' as const, 'idle' as const, 'failed' as const),
    startedAt: fc.constant(''),
  }),
  fc.record({ event: fc.constant('tokens' as const), inputTokens: fc.nat(99), outputTokens: fc.nat(99) }),
)

const outcome = fc.constantFrom(
  { status: 'completed' } as const,
  { status: 'failed', message: 'it broke' } as const,
  { status: 'cancelled' } as const,
)

/** As an agent tells it: a tool starts once, and text of one item is text or reasoning, never both. */
function toldOnce(bodies: readonly EventBody[]): EventBody[] {
  const started = new Set<string>()
  return bodies.filter((one) => {
    if (one.event !== 'tool_call_started') return true
    if (started.has(one.id)) return false
    started.add(one.id)
    return true
  })
}

/** What each text item has become, in the order in which the items began. */
function textsOf(bodies: readonly EventBody[]): string[] {
  const texts = new Map<string, string>()
  for (const one of bodies) {
    if (one.event !== 'text_delta') continue
    texts.set(one.itemId, one.mode === 'append' ? (texts.get(one.itemId) ?? '') + one.text : one.text)
  }
  return [...texts.values()].filter((text) => text !== '')
}

it('keeps the rules of the log', async () => {
  const samples = fc.sample(fc.tuple(fc.array(body, { maxLength: 30 }), outcome), { numRuns: 150, seed: 7 })
  const scripts = samples.map(([bodies, end]): RunScript => ({ emit }) => {
    for (const one of toldOnce(bodies)) emit(one)
    emit({ event: 'run_finished', outcome: end })
  })
  await using app = await realApp({ agent: scriptedAgent(scripts).factory })
  for (const [bodies, end] of samples) {
    const from = app.events.length
    const turn = await runFixtureTurn(app.ctx, { task: 'Go' }).then(
      () => 'completed',
      (error: unknown) => (error as Error).message,
    )
    const expected = {
      completed: 'completed',
      failed: 'root agent failed: RUN_FAILED: it broke',
      cancelled:
        'root agent failed: RUN_CANCELLED: the agent reported its run as cancelled, and nothing in this app had cancelled it',
    }
    expect(turn).toBe(expected[end.status])
    const events = app.events.slice(from)
    const calls = events.flatMap(({ type, data }) => (type === 'tool/call' ? [data.callId] : []))
    const results = events.flatMap(({ type, data }) => (type === 'tool/result' ? [data.message.source.callId] : []))
    expect(results.toSorted()).toEqual(calls.toSorted())
    const messages = rootOf(app).session.deriveMessages()
    const since = messages.findLastIndex(({ source }) => source.kind === 'user')
    const texts = messages
      .slice(since + 1)
      .flatMap(({ role, content }) =>
        role === 'assistant'
          ? content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []))
          : [],
      )
    expect(texts.toSorted()).toEqual(textsOf(toldOnce(bodies)).toSorted())
  }
})
