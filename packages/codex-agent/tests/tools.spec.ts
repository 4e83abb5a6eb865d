/** Tool calls: every kind, every way to begin and end. */
import { expect, test } from 'vitest'
import { completedTurn, scripted } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

const place = { threadId: 'chat', turnId: 'turn-1' }
type Item = Record<string, unknown>

function told(...notifications: [string, Item][]) {
  const { notify, events } = scripted()
  for (const [method, params] of notifications) notify(method, { ...place, ...params })
  return events
}
const command = (rest: Item = {}): Item => ({
  type: 'commandExecution',
  id: 't',
  command: "/bin/bash -lc 'cat a.txt'",
  cwd: '/work',
  status: 'inProgress',
  commandActions: [{ type: 'read', command: 'cat a.txt', name: 'a.txt', path: '/repo/a.txt' }],
  ...rest,
})

test.for([
  [[{ type: 'read' }], 'read'],
  [[{ type: 'listFiles' }, { type: 'search' }], 'search'],
  [[{ type: 'read' }, { type: 'search' }], 'execute'],
  [[{ type: 'unknown' }], 'execute'],
  [[], 'execute'],
] as const)('a command that does %j is shown as %s', ([commandActions, kind]) => {
  expect(told(['item/started', { item: command({ commandActions }) }])).toMatchObject([
    { event: 'tool_call_started', kind },
  ])
})

test('a command starts with the text a person would type, streams, and completes with its terminal', () => {
  const events = told(
    ['item/started', { item: command() }],
    ['item/commandExecution/outputDelta', { itemId: 't', delta: 'line\n' }],
    ['item/completed', { item: command({ status: 'completed', aggregatedOutput: 'line\n', exitCode: 0 }) }],
  )
  const terminal = {
    type: 'terminal',
    command: "/bin/bash -lc 'cat a.txt'",
    cwd: '/work',
    output: 'line\n',
    exitCode: 0,
  }
  expect(events).toMatchObject([
    {
      event: 'tool_call_started',
      id: 't',
      kind: 'read',
      status: 'running',
      title: 'cat a.txt',
      locations: [{ path: '/repo/a.txt' }],
    },
    { event: 'tool_call_updated', id: 't', outputDelta: 'line\n' },
    { event: 'tool_call_updated', id: 't', status: 'completed', content: [terminal] },
  ])
  expect(events[0]).not.toHaveProperty('content')
  expect(Object.keys(events[1] ?? {}).toSorted()).toEqual(['event', 'id', 'outputDelta', 'runId', 'sessionId'])
})

test('output that the server cut at its end is marked, since more of it has streamed', () => {
  const events = told(
    ['item/started', { item: command() }],
    ['item/commandExecution/outputDelta', { itemId: 't', delta: 'x'.repeat(100) }],
    ['item/completed', { item: command({ status: 'completed', aggregatedOutput: 'x'.repeat(40), exitCode: 0 }) }],
  )
  expect(events.at(-1)).toMatchObject({ content: [{ output: 'x'.repeat(40), truncated: true }] })
})

test.for([
  ['failed', 'failed'],
  ['declined', 'declined'],
  ['somethingNew', 'completed'],
] as const)('the status %s is told as %s', ([status, shown]) => {
  expect(told(['item/completed', { item: command({ status }) }])).toMatchObject([
    { event: 'tool_call_started', status: shown },
  ])
})

test('a tool that completes without starting is one event; a second start is an update', () => {
  const search = { type: 'webSearch', id: 'w', query: 'rust' }
  expect(told(['item/completed', { item: search }])).toMatchObject([
    { event: 'tool_call_started', id: 'w', kind: 'search', title: 'rust', status: 'completed' },
  ])
  expect(
    told(['item/started', { item: search }], ['item/started', { item: search }]).map(({ event }) => event),
  ).toEqual(['tool_call_started', 'tool_call_updated'])
})

test.for([
  [
    { type: 'webSearch', id: 'i', query: 'q', action: { type: 'openPage', url: 'https://a.b' } },
    { kind: 'fetch', title: 'https://a.b' },
  ],
  [
    { type: 'imageView', id: 'i', path: '/p.png' },
    { kind: 'read', title: '/p.png', locations: [{ path: '/p.png' }] },
  ],
  [
    { type: 'imageGeneration', id: 'i' },
    { kind: 'other', title: 'Generate an image' },
  ],
  [
    { type: 'sleep', id: 'i' },
    { kind: 'other', title: 'Wait' },
  ],
  [
    {
      type: 'mcpToolCall',
      id: 'i',
      server: 'db',
      tool: 'query',
      arguments: { q: 1 },
      result: { content: [{ type: 'text', text: 'rows' }, { type: 'image' }] },
    },
    { kind: 'other', title: 'db.query', name: 'query', input: { q: 1 }, content: [{ type: 'text', text: 'rows' }] },
  ],
  [
    {
      type: 'mcpToolCall',
      id: 'i',
      server: 'db',
      tool: 'query',
      status: 'failed',
      error: { message: 'no such table' },
    },
    { status: 'failed', content: [{ type: 'text', text: 'no such table' }] },
  ],
  [
    {
      type: 'dynamicToolCall',
      id: 'i',
      tool: 'now',
      arguments: { zone: 'UTC' },
      status: 'completed',
      success: true,
      contentItems: [{ type: 'inputText', text: '12' }],
    },
    { title: 'now', input: { zone: 'UTC' }, content: [{ type: 'text', text: '12' }] },
  ],
  [{ type: 'dynamicToolCall', id: 'i', tool: 'now', status: 'completed', success: false }, { status: 'failed' }],
] as const)('%j is shown as %j', ([item, shown]) => {
  expect(told(['item/completed', { item }])).toMatchObject([{ event: 'tool_call_started', id: 'i', ...shown }])
})

