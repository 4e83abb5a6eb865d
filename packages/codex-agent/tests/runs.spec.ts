/** Runs and turns: who may begin, join and end which. */
import { expect, test } from 'vitest'
import { completedTurn, scripted, settle, textInput } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

const started = (id: string) => ({ threadId: 'chat', turn: { id, status: 'inProgress' } })

/** A scripted agent whose session is idle. */
function idle(options: Parameters<typeof scripted>[0] = {}) {
  const made = scripted(options)
  made.state.run = null
  made.state.turn = null
  return made
}

test.for([
  [{ status: 'completed' }, { status: 'completed' }],
  [{ status: 'interrupted' }, { status: 'cancelled' }],
  [
    { status: 'failed', error: { message: 'overloaded' } },
    { status: 'failed', message: 'overloaded' },
  ],
  [{ status: 'failed' }, { status: 'failed', message: 'codex failed without saying why' }],
] as const)('a turn that ends as %j ends the run as %j, once', ([turn, outcome]) => {
  const { notify, events, state } = scripted()
  for (let time = 0; time < 2; time++) notify('turn/completed', completedTurn('turn-1', turn))
  expect(events).toEqual([{ sessionId: 'chat', runId: 'run-1', event: 'run_finished', outcome }])
  expect([state.run, state.turn]).toEqual([null, null])
})

test('a turn that is still in progress, another turn, and a turn without id end nothing', () => {
  const { notify, events } = scripted()
  notify('turn/completed', completedTurn('turn-1', { status: 'inProgress' }))
  notify('turn/completed', completedTurn('turn-0'))
  notify('turn/completed', { threadId: 'chat', turn: { status: 'completed' } })
  expect(events).toEqual([])
})

test('a turn that the server begins by itself is a run of its own', () => {
  const { notify, events, agent } = idle()
  for (let time = 0; time < 2; time++) notify('turn/started', started('own'))
  const runId = agent.runOf('chat')
  notify('turn/completed', completedTurn('own'))
  expect(events).toEqual([
    { sessionId: 'chat', runId, event: 'run_started' },
    { sessionId: 'chat', runId, event: 'run_finished', outcome: { status: 'completed' } },
  ])
})

test('a turn that changes within a run keeps the run; the turn before it ends nothing', () => {
  const { notify, events, state } = scripted()
  notify('turn/started', started('turn-2'))
  notify('turn/completed', completedTurn('turn-1'))
  expect([state.run, state.turn, events]).toEqual(['run-1', 'turn-2', []])
  notify('turn/completed', completedTurn('turn-2'))
  expect(events).toHaveLength(1)
})

test('the host may prompt again from within the end of a run', async () => {
  const { agent, events, notify, state } = scripted({ answers: { 'turn/start': () => ({ turn: { id: 'turn-2' } }) } })
  let next: Promise<{ runId: string }> | null = null
  agent.emit = (event) => {
    events.push(event)
    if (event.event === 'run_finished' && next === null)
      next = agent.prompt({ sessionId: 'chat', input: textInput('more') })
  }
  notify('turn/completed', completedTurn('turn-1'))
  await settle(2)
  expect(state.turn).toBe('turn-2')
  expect(await next).toEqual({ runId: state.run })
})

test('a leftover turn of an idle session is no reason to steer', async () => {
  const { agent, state, asked } = scripted({ answers: { 'turn/start': () => ({ turn: { id: 'turn-2' } }) } })
  state.run = null
  await agent.prompt({ sessionId: 'chat', input: textInput('hi') })
  await settle()
  expect([asked('turn/start').length, asked('turn/steer').length, state.turn]).toEqual([1, 0, 'turn-2'])
})

test('a start is sent with the input and the settings, and nothing that was not chosen', async () => {
  const { agent, asked, state } = idle({ answers: { 'turn/start': () => ({ turn: { id: 't' } }) } })
  state.options['model'] = 'gpt-5.5'
  await agent.prompt({
    sessionId: 'chat',
    input: { ...textInput('hi'), itemId: 'host-1', delivery: { inputId: 'i', attemptId: 'a', intent: 'send' } },
  })
  await settle()
  expect(asked('turn/start')).toEqual([
    {
      threadId: 'chat',
      input: [{ type: 'text', text: 'hi', text_elements: [] }],
      clientUserMessageId: 'a',
      model: 'gpt-5.5',
    },
  ])
  expect(state.turns.get('host-1')).toBe('t')
})

