/** Text and reasoning: what streams, what completes, what comes again. */
import { expect, test } from 'vitest'
import { completedTurn, scripted } from './support/scripted.ts'
import { eventsOf, shownTexts } from './support/shown.ts'

const place = { threadId: 'chat', turnId: 'turn-1' }
const delta = (itemId: string, text: string) => ['item/agentMessage/delta', { ...place, itemId, delta: text }] as const
const thought = (itemId: string, text: string) =>
  ['item/reasoning/summaryTextDelta', { ...place, itemId, delta: text }] as const
const completed = (item: Record<string, unknown>) => ['item/completed', { ...place, item }] as const
const message = (id: string, text: string) => completed({ type: 'agentMessage', id, text })
const reasoning = (id: string, summary: string[], content: string[] = []) =>
  completed({ type: 'reasoning', id, summary, content })
const retry = ['error', { ...place, willRetry: true, error: { message: 'Reconnecting... 1/5' } }] as const

function told(...notifications: (readonly [string, Record<string, unknown>])[]) {
  const { notify, events } = scripted()
  for (const [method, params] of notifications) notify(method, params)
  return events.filter(({ event }) => event !== 'notice')
}

test('streamed text is appended, and a completion that says the same says nothing', () => {
  const events = told(delta('m', 'a '), delta('m', ' b'), message('m', 'a  b'))
  expect(events).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'text_delta', itemId: 'm', text: 'a ', mode: 'append' },
    { sessionId: 'chat', runId: 'run-1', event: 'text_delta', itemId: 'm', text: ' b', mode: 'append' },
  ])
})

test.for([
  ['longer', 'a b c'],
  ['shorter', 'a'],
  ['of the same length', 'a c'],
] as const)('a completed text that is %s than what streamed replaces it', ([, text]) => {
  expect(shownTexts(told(delta('m', 'a'), delta('m', ' b'), message('m', text)))).toEqual([text])
})

test('a message that did not stream comes whole, and an empty one not at all', () => {
  expect(told(message('m', 'whole'), message('n', ''))).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'text_delta', itemId: 'm', text: 'whole', mode: 'replace' },
  ])
})

test('a dropped response that streams again under the same item begins anew', () => {
  expect(
    shownTexts(
      told(delta('m', 'ha'), retry, delta('m', 'ha'), retry, delta('m', 'ha'), delta('m', '!'), message('m', 'ha!')),
    ),
  ).toEqual(['ha!'])
})

test('a repeated response replaces what was shown as soon as it streams, not only when it completes', () => {
  expect(shownTexts(told(delta('m', 'half a '), retry, delta('m', 'half')))).toEqual(['half'])
})

test('a dropped response that streams again under another item is withdrawn', () => {
  expect(shownTexts(told(delta('m', 'half a'), retry, delta('n', 'half a word'), message('n', 'half a word')))).toEqual(
    ['half a word'],
  )
  expect(shownTexts(told(delta('m', 'half'), retry, message('n', 'unstreamed')))).toEqual(['unstreamed'])
})

test('what was shown stays when no retry succeeds', () => {
  const events = told(delta('m', 'half'), retry, [
    'turn/completed',
    completedTurn('turn-1', { status: 'failed', error: { message: 'gone' } }),
  ])
  expect(shownTexts(events)).toEqual(['half'])
})

test('a message that a steer cut off is dropped when the next begins', () => {
  const { notify, state, events } = scripted()
  notify(...delta('m', 'I am'))
  notify('item/started', { ...place, item: { type: 'agentMessage', id: 'n', text: '' } })
  expect([...state.items.messages.keys()]).toEqual([])
  notify(...delta('n', 'Yes.'))
  notify('turn/completed', completedTurn('turn-1'))
  expect(state.items.messages.size).toBe(0)
  expect(shownTexts(events)).toEqual(['I am', 'Yes.'])
})

test('text of a turn that is over is not told; its item would have no run', () => {
  const { notify, agent, events } = scripted()
  agent.finishRun('chat', { status: 'cancelled' })
  for (const [method, params] of [
    delta('m', 'late'),
    message('n', 'late'),
    thought('r', 'late'),
    reasoning('s', ['late']),
  ])
    notify(method, params)
  expect(events.map(({ event }) => event)).toEqual(['run_finished'])
})

test('parts of a summary are set off from what came before, and only from that', () => {
  const part = ['item/reasoning/summaryPartAdded', { ...place, itemId: 'r' }] as const
  const events = told(part, thought('r', 'One'), part, thought('r', 'Two'), reasoning('r', ['One', 'Two']))
  expect(shownTexts(events, 'reasoning_delta')).toEqual(['One\n\nTwo'])
  expect(events.every((event) => event.event === 'reasoning_delta' && event.mode === 'append')).toBe(true)
})

test('reasoning that did not stream is its summary, or its content without one', () => {
  expect(shownTexts(told(reasoning('r', ['A', 'B'], ['hidden'])), 'reasoning_delta')).toEqual(['A\n\nB'])
  expect(shownTexts(told(reasoning('r', [], ['C', 'D'])), 'reasoning_delta')).toEqual(['C\n\nD'])
  expect(told(reasoning('r', []))).toEqual([])
})

test('a dropped reasoning that streams again begins anew', () => {
  expect(
    shownTexts(told(thought('r', 'Hm'), retry, thought('r', 'Hm'), thought('r', ', yes')), 'reasoning_delta'),
  ).toEqual(['Hm, yes'])
})

const notice = 'Reading additional input from stdin...'
test('the notice of codex exec is left out, however it is cut', () => {
  for (let at = 0; at <= notice.length; at++) {
    const cut = [notice.slice(0, at), notice.slice(at)].filter((text) => text !== '')
    expect(told(...cut.map((text) => thought('r', text)), reasoning('r', [notice]))).toEqual([])
  }
})

test('text that begins like the notice is held, then goes out in one piece', () => {
  const events = told(thought('r', 'Reading '), thought('r', 'addition'), thought('r', ' and more'), thought('r', '.'))
  expect(eventsOf(events, 'reasoning_delta').map(({ text }) => text)).toEqual(['Reading addition and more', '.'])
  expect(shownTexts(told(thought('r', 'Rea'), reasoning('r', ['Rea'])), 'reasoning_delta')).toEqual(['Rea'])
  expect(
    shownTexts(told(thought('r', notice), thought('r', '!'), reasoning('r', [`${notice}!`])), 'reasoning_delta'),
  ).toEqual([`${notice}!`])
})

test('a plan that the model answers in plan mode is text', () => {
  const events = told(
    ['item/plan/delta', { ...place, itemId: 'p', delta: '1. Look' }],
    completed({ type: 'plan', id: 'p', text: '1. Look' }),
  )
  expect(shownTexts(events)).toEqual(['1. Look'])
})
