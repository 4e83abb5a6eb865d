/** Subagents: how they become known, what they do, how they end. */
import { expect, test } from 'vitest'
import { completedTurn, scripted, settle } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

const place = { threadId: 'chat', turnId: 'turn-1' }
type Item = Record<string, unknown>

const spawn = (child: string, rest: Item = {}, sender = 'chat') => ({
  type: 'collabAgentToolCall',
  id: `call-${child}`,
  tool: 'spawnAgent',
  senderThreadId: sender,
  receiverThreadIds: [child],
  prompt: 'Look\nclosely',
  model: 'gpt-5.5',
  reasoningEffort: 'low',
  agentsStates: { [child]: { status: 'pendingInit', message: null } },
  ...rest,
})
const call = (tool: string, child: string, state: Item | null = null) => ({
  type: 'collabAgentToolCall',
  id: 'c',
  tool,
  receiverThreadIds: [child],
  agentsStates: state === null ? {} : { [child]: state },
})
const activity = (kind: string, child: string, agentPath = '/root/find_todos') => ({
  type: 'subAgentActivity',
  id: `${kind}-${child}`,
  kind,
  agentThreadId: child,
  agentPath,
})

const make = (status: string) => ({ type: 'commandExecution', id: 'x', command: 'make', status, commandActions: [] })
const spawnedBy = (parent: string) => ({ subAgent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } })

/** An agent whose chat has started the child `kid`. */
function withChild() {
  const made = scripted()
  made.notify('item/completed', { ...place, item: spawn('kid') })
  const task = () => made.agent.subagents.get('kid')?.task
  return { ...made, task, statuses: () => eventsOf(made.events, 'task').map(({ status }) => status) }
}

test('a spawn tells the task with what it was given', () => {
  const { events } = withChild()
  expect(events).toEqual([
    {
      sessionId: 'chat',
      runId: 'run-1',
      event: 'task',
      id: 'kid',
      status: 'running',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      title: 'Look',
      prompt: 'Look\nclosely',
      toolCallId: 'call-kid',
      model: 'gpt-5.5',
      effort: 'low',
    },
  ])
})

test('a spawn that has not named its child yet tells nothing, and an empty model is none', () => {
  const { notify, events } = scripted()
  notify('item/started', { ...place, item: spawn('kid', { receiverThreadIds: [], agentsStates: {}, model: '' }) })
  expect(events).toEqual([])
  notify('item/completed', { ...place, item: spawn('kid', { model: '' }) })
  expect(events[0]).not.toHaveProperty('model')
})

test('what a child sends before it is named is kept and told after its task; of a stranger nothing is told', () => {
  const { notify, events, agent } = scripted()
  const say = (threadId: string, delta: string) =>
    notify('item/agentMessage/delta', { threadId, turnId: 't', itemId: 'm', delta })
  notify('turn/started', { threadId: 'kid', turn: { id: 't' } })
  say('kid', 'early ')
  say('kid', 'words')
  say('stranger', 'private')
  expect(events).toEqual([])
  notify('item/completed', { ...place, item: spawn('kid') })
  expect(events.map((event) => (event.event === 'text_delta' ? event.text : event.event))).toEqual([
    'task',
    'early ',
    'words',
  ])
  expect(agent.subagents.get('kid')?.turn).toBe('t')
  notify('turn/completed', completedTurn('turn-1'))
  notify('item/completed', { ...place, item: spawn('stranger') })
  expect(events.filter((event) => event.event === 'text_delta')).toHaveLength(2)
})

test('a request of a child that is not named yet waits for its task, and is refused when nobody adopts it', async () => {
  const { agent, api, notify, events } = scripted()
  await agent.client()
  const ask = (id: number, threadId: string) =>
    api.peers[0]?.send({ id, method: 'item/commandExecution/requestApproval', params: { threadId, command: 'ls' } })
  ask(0, 'kid')
  ask(1, 'stranger')
  await settle()
  expect(events).toEqual([])
  notify('item/completed', { ...place, item: spawn('kid') })
  expect(eventsOf(events, 'approval')).toMatchObject([{ taskId: 'kid', sessionId: 'chat' }])
  notify('turn/completed', completedTurn('turn-1'))
  const refused = await api.peers[0]?.waitFor(({ id, method }) => id === 1 && method === undefined)
  expect(refused?.error).toMatchObject({ code: -32_601 })
})

