/** Subagents of the real Codex CLI, in both of their forms. */
import { waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

const text = (value: string) => ({ blocks: [{ type: 'text', text: value } as const] })

test('a spawned agent is a task with its own tools, text, nickname and answer', async () => {
  await using codex = await realCodex({
    model: 'mock-model',
    script: {
      conversations: [
        {
          match: { subagent: false },
          turns: [
            { toolCalls: [spawn('Count the files\nand report')], usage: { inputTokens: 100, outputTokens: 10 } },
            { toolCalls: [waitForAgent], usage: { inputTokens: 200, outputTokens: 20 } },
            {
              expect: { toolResult: 'one file' },
              text: 'All counted.',
              usage: { inputTokens: 300, outputTokens: 30, cachedInputTokens: 7 },
            },
            { text: 'No more.', usage: { inputTokens: 400, outputTokens: 40 } },
          ],
        },
        {
          match: { subagent: true },
          turns: [
            {
              toolCalls: [{ name: 'exec_command', arguments: { cmd: 'ls' } }],
              usage: { inputTokens: 1_000, outputTokens: 1, cachedInputTokens: 500 },
            },
            {
              expect: { toolResult: 'README' },
              text: ['There is', ' one file.'],
              usage: { inputTokens: 2_000, outputTokens: 2, reasoningTokens: 1 },
            },
          ],
        },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const { runId } = await codex.run(sessionId, 'Count')
  const tasks = eventsOf(codex.events, 'task')
  const [first] = tasks
  expect(first).toMatchObject({
    sessionId,
    runId,
    title: 'Count the files',
    prompt: 'Count the files\nand report',
    model: 'mock-model',
    status: 'running',
    toolCallId: expect.any(String),
  })
  expect(tasks.map(({ id }) => id)).toEqual(tasks.map(() => first?.id))
  expect(tasks.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1])).toEqual([
    'running',
    'idle',
    'completed',
  ])
  expect(tasks.at(-1)).toMatchObject({
    title: 'Count the files',
    name: expect.any(String),
    summary: 'There is one file.',
    toolUses: 1,
  })
  // The child's first messages came before it was named: nothing of them is lost.
  const own = codex.events.filter(({ taskId }) => taskId === first?.id)
  expect(shownTexts(own)).toEqual(['There is one file.'])
  expect(eventsOf(own, 'tool_call_started')).toMatchObject([{ title: 'ls', kind: 'search' }])
  expect(shownTexts(codex.events.filter(({ taskId }) => taskId === undefined))).toEqual(['All counted.'])
  expect(eventsOf(codex.events, 'run_finished')).toHaveLength(1)
  // The thread of each keeps its own counts; the run costs both, and the next run only its own.
  await codex.run(sessionId, 'More')
  const [cost, next] = eventsOf(codex.events, 'tokens')
  expect(cost).toMatchObject({ inputTokens: 3_600, outputTokens: 63, cachedInputTokens: 507, reasoningTokens: 1 })
  expect(next).toMatchObject({ inputTokens: 400, outputTokens: 40, cachedInputTokens: 0, reasoningTokens: 0 })
})

test('a named agent outlives the turn that started it, and starts no run by itself', async () => {
  await using codex = await realCodex({
    model: 'gpt-6-sol',
    script: {
      conversations: [
        {
          match: { agent: { equals: '/root' } },
          turns: [
            {
              toolCalls: [
                {
                  name: 'spawn_agent',
                  namespace: 'collaboration',
                  arguments: { task_name: 'find_files', message: 'scout here' },
                },
              ],
            },
            { text: 'Not waiting.' },
            { text: 'Later.' },
          ],
        },
        { match: { agent: '/root/find_files' }, turns: [{ content: [{ hold: 'scout' }, { text: 'scouted' }] }] },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const { runId } = await codex.run(sessionId, 'Scout')
  const [first] = eventsOf(codex.events, 'task')
  expect(first).toMatchObject({ sessionId, runId, title: 'find files', status: 'running' })
  codex.replay.release('scout')
  const done = await codex.seen('task', ({ status }) => status === 'completed')
  expect(done).toMatchObject({ id: first?.id, title: 'find files', name: expect.any(String), summary: 'scouted' })
  expect(done.runId).toBeUndefined()
  expect(shownTexts(codex.events.filter(({ taskId }) => taskId === first?.id))).toEqual(['scouted'])
  expect(eventsOf(codex.events, 'run_started')).toEqual([])
  expect((await codex.run(sessionId, 'More')).outcome).toEqual({ status: 'completed' })
})

test('a stop ends the subagents and what waits for the user below them', async () => {
  await using codex = await realCodex({
    model: 'mock-model',
    script: {
      conversations: [
        { match: { subagent: false }, turns: [{ toolCalls: [spawn('Touch a file')] }, { toolCalls: [waitForAgent] }] },
        {
          match: { subagent: true },
          turns: [{ toolCalls: [{ name: 'exec_command', arguments: { cmd: 'touch x' } }] }],
        },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: text('Go') })
  const approval = await codex.seen('approval')
  expect(approval.taskId).toBe(eventsOf(codex.events, 'task')[0]?.id)
  await codex.agent.cancel({ sessionId })
  expect(codex.agent.approvals.size).toBe(0)
  await waitFor('the child to end', () => codex.agent.subagents.get(approval.taskId ?? '')?.task.status === 'cancelled')
  expect(eventsOf(codex.events, 'run_finished')).toMatchObject([{ outcome: { status: 'cancelled' } }])
})

test('a session that is read again has its subagents with their work', async () => {
  await using codex = await realCodex({
    model: 'mock-model',
    script: {
      conversations: [
        {
          match: { subagent: false },
          turns: [{ toolCalls: [spawn('Look')] }, { toolCalls: [waitForAgent] }, { text: 'Seen.' }],
        },
        { match: { subagent: true }, turns: [{ text: 'I looked.' }] },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'Look around')
  await codex.agent.closeSession({ sessionId })
  const { items } = await codex.agent.readSession({ sessionId, workspace: codex.workspace })
  expect(items).toMatchObject([
    { role: 'user', text: 'Look around' },
    {
      role: 'task',
      task: { title: 'Look', status: 'completed', summary: 'I looked.' },
      items: [{ role: 'user' }, { role: 'assistant', text: 'I looked.' }],
    },
    { role: 'assistant', text: 'Seen.' },
  ])
})

function spawn(message: string) {
  return { name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: { message } }
}

const waitForAgent = {
  name: 'wait_agent',
  namespace: 'multi_agent_v1',
  arguments: { targets: ['{{result.spawn_agent.agent_id}}'], timeout_ms: 20_000 },
}
