/** A server that is asked for weeks: what it lets go, and what it still knows. */
import type { IncomingMessage } from 'node:http'
import { requestRows, startReplayServer } from '@loader-smoke/model-replay'
import { expect, test } from 'vitest'
import type { Answer } from '../src/answer/answer.ts'
import type { Ask } from '../src/ask/ask.ts'
import { Memory } from '../src/serve/memory.ts'
import { RequestLog } from '../src/serve/request-log.ts'

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

test('lets go of bodies when they pass 64 Mi characters, but never of the last one', () => {
  const log = new RequestLog()
  const request = { method: 'POST', url: '/v1/responses', headers: { host: 'here' } } as IncomingMessage
  const kept = (mebis: number) => {
    log.keepBody(log.open(request), 'x'.repeat(mebis * MEBI))
    return log.all.map(({ trimmed, headers }) => (trimmed && headers.host === undefined ? 'gone' : 'kept'))
  }
  expect(kept(30)).toEqual(['kept'])
  expect(kept(30)).toEqual(['kept', 'kept'])
  expect(kept(30)).toEqual(['gone', 'kept', 'kept'])
  expect(kept(70)).toEqual(['gone', 'gone', 'gone', 'kept'])
})

test('forgets the responses that came first when the conversations up to them pass 64 Mi characters, but never the last one', () => {
  const memory = new Memory()
  const known = (id: string, mebis: number) => {
    const ask = { items: [{ type: 'user', text: 'x'.repeat(mebis * MEBI), note: false }] } as unknown as Ask
    memory.keep(ask, { id, blocks: [] } as unknown as Answer)
    return ['a', 'b', 'c', 'd'].filter((one) => memory.recall(`resp_${one}`) !== undefined)
  }
  expect(known('a', 30)).toEqual(['a'])
  expect(known('b', 30)).toEqual(['a', 'b'])
  expect(known('c', 30)).toEqual(['b', 'c'])
  expect(known('d', 70)).toEqual(['d'])
})
