/** Sessions: opened, closed, listed, read; what the server is asked for each. */
import { expect, test } from 'vitest'
import { scripted, settle, textInput } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

const tools = [{ name: 'now', description: 'Time', inputSchema: { type: 'object' } }]

test('a new session carries folder, instructions, tools and settings, and is idle', async () => {
  const { agent, asked } = scripted({ answers: { 'thread/start': () => ({ thread: { id: 'new' } }) } })
  const session = {
    workspace: '/w',
    options: { permission_mode: 'full', reasoning: 'low' },
    tools,
    instructions: 'Be brief.',
  }
  expect(await agent.createSession(session)).toEqual({ sessionId: 'new' })
  expect(asked('thread/start')).toEqual([
    {
      cwd: '/w',
      config: { model_reasoning_effort: 'low' },
      approvalPolicy: 'never',
      sandbox: 'danger-full-access',
      approvalsReviewer: 'user',
      developerInstructions: 'Be brief.',
      dynamicTools: [{ type: 'function', ...tools[0] }],
    },
  ])
  expect(agent.sessions.get('new')).toMatchObject({
    workspace: '/w',
    run: null,
    turn: null,
    loaded: true,
    prompted: false,
  })
  session.options.reasoning = 'high'
  expect(agent.sessions.get('new')?.options['reasoning']).toBe('low')
})

test.for(['work', './work', ''])('the workspace %j is refused before anything starts', async (workspace) => {
  const { agent, api } = scripted()
  const message = `the workspace is ${JSON.stringify(workspace)} (expected an absolute path)`
  await expect(agent.createSession({ workspace })).rejects.toThrow(message)
  await expect(agent.resumeSession({ sessionId: 's', workspace })).rejects.toThrow(message)
  await expect(agent.forkSession({ sessionId: 's', workspace })).rejects.toThrow(message)
  expect(api.peers).toEqual([])
})

test('an answer that names no thread is an error, not a session', async () => {
  const { agent } = scripted({ answers: { 'thread/start': () => ({}) } })
  await expect(agent.createSession({ workspace: '/w' })).rejects.toThrow(
    'thread/start failed: the answer names no thread',
  )
  expect([...agent.sessions.keys()]).toEqual(['chat'])
})

test('resuming an open session brings it up to date and leaves its run alone', async () => {
  const { agent, state } = scripted({ answers: { 'thread/resume': () => ({ thread: { id: 'chat' } }) } })
  await agent.resumeSession({ sessionId: 'chat', workspace: '/other', options: { model: 'm' } })
  expect(agent.sessions.get('chat')).toBe(state)
  expect([state.workspace, state.options['model'], state.run]).toEqual(['/other', 'm', 'run-1'])
})

test.for([
  ['resume', 'Be long.', true],
  ['resume', 'Be brief.', false],
  ['fork', 'Be long.', true],
  ['fork', 'Be brief.', false],
] as const)(
  'after a %s with the instructions %j, of "Be brief.", the next turn tells the model of them: %s',
  async ([how, instructions, told]) => {
    const { agent, asked } = scripted({
      answers: {
        'thread/start': () => ({ thread: { id: 's' } }),
        'thread/resume': () => ({ thread: { id: 's' } }),
        'thread/fork': () => ({ thread: { id: 'f' } }),
        'turn/start': () => ({ turn: { id: 't' } }),
      },
    })
    await agent.createSession({ workspace: '/w', instructions: 'Be brief.' })
    const again = { sessionId: 's', workspace: '/w', instructions }
    const sessionId =
      how === 'fork' ? (await agent.forkSession(again)).sessionId : (await agent.resumeSession(again), 's')
    await agent.prompt({ sessionId, input: textInput('hi') })
    await settle()
    const context = { host_instructions: { value: instructions, kind: 'application' } }
    expect(asked('turn/start')[0]?.['additionalContext']).toEqual(told ? context : undefined)
  },
)

test('a session is loaded again once after an exit, with its settings, before its next turn', async () => {
  const { agent, api, asked, state } = scripted({
    answers: { 'thread/resume': () => ({ thread: {} }), 'turn/start': () => ({ turn: { id: 't' } }) },
  })
  state.options['permission_mode'] = 'auto'
  await agent.client()
  api.peers[0]?.exit(0)
  await settle()
  await agent.prompt({ sessionId: 'chat', input: textInput('hi') })
  await settle()
  expect(api.peers[1]?.received.map(({ method }) => method)).toEqual([
    'initialize',
    'initialized',
    'thread/resume',
    'turn/start',
  ])
  expect(asked('thread/resume')).toMatchObject([
    { threadId: 'chat', cwd: '/work', excludeTurns: true, approvalsReviewer: 'auto_review' },
  ])
})

