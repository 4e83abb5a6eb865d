/** The real Codex CLI against scripts: shell, patches, reasoning, usage, sub-agents of both generations. */
import { type RecordedRequest, type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { runCodex } from './clients/run-codex.ts'

async function drive(model: string, script: ScriptObject) {
  await using server = await startReplayServer({ script })
  await using folder = await tempWorkspace()
  const end = await runCodex({ url: server.url, model, prompt: 'greet', folder: folder.path })
  server.assertConsumed()
  expect(end.exitCode).toBe(0)
  const items = end.events.flatMap(({ type, item }) => (type === 'item.completed' && item !== undefined ? [item] : []))
  const said = items.filter(({ type }) => type === 'agent_message').map(({ text }) => text)
  const file = (name: string) => folder.read(`work/${name}`)
  return { end, items, said, requests: server.requests, written: await file('a.txt').catch(() => undefined) }
}

test('runs a shell command and keeps reasoning and usage', async () => {
  const { end, items, said, written } = await drive('mock-model', {
    turns: [
      {
        reasoning: 'Think.',
        text: ['I will ', 'look.'],
        toolCalls: [{ name: 'exec_command', arguments: { cmd: 'echo hi > a.txt; cat a.txt' } }],
        usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 5 },
      },
      { expect: { last: 'tool', toolResult: 'hi' }, text: 'It said hi.', usage: { inputTokens: 130, outputTokens: 7 } },
    ],
  })
  expect(said).toEqual(['I will look.', 'It said hi.'])
  expect(items.find(({ type }) => type === 'reasoning')?.text).toBe('Think.')
  expect(written).toBe('hi\n')
  expect(end.events.at(-1)).toEqual({
    type: 'turn.completed',
    usage: {
      input_tokens: 230,
      cached_input_tokens: 40,
      cache_write_input_tokens: 0,
      output_tokens: 27,
      reasoning_output_tokens: 5,
    },
  })
})

test('applies a patch given as the free text of a custom tool', async () => {
  const input = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n'
  const { said, written } = await drive('gpt-5.5', {
    turns: [
      { toolCalls: [{ name: 'apply_patch', input }] },
      { expect: { toolResult: { tool: 'apply_patch', text: 'Success' } }, text: 'patched' },
    ],
  })
  expect([said, written]).toEqual([['patched'], 'x\n'])
})

test('runs two commands of one answer', async () => {
  const { said } = await drive('mock-model', {
    turns: [
      { toolCalls: [echo('left'), echo('right')] },
      { expect: { last: 'tool', toolResult: 'left' }, text: 'both' },
    ],
  })
  expect(said).toEqual(['both'])
})

test('gives a sub-agent the turns of its own thread (multi_agent_v1)', async () => {
  const { said, requests } = await drive('mock-model', {
    conversations: [
      {
        name: 'root',
        match: { subagent: false },
        turns: [
          { toolCalls: [{ name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: { message: 'scout here' } }] },
          {
            toolCalls: [
              {
                name: 'wait_agent',
                namespace: 'multi_agent_v1',
                arguments: { targets: ['{{result.spawn_agent.agent_id}}'], timeout_ms: 20_000 },
              },
            ],
          },
          { expect: { last: 'tool', toolResult: 'scouted' }, text: 'root done' },
        ],
      },
      {
        name: 'scout',
        match: { subagent: true },
        turns: [
          { expect: { user: 'scout here' }, toolCalls: [{ name: 'exec_command', arguments: { cmd: 'echo found' } }] },
          { expect: { toolResult: 'found' }, text: 'scouted' },
        ],
      },
    ],
  })
  expect(said).toEqual(['root done'])
  expect(threads(requests)).toEqual([
    ['root', 3],
    ['scout', 2],
  ])
})

test('gives a named sub-agent its turns, and drives code mode (collaboration)', async () => {
  const input = 'const r = await tools.exec_command({cmd:"echo found"}); text(r.output)'
  const { said, requests } = await drive('gpt-6-sol', {
    conversations: [
      {
        name: 'root',
        match: { agent: { equals: '/root' } },
        turns: [
          {
            toolCalls: [
              {
                name: 'spawn_agent',
                namespace: 'collaboration',
                arguments: { task_name: 'scout', message: 'scout here' },
              },
            ],
          },
          { toolCalls: [{ name: 'wait_agent', namespace: 'collaboration', arguments: { timeout_ms: 20_000 } }] },
          { expect: { last: 'tool' }, text: 'root done' },
        ],
      },
      {
        name: 'scout',
        match: { agent: '/root/scout' },
        turns: [
          { expect: { user: 'scout here' }, toolCalls: [{ name: 'exec', input }] },
          { expect: { toolResult: { tool: 'exec', text: 'found' } }, text: 'scouted' },
        ],
      },
    ],
  })
  expect(said).toEqual(['root done'])
  expect(threads(requests)).toEqual([
    ['root', 3],
    ['scout', 2],
  ])
})

test('an unexpected request ends the turn at once, with the reason in the words of the server', async () => {
  await using server = await startReplayServer({ script: { turns: [{ expect: { user: 'other' }, text: 'never' }] } })
  await using folder = await tempWorkspace()
  const { exitCode, events } = await runCodex({
    url: server.url,
    model: 'mock-model',
    prompt: 'greet',
    folder: folder.path,
    retries: 3,
  })
  expect(exitCode).toBe(1)
  expect(server.requests.length).toBe(1)
  expect(JSON.stringify(events)).toContain('no turn of script fits this request')
})

const echo = (word: string) => ({ name: 'exec_command', arguments: { cmd: `echo ${word}` } })

/** Conversation names with the number of their requests, each of which came from one thread. */
function threads(requests: readonly RecordedRequest[]): (readonly [string, number])[] {
  const byThread = Map.groupBy(requests, ({ thread }) => thread)
  return [...byThread.values()]
    .map((group) => {
      expect(new Set(group.map(({ conversation }) => conversation)).size).toBe(1)
      return [group[0]?.conversation ?? '', group.length] as const
    })
    .toSorted(([a], [b]) => a.localeCompare(b))
}