test.for(['hookPrompt', 'enteredReviewMode', 'aKindOfLater'])('an item of kind %s is no tool', (type) => {
  expect(told(['item/started', { item: { type, id: 'x' } }], ['item/completed', { item: { type, id: 'x' } }])).toEqual(
    [],
  )
})

test('a new file shows its text, any other change its hunk; the model may write the patch anew', () => {
  const changes = [
    { path: '/new', kind: { type: 'add' }, diff: 'text\n' },
    { path: '/old', kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@' },
    { path: '/gone', kind: { type: 'delete' }, diff: 'was\n' },
  ]
  const events = told(
    ['item/started', { item: { type: 'fileChange', id: 'f', status: 'inProgress', changes } }],
    ['item/fileChange/patchUpdated', { itemId: 'f', changes: [{ path: '/old', diff: 'other' }] }],
  )
  expect(events).toMatchObject([
    {
      kind: 'edit',
      name: 'apply_patch',
      title: 'Edit 3 files',
      locations: [{ path: '/new' }, { path: '/old' }, { path: '/gone' }],
      content: [
        { type: 'diff', path: '/new', oldText: '', newText: 'text\n' },
        { type: 'diff', path: '/old', diff: '@@ -1 +1 @@' },
        { type: 'diff', path: '/gone', diff: 'was\n' },
      ],
    },
    { event: 'tool_call_updated', id: 'f', content: [{ type: 'diff', path: '/old', diff: 'other' }] },
  ])
})

test('progress of an MCP call is output, one line each', () => {
  expect(told(['item/mcpToolCall/progress', { itemId: 'm', message: 'halfway' }])).toMatchObject([
    { outputDelta: 'halfway\n' },
  ])
})

test('a turn that ends closes its tools before the run, but leaves commands that may run on', () => {
  const { notify, events, state } = scripted()
  const patch = { type: 'fileChange', id: 'f', status: 'inProgress', changes: [] }
  notify('item/started', { ...place, item: patch })
  notify('item/started', { ...place, item: command() })
  notify('turn/completed', completedTurn('turn-1', { status: 'interrupted' }))
  expect(events.slice(2)).toMatchObject([
    { event: 'tool_call_updated', id: 'f', status: 'cancelled', runId: 'run-1' },
    { event: 'run_finished' },
  ])
  expect([...state.items.tools.keys()]).toEqual(['t'])
  // Later, during the next run, the command ends: it belongs to the run that started it.
  state.run = 'run-2'
  state.turn = 'turn-2'
  notify('item/commandExecution/outputDelta', { ...place, itemId: 't', delta: 'late' })
  notify('item/completed', { ...place, item: command({ status: 'completed', exitCode: 0 }) })
  expect(events.slice(-2)).toMatchObject([
    { event: 'tool_call_updated', runId: 'run-1', outputDelta: 'late' },
    { event: 'tool_call_updated', runId: 'run-1', status: 'completed' },
  ])
})

test('a tool that was closed and completes after all is updated, not started again, and stays as it was told', () => {
  const { notify, events } = scripted()
  notify('item/started', { ...place, item: { type: 'fileChange', id: 'f', status: 'inProgress', changes: [] } })
  notify('turn/completed', completedTurn('turn-1', { status: 'failed', error: { message: 'x' } }))
  notify('item/completed', { ...place, item: { type: 'fileChange', id: 'f', status: 'completed', changes: [] } })
  expect(eventsOf(events, 'tool_call_started')).toHaveLength(1)
  expect(eventsOf(events, 'tool_call_updated').map(({ status }) => status)).toEqual(['failed', undefined])
})

test('a tool of a turn that is over is not told as running', () => {
  const { notify, agent, events } = scripted()
  agent.finishRun('chat', { status: 'cancelled' })
  notify('item/started', { ...place, item: command() })
  expect(events).toHaveLength(1)
  notify('item/completed', { ...place, item: command({ status: 'failed', exitCode: -1 }) })
  expect(events.at(-1)).toMatchObject({ event: 'tool_call_started', status: 'failed', runId: 'run-1' })
})