test('a prompted session that the server has lost fails its run with the reason', async () => {
  const { agent, events, state } = scripted({
    answers: {
      'thread/resume': (_params, { id }, peer) =>
        peer.send({ id, error: { code: -32_600, message: 'no rollout found for chat' } }),
    },
  })
  Object.assign(state, { loaded: false, run: null })
  await agent.prompt({ sessionId: 'chat', input: textInput('hi') })
  await settle()
  expect(events.at(-1)).toMatchObject({
    outcome: { status: 'failed', message: 'thread/resume failed: no rollout found for chat' },
  })
})

test('what the server says of a thread’s state decides whether it is loaded', () => {
  const { notify, state } = scripted()
  notify('thread/status/changed', { threadId: 'chat', status: { type: 'notLoaded' } })
  expect(state.loaded).toBe(false)
  notify('thread/status/changed', { threadId: 'chat', status: { type: 'idle' } })
  expect(state.loaded).toBe(true)
  notify('thread/closed', { threadId: 'chat' })
  expect(state.loaded).toBe(false)
})

test('closing a session that is not loaded asks nothing, and nothing is told of it any more', async () => {
  const { agent, api, state, notify, events } = scripted()
  Object.assign(state, { loaded: false, run: null })
  await agent.closeSession({ sessionId: 'chat' })
  notify('turn/started', { threadId: 'chat', turn: { id: 'x' } })
  notify('thread/name/updated', { threadId: 'chat', threadName: 'x' })
  expect([api.peers, events]).toEqual([[], []])
})

test('the list has every page, the rows of chats alone, and their titles', async () => {
  const asked: unknown[] = []
  const { agent } = scripted({
    answers: {
      'thread/list': (params) => {
        asked.push(params)
        return params['cursor'] === 'p2'
          ? { data: [{ id: 'c', name: 'Named', preview: 'x', createdAt: 2 }] }
          : {
              data: [
                { id: 'a', preview: '\n  First\nsecond', createdAt: 0, updatedAt: 1 },
                { id: 'b', parentThreadId: 'a' },
                null,
              ],
              nextCursor: 'p2',
            }
      },
    },
  })
  expect(await agent.listSessions({ workspace: '/w' })).toEqual({
    sessions: [
      { id: 'a', title: 'First', createdAt: '1970-01-01T00:00:00.000Z', updatedAt: '1970-01-01T00:00:01.000Z' },
      { id: 'c', title: 'Named', createdAt: '1970-01-01T00:00:02.000Z', updatedAt: '1970-01-01T00:00:02.000Z' },
    ],
  })
  expect(asked).toEqual([
    { cwd: '/w', limit: 100 },
    { cwd: '/w', limit: 100, cursor: 'p2' },
  ])
})