test('a refused start ends the run with the reason, and gives the input back', async () => {
  const { agent, events, state } = idle()
  const { runId } = await agent.prompt({
    sessionId: 'chat',
    input: { ...textInput('hi'), delivery: { inputId: 'i', attemptId: 'a', intent: 'send' } },
  })
  await settle()
  const message = 'turn/start failed: Invalid request: unknown variant turn/start'
  expect(events).toEqual([
    { sessionId: 'chat', runId, event: 'input_rejected', inputId: 'i', attemptId: 'a' },
    { sessionId: 'chat', runId, event: 'notice', level: 'error', message },
    { sessionId: 'chat', runId, event: 'run_finished', outcome: { status: 'failed', message } },
  ])
  expect(state.inputs.size).toBe(0)
})

test('without a server a prompt rejects, leaves no run, and the next may succeed', async () => {
  const { agent, api, events, state } = idle({ answers: { 'turn/start': () => ({ turn: { id: 't' } }) } })
  const spawn = api.process.spawn
  api.process.spawn = async () => {
    throw new Error('codex is not on the PATH')
  }
  const input = { ...textInput('hi'), delivery: { inputId: 'i', attemptId: 'a', intent: 'send' as const } }
  await expect(agent.prompt({ sessionId: 'chat', input })).rejects.toThrow(
    'the codex CLI could not be started: codex is not on the PATH',
  )
  expect([state.run, state.start, state.inputs.size, events]).toEqual([null, null, 0, []])
  api.process.spawn = spawn
  await agent.prompt({ sessionId: 'chat', input })
  await settle()
  expect(state.turn).toBe('t')
})

test('a server that ends before it is ready ends no run, for none was told', async () => {
  const { agent, api, events } = idle()
  const spawn = api.process.spawn
  api.process.spawn = async (...args) => {
    const child = await spawn(...args)
    const peer = api.peers.at(-1)
    if (peer) peer.onMessage = () => peer.exit(1)
    return child
  }
  await expect(agent.prompt({ sessionId: 'chat', input: textInput('hi') })).rejects.toThrow(
    'the codex app-server did not become ready: it ended with exit code 1 before it had answered',
  )
  expect([events, agent.runOf('chat')]).toEqual([[], null])
})

test('an empty prompt and an unknown session are refused before anything starts', async () => {
  const { agent, api } = idle()
  await expect(agent.prompt({ sessionId: 'chat', input: { blocks: [] } })).rejects.toThrow(
    'the prompt has no blocks (expected at least one text or skill)',
  )
  await expect(agent.prompt({ sessionId: 'nobody', input: textInput('hi') })).rejects.toThrow(
    'codex has no open session nobody: create it, or resume it when it was closed',
  )
  expect(api.peers).toEqual([])
})

test('a start that joins a turn which goes on makes that turn the run’s', async () => {
  const { agent, notify, state, events } = scripted({ answers: { 'turn/start': () => ({ turn: { id: 'turn-1' } }) } })
  agent.finishRun('chat', { status: 'failed', message: 'given up' })
  const { runId } = await agent.prompt({ sessionId: 'chat', input: textInput('again') })
  await settle()
  expect(state.turn).toBe('turn-1')
  notify('turn/completed', completedTurn('turn-1'))
  expect(events.at(-1)).toEqual({ sessionId: 'chat', runId, event: 'run_finished', outcome: { status: 'completed' } })
})

