/** Many conversations at once: none gets another's turn, each gets its own in order. */
import { expect, test } from 'vitest'
import { type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'

const CONVERSATIONS = 100
const TURNS = 20

const script: ScriptObject = {
  conversations: [
    {
      for: 'each',
      turns: Array.from({ length: TURNS }, (_, turn) => ({
        text: `turn ${turn} of {{firstUser}}`,
        ...(turn < TURNS - 1 && { toolCalls: [{ name: 'next', arguments: { turn, of: '{{firstUser}}' } }] }),
        ...(turn > 0 && { expect: { toolResult: `result ${turn - 1}` } }),
      })),
    },
  ],
}

interface Said {
  readonly text: string
  readonly input: string
  readonly history: readonly object[]
}

/** One step: the history goes out, what the model said comes back, and the history with the tool's result behind it. */
type Step = (url: string, history: readonly object[], turn: number, thread: string) => Promise<Said>

const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<any> => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }), headers })
  return response.json()
}

const chat: Step = async (url, history, turn) => {
  const tools = [{ type: 'function', function: { name: 'next' } }]
  const { message } = (await post(`${url}/v1/chat/completions`, { messages: history, tools })).choices[0]
  const [call] = message.tool_calls ?? []
  const result = { role: 'tool', tool_call_id: call?.id, content: `result ${turn}` }
  return { text: message.content, input: call?.function.arguments, history: [...history, message, result] }
}

const messages: Step = async (url, history, turn) => {
  const tools = [{ name: 'next', input_schema: {} }]
  const { content } = await post(`${url}/v1/messages`, { max_tokens: 9, messages: history, tools })
  const [text, call] = content
  const result = { type: 'tool_result', tool_use_id: call?.id, content: `result ${turn}` }
  const next = [...history, { role: 'assistant', content }, { role: 'user', content: [result] }]
  return { text: text.text, input: JSON.stringify(call?.input), history: next }
}

/** As the Codex CLI does: with a thread id. */
const responses: Step = async (url, history, turn, thread) => {
  const tools = [{ type: 'function', name: 'next' }]
  const { output } = await post(`${url}/v1/responses`, { input: history, tools }, { 'thread-id': thread })
  const [text, call] = output
  const result = { type: 'function_call_output', call_id: call?.call_id, output: `result ${turn}` }
  return { text: text.content[0].text, input: call?.arguments, history: [...history, ...output, result] }
}

async function converse(url: string, step: Step, opening: string, thread: string): Promise<string[]> {
  const heard: string[] = []
  let history: readonly object[] = [{ role: 'user', content: opening }]
  for (let turn = 0; turn < TURNS; turn++) {
    const said = await step(url, history, turn, thread)
    heard.push(turn === TURNS - 1 ? said.text : `${said.text} ${said.input}`)
    history = said.history
  }
  return heard
}

/** Text and tool input of every turn. */
function wanted(opening: string): string[] {
  return Array.from({ length: TURNS }, (_, turn) => {
    const text = `turn ${turn} of ${opening}`
    return turn === TURNS - 1 ? text : `${text} ${JSON.stringify({ turn, of: opening })}`
  })
}

test('100 conversations of 20 turns in three dialects at once do not cross and keep their order', async () => {
  await using server = await startReplayServer({ script })
  const steps = [chat, messages, responses] as const
  const all = await Promise.all(
    Array.from({ length: CONVERSATIONS }, async (_, index) => {
      const opening = `conversation ${index}`
      return [
        await converse(server.url, steps[index % 3] as Step, opening, `thread-${index}`),
        wanted(opening),
      ] as const
    }),
  )
  for (const [heard, expected] of all) expect(heard).toEqual(expected)
  server.assertConsumed()
  expect(server.requests.length).toBe(CONVERSATIONS * TURNS)
  const perRun = Map.groupBy(server.requests, ({ run }) => run)
  expect(perRun.size).toBe(CONVERSATIONS)
  for (const requests of perRun.values())
    expect(requests.map(({ turn }) => turn)).toEqual(Array.from({ length: TURNS }, (_, turn) => `turn ${turn + 1}`))
})

test('100 conversations that begin with the same words, without thread ids, are told apart by their tool calls', async () => {
  await using server = await startReplayServer({ script })
  const all = await Promise.all(
    Array.from({ length: CONVERSATIONS }, (_, index) =>
      converse(server.url, index % 2 === 0 ? chat : messages, 'the same words', ''),
    ),
  )
  for (const heard of all) expect(heard).toEqual(wanted('the same words'))
  server.assertConsumed()
  expect(new Set(server.requests.map(({ run }) => run)).size).toBe(CONVERSATIONS)
})