test('history has every kind of item in its place, and children with what they did', async () => {
  const items = [
    {
      type: 'userMessage',
      id: 'u',
      content: [
        { type: 'text', text: 'Do' },
        { type: 'image', url: 'x' },
        { type: 'text', text: 'it' },
      ],
    },
    { type: 'reasoning', id: 'r', summary: ['Think'] },
    { type: 'reasoning', id: 'r0', summary: [] },
    {
      type: 'commandExecution',
      id: 'x',
      command: 'ls',
      status: 'completed',
      commandActions: [{ type: 'listFiles' }],
      exitCode: 0,
    },
    {
      type: 'collabAgentToolCall',
      id: 's',
      tool: 'spawnAgent',
      receiverThreadIds: ['kid'],
      prompt: 'Look',
      agentsStates: {},
    },
    { type: 'contextCompaction', id: 'c' },
    { type: 'somethingNew', id: 'n' },
    { type: 'agentMessage', id: 'a', text: 'Done' },
  ]
  const { agent, events } = scripted({
    answers: {
      'thread/read': ({ threadId }) => ({
        thread: {
          id: threadId,
          name: threadId === 'chat' ? 'Title' : null,
          agentNickname: threadId === 'kid' ? 'Euler' : null,
        },
      }),
      'thread/turns/list': ({ threadId }) => ({
        data: [
          {
            id: 't',
            startedAt: 60,
            items: threadId === 'kid' ? [{ type: 'agentMessage', id: 'k', text: '42' }] : items,
          },
        ],
        nextCursor: null,
      }),
    },
  })
  const read = await agent.readSession({ workspace: '/w', sessionId: 'chat' })
  expect(read.items).toMatchObject([
    { role: 'user', text: 'Do\nit' },
    { role: 'reasoning', text: 'Think' },
    { role: 'tool', toolCall: { id: 'x', kind: 'search', status: 'completed', title: 'ls' } },
    {
      role: 'task',
      task: {
        id: 'kid',
        title: 'Look',
        name: 'Euler',
        status: 'idle',
        summary: '42',
        startedAt: '1970-01-01T00:01:00.000Z',
      },
      items: [{ role: 'assistant', text: '42' }],
    },
    { role: 'compacted' },
    { role: 'assistant', text: 'Done' },
  ])
  // Told are the title and nothing else; the child's later events have a place.
  expect(events).toEqual([{ sessionId: 'chat', event: 'session_info', title: 'Title' }])
  expect(agent.subagents.get('kid')?.chat).toBe('chat')
})

test('a thread that was never stored has no history, and any other refusal is an error', async () => {
  expect(await refuse('thread chat is not materialized yet')).toEqual({ items: [] })
  await expect(refuse('thread not found: chat')).rejects.toThrow('thread/turns/list failed: thread not found: chat')
})

test('a name, a plan, a compaction and a rerouted model are told with the run', () => {
  const { notify, events } = scripted()
  notify('thread/name/updated', { threadId: 'chat', threadName: 'Parser' })
  notify('turn/plan/updated', {
    threadId: 'chat',
    turnId: 'turn-1',
    plan: [
      { step: 'a', status: 'completed' },
      { step: 'b', status: 'inProgress' },
      { step: 'c', status: 'pending' },
    ],
  })
  notify('item/completed', { threadId: 'chat', item: { type: 'contextCompaction', id: 'c' } })
  notify('model/rerouted', { threadId: 'chat', fromModel: 'a', toModel: 'b' })
  expect(events).toMatchObject([
    { event: 'session_info', title: 'Parser', runId: 'run-1' },
    {
      event: 'plan',
      entries: [
        { content: 'a', status: 'completed' },
        { content: 'b', status: 'in_progress' },
        { content: 'c', status: 'pending' },
      ],
    },
    { event: 'compacted' },
    { event: 'notice', level: 'warning', message: 'Codex switched from a to b.' },
  ])
})

test('warnings have words in every version, belong to whom they name, and come once', () => {
  const { notify, events } = scripted()
  notify('configWarning', { message: 'old style' })
  notify('configWarning', { summary: 'Bad key', details: 'line 3' })
  notify('configWarning', { summary: 'Bad key', details: null })
  notify('configWarning', {})
  notify('deprecationNotice', { summary: 'Old flag', details: null })
  for (let time = 0; time < 3; time++) notify('warning', { threadId: 'chat', message: 'slow' })
  notify('guardianWarning', { threadId: 'chat', message: 'careful' })
  notify('warning', { message: 'of no thread' })
  notify('warning', { threadId: 'nobody', message: 'of another' })
  expect(eventsOf(events, 'notice').map(({ sessionId, level, message }) => [sessionId, level, message])).toEqual([
    ['', 'warning', 'old style'],
    ['', 'warning', 'Bad key: line 3'],
    ['', 'warning', 'Bad key'],
    ['', 'warning', 'Old flag'],
    ['chat', 'warning', 'slow'],
    ['chat', 'warning', 'careful'],
  ])
})

/** Reads a session whose turns the server refuses to list. */
function refuse(message: string) {
  return scripted({
    answers: {
      'thread/read': ({ includeTurns }, { id }, peer) =>
        includeTurns === true
          ? peer.send({ id, error: { code: -32_601, message: 'list_turns is not supported yet' } })
          : { thread: {} },
      'thread/turns/list': (_params, { id }, peer) => peer.send({ id, error: { code: -32_600, message } }),
    },
  }).agent.readSession({ workspace: '/w', sessionId: 'chat' })
}