test('a start that joined a turn which has ended meanwhile ends with it, instead of waiting for ever', async () => {
  const { agent, notify, events, api } = scripted({ answers: { 'turn/start': () => undefined } })
  agent.finishRun('chat', { status: 'failed', message: 'given up' })
  const { runId } = await agent.prompt({ sessionId: 'chat', input: textInput('again') })
  const [peer] = api.peers
  const start = await peer?.waitFor(({ method }) => method === 'turn/start')
  notify('turn/completed', completedTurn('turn-1', { status: 'interrupted' }))
  expect(agent.runOf('chat')).toBe(runId)
  if (start) peer?.reply(start, { turn: { id: 'turn-1' } })
  await settle()
  expect(events.at(-1)).toEqual({ sessionId: 'chat', runId, event: 'run_finished', outcome: { status: 'cancelled' } })
})

test('a stop that the server refuses, for the turn has not begun, is repeated once it has', async () => {
  let refusals = 1
  const { agent, api, asked, events } = idle({
    answers: {
      'turn/start': () => ({ turn: { id: 't' } }),
      'turn/interrupt': (_params, message, peer) => {
        if (refusals-- <= 0) return {}
        peer.send({ id: message.id, error: { code: -32_600, message: 'no active turn to interrupt' } })
        return undefined
      },
    },
  })
  await agent.prompt({ sessionId: 'chat', input: textInput('hi') })
  await settle()
  const stopping = agent.cancel({ sessionId: 'chat' })
  await settle()
  expect([asked('turn/interrupt').length, asked('thread/backgroundTerminals/clean').length]).toEqual([1, 0])
  api.peers[0]?.send({ method: 'turn/started', params: started('t') })
  await stopping
  expect(asked('turn/interrupt')).toEqual([
    { threadId: 'chat', turnId: 't' },
    { threadId: 'chat', turnId: 't' },
  ])
  expect(asked('thread/backgroundTerminals/clean')).toEqual([{ threadId: 'chat' }])
  expect(eventsOf(events, 'run_finished')).toHaveLength(1)
})

test('a stop before the turn is known stops the turn as soon as it is, and the next start waits for that', async () => {
  const { agent, api, asked, events, state } = idle({
    answers: {
      'turn/start': (params) => (JSON.stringify(params).includes('two') ? { turn: { id: 't2' } } : undefined),
      'turn/interrupt': () => ({}),
    },
  })
  await agent.prompt({ sessionId: 'chat', input: textInput('one') })
  const [peer] = api.peers
  const start = await peer?.waitFor(({ method }) => method === 'turn/start')
  const stopping = agent.cancel({ sessionId: 'chat' })
  const second = await agent.prompt({ sessionId: 'chat', input: textInput('two') })
  await settle(3)
  expect(asked('turn/start')).toHaveLength(1)
  // The server may name the turn before it answers: it is nobody's new run.
  peer?.send({ method: 'turn/started', params: started('t1') })
  await settle()
  expect(asked('turn/interrupt')).toEqual([{ threadId: 'chat', turnId: 't1' }])
  peer?.send({ method: 'turn/completed', params: completedTurn('t1', { status: 'interrupted' }) })
  if (start) peer?.reply(start, { turn: { id: 't1' } })
  await stopping
  await settle()
  expect(state.turn).toBe('t2')
  expect(agent.runOf('chat')).toBe(second.runId)
  expect(eventsOf(events, 'run_finished')).toHaveLength(1)
  expect(eventsOf(events, 'run_started')).toEqual([])
})

test('the end of a stopped turn that was never named does not end the run that waits behind it', async () => {
  const { agent, api, events, state } = idle({
    answers: {
      'turn/start': (params) => (JSON.stringify(params).includes('two') ? { turn: { id: 't2' } } : undefined),
      'turn/interrupt': () => ({}),
    },
  })
  await agent.prompt({ sessionId: 'chat', input: textInput('one') })
  const [peer] = api.peers
  const start = await peer?.waitFor(({ method }) => method === 'turn/start')
  void agent.cancel({ sessionId: 'chat' })
  const { runId } = await agent.prompt({ sessionId: 'chat', input: textInput('two') })
  peer?.send({ method: 'turn/completed', params: completedTurn('t1', { status: 'interrupted' }) })
  await settle()
  expect(agent.runOf('chat')).toBe(runId)
  if (start) peer?.reply(start, { turn: { id: 't1' } })
  await settle(2)
  expect([state.turn, eventsOf(events, 'run_finished').length]).toEqual(['t2', 1])
})