test('strangers are kept in bounds', () => {
  const { notify, events } = scripted()
  for (let thread = 0; thread < 100; thread++)
    notify('thread/name/updated', { threadId: `s${thread}`, threadName: 'x' })
  for (let count = 0; count < 2_000; count++)
    notify('item/agentMessage/delta', { threadId: 'loud', itemId: 'm', delta: 'x' })
  notify('item/completed', { ...place, item: spawn('loud') })
  notify('item/completed', { ...place, item: spawn('s1') })
  expect(events.filter(({ event }) => event !== 'task').length).toBeLessThan(1_024)
})

test('a child works, is done for now, gets more, and is done for good when its answer is taken', () => {
  const { notify, statuses, task } = withChild()
  notify('turn/started', { threadId: 'kid', turn: { id: 'k1' } })
  notify('item/completed', { threadId: 'kid', turnId: 'k1', item: { type: 'agentMessage', id: 'm', text: 'Found 3.' } })
  notify('turn/completed', { threadId: 'kid', turn: { id: 'k1', status: 'completed' } })
  expect(task()).toMatchObject({ status: 'idle', summary: 'Found 3.', endedAt: expect.any(String) })
  notify('turn/started', { threadId: 'kid', turn: { id: 'k2' } })
  expect(task()).not.toHaveProperty('endedAt')
  notify('item/completed', { ...place, item: call('wait', 'kid', { status: 'completed', message: 'Final: 3.' }) })
  notify('turn/started', { threadId: 'kid', turn: { id: 'k3' } })
  notify('turn/completed', { threadId: 'kid', turn: { id: 'k3', status: 'completed' } })
  expect(statuses()).toEqual(['running', 'idle', 'running', 'completed'])
  expect(task()).toMatchObject({ title: 'Look', summary: 'Final: 3.' })
  notify('item/completed', { ...place, item: call('sendInput', 'kid') })
  expect(task()?.status).toBe('running')
})

test.for([
  [{ status: 'errored', message: 'broke' }, 'failed', 'broke'],
  [{ status: 'interrupted', message: null }, 'cancelled', undefined],
  [{ status: 'shutdown', message: null }, 'completed', undefined],
  [{ status: 'running', message: null }, 'running', undefined],
  [{ status: 'notFound', message: null }, 'running', undefined],
] as const)('the state %j of a child is shown as %s', ([state, status, summary]) => {
  const { notify, task } = withChild()
  notify('item/completed', { ...place, item: call('wait', 'kid', state) })
  expect([task()?.status, task()?.summary]).toEqual([status, summary])
})

test.for([
  ['interrupted', 'cancelled', undefined],
  ['failed', 'failed', 'no room'],
] as const)('a child’s turn that was %s shows the task as %s', ([status, shown, summary]) => {
  const { notify, task } = withChild()
  notify('turn/completed', { threadId: 'kid', turn: { id: 'k', status, error: { message: 'no room' } } })
  expect([task()?.status, task()?.summary]).toEqual([shown, summary])
})

test('a child that waits for the user is waiting, and told only when that changes', () => {
  const { notify, statuses } = withChild()
  const status = (activeFlags: string[], type = 'active') =>
    notify('thread/status/changed', { threadId: 'kid', status: { type, activeFlags } })
  status([])
  status(['waitingOnUserInput'])
  status(['waitingOnApproval'])
  status([])
  status([], 'idle')
  expect(statuses()).toEqual(['running', 'waiting', 'running'])
})

