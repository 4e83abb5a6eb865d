/** Turns of the real Codex CLI, from prompt to end. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

test('a text turn streams exactly what the model said, and ends once', async () => {
  await using codex = await realCodex({
    script: { turns: [{ text: ['Hello', ' there', '.\n'], usage: { inputTokens: 100, outputTokens: 7 } }] },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const { runId, outcome } = await codex.run(sessionId, 'Say hello')
  expect(outcome).toEqual({ status: 'completed' })
  expect(codex.events.filter(({ event }) => event !== 'notice')).toEqual([
    { sessionId, runId, event: 'text_delta', itemId: expect.any(String), text: 'Hello', mode: 'append' },
    { sessionId, runId, event: 'text_delta', itemId: expect.any(String), text: ' there', mode: 'append' },
    { sessionId, runId, event: 'text_delta', itemId: expect.any(String), text: '.\n', mode: 'append' },
    { sessionId, runId, event: 'usage', usedTokens: 107, contextWindow: expect.any(Number) },
    {
      sessionId,
      runId,
      event: 'tokens',
      inputTokens: 100,
      cachedInputTokens: 0,
      cacheWriteInputTokens: 0,
      outputTokens: 7,
      reasoningTokens: 0,
    },
    { sessionId, runId, event: 'run_finished', outcome: { status: 'completed' } },
  ])
  codex.replay.assertConsumed()
})

test('a shell command runs in the workspace, with its output and exit code', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        {
          reasoning: 'Look around first.',
          toolCalls: [{ name: 'exec_command', arguments: { cmd: 'echo made-by-codex | tee made.txt; exit 3' } }],
        },
        { expect: { toolResult: 'made-by-codex' }, text: 'Done.' },
      ],
    },
  })
  const options = { permission_mode: 'full' }
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, options })
  await codex.run(sessionId, 'Make a file')
  expect(await readFile(join(codex.workspace, 'made.txt'), 'utf8')).toBe('made-by-codex\n')
  const [started] = eventsOf(codex.events, 'tool_call_started')
  expect(started).toMatchObject({
    kind: 'execute',
    status: 'running',
    title: 'echo made-by-codex | tee made.txt; exit 3',
  })
  expect(eventsOf(codex.events, 'tool_call_updated').at(-1)).toMatchObject({
    id: started?.id,
    status: 'failed',
    content: [
      { type: 'terminal', cwd: codex.workspace, output: expect.stringContaining('made-by-codex'), exitCode: 3 },
    ],
  })
  expect(shownTexts(codex.events, 'reasoning_delta')).toEqual(['Look around first.'])
  expect(shownTexts(codex.events)).toEqual(['Done.'])
})

test('an edit reaches the file, and its diff the host', async () => {
  const patch = '*** Begin Patch\n*** Add File: note.txt\n+written by a patch\n*** End Patch\n'
  await using codex = await realCodex({
    script: { turns: [{ toolCalls: [{ name: 'apply_patch', input: patch }] }, { text: 'Edited.' }] },
  })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'auto_edits' },
  })
  await codex.run(sessionId, 'Write a note')
  const path = join(codex.workspace, 'note.txt')
  expect(await readFile(path, 'utf8')).toBe('written by a patch\n')
  expect(eventsOf(codex.events, 'tool_call_started')).toMatchObject([
    {
      kind: 'edit',
      name: 'apply_patch',
      locations: [{ path }],
      content: [{ type: 'diff', path, oldText: '', newText: 'written by a patch\n' }],
    },
  ])
  expect(eventsOf(codex.events, 'tool_call_updated').at(-1)).toMatchObject({ status: 'completed' })
})

test('a tool of the host is called with the session, and its answer goes to the model', async () => {
  const calls: unknown[] = []
  await using codex = await realCodex({
    script: {
      turns: [
        { toolCalls: [{ name: 'clock', arguments: { zone: 'UTC' } }] },
        { expect: { toolResult: 'twelve' }, text: 'It is twelve.' },
      ],
    },
    tools: [
      {
        name: 'clock',
        description: 'Tells the time',
        inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
        call: async (input, { sessionId }) => {
          calls.push({ input, sessionId })
          return { content: [{ type: 'text', text: 'twelve' }] }
        },
      },
    ],
  })
  const tools = [
    {
      name: 'clock',
      description: 'Tells the time',
      inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
    },
  ]
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, tools })
  expect((await codex.run(sessionId, 'What time is it?')).outcome).toEqual({ status: 'completed' })
  expect(calls).toEqual([{ input: { zone: 'UTC' }, sessionId }])
  codex.replay.assertConsumed()
})
