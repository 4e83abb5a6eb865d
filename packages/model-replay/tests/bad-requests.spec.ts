/** What the services would refuse is refused with 400 and the place that is wrong, in the error form of the API. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startReplayServer } from '@loader-smoke/model-replay'

const responses = (input: unknown, more: object = {}) => ['/v1/responses', { model: 'm', input, ...more }] as const
const messages = (content: unknown, more: object = {}) =>
  ['/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }], ...more }] as const

const CASES: readonly (readonly [string, readonly [string, object], string])[] = [
  ['no input', responses(undefined), '"input" is not a list.'],
  ['an empty input', responses([]), '"input" holds no message.'],
  ['a part that is text', responses([{ role: 'user', content: ['x'] }]), 'input[0].content[0] is not an object.'],
  ['an unknown role', responses([{ role: 'wizard', content: 'x' }]), 'input[0].role is "wizard".'],
  [
    'a stray output',
    responses([{ type: 'function_call_output', call_id: 'c', output: 'x' }]),
    'the result of tool call "c" has no such call before it.',
  ],
  [
    'a call without its output',
    responses([
      { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{}' },
      { role: 'user', content: 'go on' },
    ]),
    'tool call "c" has no result.',
  ],
  [
    'an unknown earlier response',
    responses('x', { previous_response_id: 'resp_0' }),
    'the previous response "resp_0" is not one of this server, or one that it has forgotten.',
  ],
  ['no max_tokens', messages('x', { max_tokens: undefined }), '"max_tokens" is not a whole number above 0.'],
  ['a block without its text', messages([{ type: 'text' }]), 'messages[0].content[0].text is not text.'],
  ['a tool that is no object', messages('x', { tools: ['bash'] }), 'tools[0] is not an object.'],
  [
    'a stray tool result',
    messages([{ type: 'tool_result', tool_use_id: 'c', content: 'x' }]),
    'the result of tool call "c" has no such call before it.',
  ],
]

test.each(CASES)('refuses a request with %s', async (_name, [path, body], message) => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'never' }] } })
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  expect(response.status).toBe(400)
  const { error, type } = (await response.json()) as { error: { message: string; type: string }; type?: string }
  expect(error).toMatchObject({ type: 'invalid_request_error', message: `model-replay: ${message}` })
  expect(type).toBe(path === '/v1/messages' ? 'error' : undefined)
  expect(server.requests[0]).toMatchObject({ outcome: 'refused', refusal: message, turn: undefined })
})

test('refuses a body that is nested more deeply than the stack', async () => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'never' }] } })
  const input = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const content = `[{"type":"tool_use","id":"c","name":"bash","input":${input}}]`
  const body = `{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":${content}}]}`
  const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body })
  expect([response.status, ((await response.json()) as { error: { message: string } }).error.message]).toEqual([
    400,
    'model-replay: the body is nested too deeply.',
  ])
})

test('answers what is no HTTP request by 400 and closes', async () => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'never' }] } })
  const socket = connect(server.port, '127.0.0.1')
  socket.end('GIVE ME A MODEL\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*this is no HTTP request \(HPE_INVALID_METHOD\)/)
  expect(server.requests).toEqual([])
})