test('tools of a child are counted and shown as its activity, which ends with its turn', () => {
  const { notify, events, task } = withChild()
  notify('item/started', { threadId: 'kid', item: make('inProgress') })
  expect(task()).toMatchObject({ toolUses: 1, activity: 'make' })
  expect(events.at(-1)).toMatchObject({ event: 'tool_call_started', taskId: 'kid', runId: 'run-1' })
  notify('item/completed', { threadId: 'kid', item: make('completed') })
  expect(events.at(-1)).toMatchObject({ event: 'tool_call_updated', taskId: 'kid' })
  notify('turn/completed', { threadId: 'kid', turn: { id: 'k', status: 'completed' } })
  expect(task()).not.toHaveProperty('activity')
})

test('a child’s usage is its own, and told without another task event', () => {
  const { notify, events, task } = withChild()
  notify('thread/tokenUsage/updated', {
    threadId: 'kid',
    turnId: 'k',
    tokenUsage: { total: { totalTokens: 9 }, last: { totalTokens: 4 }, modelContextWindow: 10 },
  })
  expect(events.at(-1)).toEqual({ sessionId: 'chat', runId: 'run-1', taskId: 'kid', event: 'usage', usedTokens: 9 })
  expect([events.length, task()?.usage]).toEqual([2, { usedTokens: 9 }])
})

test('a child’s tokens count for the run that goes on, those of an earlier turn and those after the run’s end for none', () => {
  const { notify, events } = withChild()
  const spent = (turnId: string, input: number, last: number) =>
    notify('thread/tokenUsage/updated', {
      threadId: 'kid',
      turnId,
      tokenUsage: { total: { inputTokens: input, outputTokens: 0 }, last: { inputTokens: last, outputTokens: 0 } },
    })
  notify('turn/started', { threadId: 'kid', turn: { id: 'k' } })
  spent('earlier', 100, 100)
  spent('k', 140, 40)
  spent('k', 150, 10)
  notify('turn/completed', completedTurn('turn-1'))
  spent('k', 900, 750)
  expect(eventsOf(events, 'tokens')).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'tokens', inputTokens: 50, outputTokens: 0 },
  ])
})

test('a grandchild is placed in its parent’s task, and reaches the chat', () => {
  const { notify, events } = withChild()
  notify('item/completed', { threadId: 'kid', turnId: 'k', item: spawn('grandkid', {}, 'kid') })
  expect(events.at(-1)).toMatchObject({ id: 'grandkid', parentTaskId: 'kid', sessionId: 'chat' })
  expect(events.at(-1)).not.toHaveProperty('taskId')
  notify('item/agentMessage/delta', { threadId: 'grandkid', itemId: 'm', delta: 'x' })
  expect(events.at(-1)).toMatchObject({ taskId: 'grandkid', sessionId: 'chat' })
})

test('an activity is a task named by its path; one that names a chat is none', () => {
  const { notify, events, agent } = scripted()
  notify('item/started', { ...place, item: activity('started', 'scout') })
  notify('item/completed', { ...place, item: activity('started', 'scout') })
  notify('item/completed', { threadId: 'scout', item: activity('interacted', 'chat', '/root') })
  expect(events).toMatchObject([{ event: 'task', id: 'scout', title: 'find todos', status: 'running' }])
  notify('turn/completed', completedTurn('turn-1'))
  notify('item/completed', { ...place, item: activity('completed', 'scout') })
  notify('item/completed', { ...place, item: activity('completed', 'scout') })
  expect(eventsOf(events, 'task').map(({ status }) => status)).toEqual(['running', 'completed'])
  expect([...agent.subagents.keys()]).toEqual(['scout'])
})

test('a turn that ends after the activity that completed its child leaves it completed', () => {
  const { notify, agent } = scripted()
  notify('item/completed', { ...place, item: activity('started', 'scout') })
  notify('item/completed', { ...place, item: activity('completed', 'scout') })
  notify('turn/completed', { threadId: 'scout', turn: { id: 's1', status: 'completed' } })
  expect(agent.subagents.get('scout')?.task.status).toBe('completed')
})

