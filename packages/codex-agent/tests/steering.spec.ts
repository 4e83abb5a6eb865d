/** Inputs to a running turn, and what becomes of them. */
import { expect, test } from 'vitest'
import { completedTurn, scripted, settle, textInput } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

const delivery = { inputId: 'in', attemptId: 'try', intent: 'steer' as const }
const steer = { sessionId: 'chat', input: { ...textInput('also'), delivery } }
const userMessage = (clientId: string | null, id = 'native') => ({ type: 'userMessage', id, clientId, content: [] })

test('a steer names the turn it is meant for, and nothing more', async () => {
  const { agent, asked } = scripted({ answers: { 'turn/steer': () => ({ turnId: 'turn-1' }) } })
  expect(await agent.prompt({ sessionId: 'chat', input: textInput('also') })).toEqual({ runId: 'run-1' })
  expect(await agent.prompt(steer)).toEqual({
    runId: 'run-1',
    receipt: { evidence: 'native_admission', nativeInputId: 'try' },
  })
  const input = [{ type: 'text', text: 'also', text_elements: [] }]
  expect(asked('turn/steer')).toEqual([
    { threadId: 'chat', input, expectedTurnId: 'turn-1' },
    { threadId: 'chat', input, expectedTurnId: 'turn-1', clientUserMessageId: 'try' },
  ])
})

test.for([
  ['refused for its turn', { code: -32_600, message: 'expected active turn id `turn-1` but found `turn-2`' }, true],
  ['refused for no turn', { code: -32_600, message: 'no active turn to steer' }, true],
  ['failed inside', { code: -32_603, message: 'no active turn to steer' }, false],
] as const)(
  'a steer that is %s rejects with the reason; the input is given back only when it was certainly not taken',
  async ([, error, certain]) => {
    const { agent, events, state } = scripted({
      answers: { 'turn/steer': (_params, { id }, peer) => peer.send({ id, error }) },
    })
    await expect(agent.prompt(steer)).rejects.toThrow(`turn/steer failed: ${error.message}`)
    const rejected = { sessionId: 'chat', runId: 'run-1', event: 'input_rejected', inputId: 'in', attemptId: 'try' }
    expect(events).toEqual(certain ? [rejected] : [])
    expect([state.inputs.has('try'), state.run]).toEqual([!certain, 'run-1'])
  },
)

test('a steer whose answer names no turn, or never comes, may have been taken', async () => {
  const { agent, events, state } = scripted({ answers: { 'turn/steer': () => ({}) } })
  await expect(agent.prompt(steer)).rejects.toThrow('turn/steer failed: the answer names no turn')
  expect([events, state.inputs.has('try')]).toEqual([[], true])
  const lost = scripted({ answers: { 'turn/steer': () => undefined } })
  await lost.agent.client()
  const asked = lost.agent.prompt(steer)
  await lost.api.peers[0]?.waitFor(({ method }) => method === 'turn/steer')
  lost.agent.proc?.connection.close('the wire was cut')
  await expect(asked).rejects.toThrow('turn/steer failed: the wire was cut')
  expect(eventsOf(lost.events, 'input_rejected')).toEqual([])
  expect(lost.agent.runOf('chat')).toBe('run-1')
})

test('a steer waits for a turn that is not known, and is sent when the server names it', async () => {
  const { agent, state, notify, asked } = scripted({
    answers: { 'turn/start': () => undefined, 'turn/steer': () => ({ turnId: 't' }) },
  })
  state.run = null
  const first = await agent.prompt({ sessionId: 'chat', input: textInput('start') })
  const second = agent.prompt(steer)
  await settle()
  expect(asked('turn/steer')).toEqual([])
  notify('turn/started', { threadId: 'chat', turn: { id: 't' } })
  expect((await second).runId).toBe(first.runId)
  expect(asked('turn/steer')).toMatchObject([{ expectedTurnId: 't' }])
  expect(asked('turn/start')).toHaveLength(1)
})

test.for(['the turn ends', 'the run is cancelled', 'the server exits'])(
  'a waiting steer is given back when %s first',
  async (what) => {
    const { agent, state, notify, events, api, asked } = scripted({
      answers: { 'turn/start': () => undefined, 'turn/interrupt': () => ({}) },
    })
    state.run = null
    await agent.prompt({ sessionId: 'chat', input: textInput('start') })
    const steering = agent.prompt(steer).catch((error: unknown) => error)
    await settle()
    if (what === 'the turn ends') notify('turn/completed', completedTurn('t'))
    else if (what === 'the server exits') api.peers[0]?.exit(1)
    else void agent.cancel({ sessionId: 'chat' })
    expect(String(await steering)).toBe('Error: the turn ended before steering')
    expect(eventsOf(events, 'input_rejected')).toMatchObject([{ inputId: 'in', attemptId: 'try' }])
    expect(asked('turn/steer')).toEqual([])
  },
)

test('an input is consumed once, in the run it was sent in, by the message that carries its attempt', async () => {
  const { agent, state, notify, events } = scripted({ answers: { 'turn/steer': () => ({ turnId: 'turn-1' }) } })
  await agent.prompt(steer)
  const item = (clientId: string | null, threadId = 'chat') =>
    notify('item/started', { threadId, turnId: 'turn-1', item: userMessage(clientId) })
  item('another')
  item(null)
  item('try', 'another-thread')
  expect(eventsOf(events, 'input_consumed')).toEqual([])
  notify('turn/completed', completedTurn('turn-1'))
  state.run = 'run-2'
  state.turn = 'turn-2'
  item('try')
  notify('item/completed', { threadId: 'chat', turnId: 'turn-1', item: userMessage('try') })
  expect(eventsOf(events, 'input_consumed')).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'input_consumed', inputId: 'in', nativeInputId: 'native' },
  ])
  expect(state.inputs.size).toBe(0)
})
