/** A server that is asked for weeks: what it lets go, and what it still knows. */
import { expect, test } from 'vitest'
import { requestRows, startReplayServer } from '@loader-smoke/model-replay'

const MEBI = 1024 * 1024

async function ask(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
}

const chat = (url: string, content: string) =>
  ask(url, '/v1/chat/completions', { messages: [{ role: 'user', content }] })

test('lets go of headers and bodies after 1,000 requests, and still counts, names and matches every one', async () => {
  await using server = await startReplayServer({
    script: {
      conversations: [
        { match: { user: /^once$/.source }, turns: [{ text: 'one' }, { text: 'two' }] },
        { for: 'each', match: { user: { matches: '^question' } }, turns: [{ text: 'Yes.' }] },
      ],
    },
  })
  const opening = { role: 'user', content: '^once$' }
  await ask(server.url, '/v1/chat/completions', { messages: [opening] })
  expect((await chat(server.url, 'what nobody expects')).status).toBe(400)
  for (let lane = 0; lane < 100; lane++)
    await Promise.all(Array.from({ length: 10 }, (_, at) => chat(server.url, `question ${lane * 10 + at}`)))

  const { requests } = server
  expect(requests).toHaveLength(1_002)
  expect(requests.filter(({ trimmed }) => trimmed).map(({ number }) => number)).toEqual([1, 2])
  expect(requests[0]).toMatchObject({ headers: {}, body: undefined, model: 'm', turn: 'turn 1', outcome: 'answered' })
  expect(requests[2]).toMatchObject({
    trimmed: false,
    headers: { host: expect.any(String) },
    body: { messages: [{ role: 'user', content: expect.stringMatching(/^question \d$/) }] },
  })
  expect(requestRows(requests).map(({ number }) => number)).toEqual(requests.map((_, index) => index + 1))
  expect(server.problems()).toEqual([
    expect.stringMatching(/^request 2 \(POST \/v1\/chat\/completions\) was refused with 400: no turn of script fits/),
  ])

  const history = [opening, { role: 'assistant', content: 'one' }, { role: 'user', content: 'go on' }]
  const answer = await (await ask(server.url, '/v1/chat/completions', { messages: history })).json()
  expect(answer).toMatchObject({ choices: [{ message: { content: 'two' } }] })
})

test('lets go of bodies when they pass 64 Mi characters, but never of the last one', async () => {
  await using server = await startReplayServer({
    maxBodyBytes: 128 * MEBI,
    script: { for: 'each', turns: [{ text: 'Yes.' }] },
  })
  const kept = async (mebis: number) => {
    expect((await chat(server.url, 'x'.repeat(mebis * MEBI))).status).toBe(200)
    return server.requests.map(({ body }) => (body === undefined ? 'gone' : 'kept'))
  }
  expect(await kept(30)).toEqual(['kept'])
  expect(await kept(30)).toEqual(['kept', 'kept'])
  expect(await kept(70)).toEqual(['gone', 'gone', 'kept'])
})

test('forgets the responses that came first when the conversations pass 64 Mi characters', async () => {
  await using server = await startReplayServer({
    maxBodyBytes: 128 * MEBI,
    script: { for: 'each', turns: [{ text: 'Yes.', times: 'any' }] },
  })
  const respond = async (input: string, previous?: string) =>
    (await ask(server.url, '/v1/responses', { input, previous_response_id: previous })).json() as Promise<{
      readonly id: string
      readonly error: { readonly message: string } | null
    }>
  const first = await respond('a'.repeat(40 * MEBI))
  const second = await respond('b'.repeat(40 * MEBI))
  expect((await respond('go on', second.id)).error).toBeNull()
  expect((await respond('go on', first.id)).error?.message).toBe(
    `model-replay: the previous response "${first.id}" is not one of this server, or one that it has forgotten.`,
  )
})