test('a child that an activity has ended works on when it begins another turn', () => {
  const { notify, events } = scripted()
  notify('item/completed', { ...place, item: activity('started', 'scout') })
  notify('item/completed', { ...place, item: activity('interrupted', 'scout') })
  notify('turn/started', { threadId: 'scout', turn: { id: 's2' } })
  expect(eventsOf(events, 'task').map(({ status }) => status)).toEqual(['running', 'cancelled', 'running'])
})

test('a listing adopts nobody; any other call adopts whom it names, as its own record describes it', async () => {
  const { notify, agent, events } = scripted({
    answers: { 'thread/read': () => ({ thread: { preview: 'Audit\nall', agentNickname: 'Kepler' } }) },
  })
  await agent.client()
  notify('item/completed', { ...place, item: call('listAgents', 'old') })
  expect(events).toEqual([])
  notify('item/completed', { ...place, item: call('wait', 'old', { status: 'completed', message: 'Clean.' }) })
  expect(events).toMatchObject([{ event: 'task', id: 'old', title: 'Subagent', status: 'completed' }])
  await settle()
  expect(events.at(-1)).toMatchObject({
    title: 'Audit',
    prompt: 'Audit\nall',
    name: 'Kepler',
    status: 'completed',
    summary: 'Clean.',
  })
})

test('a thread that begins is a task when a known one spawned it, and nobody’s otherwise', () => {
  const { notify, events } = withChild()
  const begun = (id: string, source: unknown, rest: Item = {}) =>
    notify('thread/started', { thread: { id, preview: 'Do it', createdAt: 1, source, ...rest } })
  for (const source of ['cli', { subAgent: 'review' }, { subAgent: { other: 'x' } }, spawnedBy('nobody'), null])
    begun('else', source)
  expect(events).toHaveLength(1)
  begun('kid', spawnedBy('chat'), { agentNickname: 'Euler' })
  expect(events.at(-1)).toMatchObject({
    id: 'kid',
    name: 'Euler',
    title: 'Look',
    startedAt: '1970-01-01T00:00:01.000Z',
  })
  begun('second', spawnedBy('kid'))
  expect(events.at(-1)).toMatchObject({ id: 'second', title: 'Do it', parentTaskId: 'kid' })
})

test('a task is stopped with what it started, and only when it runs and is the session’s', async () => {
  const interrupts: unknown[] = []
  const made = scripted({ answers: { 'turn/interrupt': (params) => (interrupts.push(params), {}) } })
  const { notify, agent, events } = made
  notify('item/completed', { ...place, item: spawn('kid') })
  notify('item/completed', { threadId: 'kid', item: spawn('grandkid', {}, 'kid') })
  await expect(agent.cancelTask({ sessionId: 'chat', taskId: 'kid' })).rejects.toThrow(
    'codex subagent kid is not running, so there is nothing to cancel',
  )
  await expect(agent.cancelTask({ sessionId: 'other', taskId: 'kid' })).rejects.toThrow(
    'session other has no codex subagent kid',
  )
  for (const threadId of ['kid', 'grandkid']) notify('turn/started', { threadId, turn: { id: `${threadId}-t` } })
  await agent.cancelTask({ sessionId: 'chat', taskId: 'kid' })
  expect(interrupts).toEqual([
    { threadId: 'grandkid', turnId: 'grandkid-t' },
    { threadId: 'kid', turnId: 'kid-t' },
  ])
  expect([agent.runOf('chat'), eventsOf(events, 'run_finished')]).toEqual(['run-1', []])
})

test('nothing is told of a child whose chat was closed', async () => {
  const made = scripted({ answers: { 'thread/unsubscribe': () => ({}), 'turn/interrupt': () => ({}) } })
  made.notify('item/completed', { ...place, item: spawn('kid') })
  await made.agent.closeSession({ sessionId: 'chat' })
  const before = made.events.length
  made.notify('item/agentMessage/delta', { threadId: 'kid', itemId: 'm', delta: 'x' })
  made.notify('turn/completed', { threadId: 'kid', turn: { id: 'k', status: 'completed' } })
  expect([made.events.length, made.agent.subagents.size]).toEqual([before, 0])
})