test('a stop before anything was sent sends nothing', async () => {
  const { agent, asked, events } = idle({
    answers: { 'turn/start': () => ({ turn: { id: 't' } }), 'turn/interrupt': () => ({}) },
  })
  await agent.client()
  const prompting = agent.prompt({ sessionId: 'chat', input: textInput('one') })
  await Promise.all([prompting, agent.cancel({ sessionId: 'chat' })])
  await settle()
  expect([asked('turn/start'), asked('turn/interrupt')]).toEqual([[], []])
  expect(eventsOf(events, 'run_finished')).toHaveLength(1)
})

test('a late end of the stopped turn does not end the run behind it', async () => {
  const { agent, notify, api, events, state } = scripted({
    answers: { 'turn/start': () => undefined, 'turn/interrupt': () => ({}) },
  })
  await agent.client()
  await agent.cancel({ sessionId: 'chat' })
  const { runId } = await agent.prompt({ sessionId: 'chat', input: textInput('two') })
  await api.peers[0]?.waitFor(({ method }) => method === 'turn/start')
  notify('turn/completed', completedTurn('turn-1', { status: 'interrupted' }))
  notify('turn/started', started('turn-1'))
  expect([agent.runOf('chat'), state.turn]).toEqual([runId, null])
  notify('turn/started', started('turn-2'))
  notify('turn/completed', completedTurn('turn-2'))
  expect(eventsOf(events, 'run_finished').map((event) => event.outcome.status)).toEqual(['cancelled', 'completed'])
})

test('stopping an idle session without a server starts none', async () => {
  const { agent, api } = idle()
  await agent.cancel({ sessionId: 'chat' })
  expect(api.peers).toEqual([])
  await expect(agent.cancel({ sessionId: 'nobody' })).rejects.toThrow('codex has no open session nobody')
})

test('an exit fails the run whatever its code, ends its tools and withdraws what was asked', async () => {
  const { agent, notify, api, events, state } = scripted()
  await agent.client()
  notify('item/started', {
    threadId: 'chat',
    turnId: 'turn-1',
    item: { type: 'commandExecution', id: 't', status: 'inProgress' },
  })
  api.peers[0]?.send({
    id: 0,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: 'chat', itemId: 't', command: 'x' },
  })
  await settle()
  events.length = 0
  api.peers[0]?.exit(0)
  await settle()
  expect(events).toMatchObject([
    { event: 'tool_call_updated', id: 't', status: 'failed' },
    { event: 'approval_resolved' },
    { event: 'run_finished', outcome: { status: 'failed', message: 'the codex app-server exited' } },
  ])
  expect([agent.approvals.size, agent.proc, state.loaded]).toEqual([0, null, false])
})

test('errors are told as notices; only a repeated connection is no more than a warning', () => {
  const { notify, events } = scripted()
  const error = (message: string, rest: Record<string, unknown> = {}) =>
    notify('error', { threadId: 'chat', turnId: 'turn-1', willRetry: true, error: { message, ...rest } })
  error('Reconnecting... 2/5', { additionalDetails: 'stream closed' })
  error('something else')
  notify('error', { threadId: 'chat', turnId: 'turn-1', willRetry: false, error: { message: 'Reconnecting... 5/5' } })
  expect(events.map((event) => event.event === 'notice' && [event.level, event.message])).toEqual([
    ['warning', 'Reconnecting... 2/5 (stream closed)'],
    ['error', 'something else'],
    ['error', 'Reconnecting... 5/5'],
  ])
})

test('usage of an earlier turn, which comes again with a resume, starts no run', () => {
  const { notify, events, agent } = idle()
  notify('thread/tokenUsage/updated', {
    threadId: 'chat',
    turnId: 'long-ago',
    tokenUsage: { last: { totalTokens: 5 }, modelContextWindow: 100 },
  })
  expect(events).toEqual([{ sessionId: 'chat', event: 'usage', usedTokens: 5, contextWindow: 100 }])
  expect(agent.runOf('chat')).toBeNull()
})
