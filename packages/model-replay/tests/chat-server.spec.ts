/** The server seen through plain HTTP: what it answers, what it refuses, and in which words. */
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { type ReplayServer, type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'

const ask = (
  server: ReplayServer,
  body: unknown,
  path = '/v1/chat/completions',
  headers: Record<string, string> = {},
) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const user = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })
const said = async (response: Response) =>
  ((await response.json()) as { choices: [{ message: { content: string } }] }).choices[0].message.content
const complaint = async (response: Response) =>
  ((await response.json()) as { error: { message: string } }).error.message

test('refuses a request that the script does not expect, with what came, what was expected and the nearest turn', async () => {
  await using server = await startReplayServer({
    script: { turns: [{ text: 'one' }, { expect: { user: 'again' }, text: 'two' }] },
  })
  expect(await said(await ask(server, user('hello')))).toBe('one')
  const history = [...user('hello').messages, { role: 'assistant', content: 'one' }, { role: 'user', content: 'other' }]
  const refused = await ask(server, { model: 'm', messages: history })
  expect(refused.status).toBe(400)
  expect(await complaint(refused)).toBe(
    [
      'model-replay: no turn of script fits this request.',
      'Came: chat request, model "m", no thread id, 3 items, last user, user says "other", tools empty',
      'Expected: "turn 2" of "conversation 1" where user contains "again"',
      'Nearest: "turn 2" of "conversation 1" where user contains "again"; expected user contains "again", but user is "other".',
      'Next: add the turn to the script, correct its expect, or find out why the app asks this.',
    ].join('\n'),
  )
  expect(() => server.assertConsumed()).toThrow(
    /was refused with 400[\s\S]*"turn 2" of "conversation 1" was served 0 of 1 times/,
  )
})

test('does not give the turns of one conversation to another', async () => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'one' }, { text: 'two' }] } })
  expect(await said(await ask(server, user('hello')))).toBe('one')
  const refused = await ask(server, user('a different beginning'))
  expect(refused.status).toBe(400)
  expect(await complaint(refused)).toContain('a further conversation began')
})

const FAULTY_BODIES: readonly (readonly [string, unknown, string])[] = [
  ['no JSON', '{"model"', 'the body is not JSON'],
  ['a list', [], 'the body is not a JSON object'],
  ['no model', { messages: [{ role: 'user', content: 'x' }] }, 'the body has no "model"'],
  ['no messages', { model: 'm' }, '"messages" is not a list'],
  ['empty messages', { model: 'm', messages: [] }, '"messages" is empty'],
  ['an unknown role', { model: 'm', messages: [{ role: 'wizard' }] }, 'messages[0].role is "wizard"'],
  [
    'a stray tool result',
    { model: 'm', messages: [{ role: 'tool', tool_call_id: 'c', content: 'x' }] },
    'the result of tool call "c" has no such call before it',
  ],
  ['a stream flag of text', { ...user('x'), stream: 'yes' }, '"stream" is neither true nor false'],
]

test.each(FAULTY_BODIES)('answers a body with %s by 400 and says so', async (_name, body, message) => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'never' }] } })
  const response = await ask(server, body)
  expect(response.status).toBe(400)
  expect(await complaint(response)).toContain(message)
})

test('refuses a tool call that the request does not offer', async () => {
  const script: ScriptObject = { turns: [{ toolCalls: [{ name: 'bash', arguments: {} }] }] }
  await using server = await startReplayServer({ script })
  expect(await complaint(await ask(server, user('x')))).toContain(
    'the script calls bash, which this request does not offer',
  )
})

test("refuses other hosts' names, web pages of other hosts and bodies beyond the bound", async () => {
  await using server = await startReplayServer({ script: { turns: [{ text: 'never' }] }, maxBodyBytes: 1_000 })
  expect(await statusFor(server, { host: 'evil.example' })).toBe(403)
  expect(await statusFor(server, { host: `evil.example:${server.port}` })).toBe(403)
  expect(await statusFor(server, { origin: 'https://evil.example' })).toBe(403)
  expect((await ask(server, user('x'.repeat(2_000)))).status).toBe(413)
  expect((await ask(server, user('x'), '/v1/nothing')).status).toBe(404)
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
})

test('reports an answer without finish reason unless the client asks again', async () => {
  const script: ScriptObject = {
    turns: [
      { text: 'hal', finish: 'none' },
      { text: 'half', optional: true },
    ],
  }
  await using taken = await startReplayServer({ script })
  await ask(taken, user('x'))
  expect(taken.problems()).toEqual([
    'request 1 (POST /v1/chat/completions) got an answer that was cut off with no finish reason (turn 1 of conversation 1), and the client did not ask again.',
  ])
  await using retried = await startReplayServer({ script })
  await ask(retried, user('x'))
  await ask(retried, user('x'))
  expect(retried.problems()).toEqual([])
})

test('closes with a stream still open and leaves nothing listening', async () => {
  const server = await startReplayServer({
    script: { turns: [{ content: [{ text: 'a' }, { hold: 'gate' }, { text: 'b' }] }] },
  })
  const response = await ask(server, { ...user('x'), stream: true })
  const reading = response.text()
  await server.close()
  await expect(reading).rejects.toThrow('terminated')
  await expect(fetch(server.url)).rejects.toThrow('fetch failed')
})

test('holds a stream at its gate until it is released', async () => {
  await using server = await startReplayServer({
    script: { turns: [{ content: [{ text: 'a' }, { hold: 'gate' }, { text: 'b' }] }] },
  })
  const response = await ask(server, { ...user('x'), stream: true })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('"content":"a"')
  expect(server.requests[0]?.outcome).toBe('pending')
  server.release('gate')
  expect((await reader?.read())?.value).toContain('"content":"b"')
  await reader?.cancel()
})

function statusFor(server: ReplayServer, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port: server.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/chat/completions',
      headers,
    })
    request.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.once('error', reject)
    request.end(JSON.stringify(user('x')))
  })
}
