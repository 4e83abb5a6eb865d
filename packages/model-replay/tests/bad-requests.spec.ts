/** What the services would refuse is refused with 400 and the place that is wrong, in the error form of the API. */
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
    'the previous response "resp_0" is not one of this server.',
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
