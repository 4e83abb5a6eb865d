/** Recordings seen through plain HTTP: byte for byte, without secrets, in every mode. */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RecordedOptions, startRecordedServer } from '@loader-smoke/model-replay'

// Recording is refused where CI is set, and these tests run there, too.
beforeEach(() => {
  vi.stubEnv('CI', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

type Play = (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void> | void

/** A server that plays the provider; it counts what it was asked. */
async function openProvider(play: Play) {
  let asked = 0
  const server = createServer(async (request, response) => {
    asked++
    await play(request, await readText(request), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve<T>(options: RecordedOptions, run: (url: string) => Promise<T>): Promise<T> {
  await using server = await startRecordedServer(options)
  const result = await run(server.url)
  server.assertConsumed()
  return result
}

const chat = (content: string) => JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] })

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** Asks one question after another. */
const askEach =
  (...words: string[]) =>
  async (url: string) => {
    for (const word of words) await post(url, chat(word))
  }

interface Got {
  readonly status: number | undefined
  readonly kept: readonly unknown[]
  readonly bytes: string
  /** The pieces in which the body came: chunks of the transfer coding, however TCP packs them. */
  readonly chunks: readonly string[]
}

function post(
  url: string,
  body: string,
  headers: Record<string, string> = {},
  path = '/v1/chat/completions',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}`, { method: 'POST', headers })
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: string[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')))
      response.once('error', reject)
      response.once('end', () => {
        const kept = ['content-type', 'retry-after', 'x-codex-primary-used-percent'].map(
          (name) => response.headers[name],
        )
        resolve({ status: response.statusCode, kept, bytes: chunks.join(''), chunks })
      })
    })
    request.end(body)
  })
}

test('keeps every byte, the pieces and the headers that clients act upon', async () => {
  const body = Buffer.from('data: {"choices":[{"delta":{"content":"caf\u00e9 \u{1f389}"}}]}\n\ndata: [DONE]\n\n')
  // Cut within the four bytes of the last character, within an event and at its end.
  const cuts = [0, 10, body.indexOf(0xf0) + 2, body.indexOf('\n\n') + 2, body.length]
  await using provider = await openProvider(async (_request, _body, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'x-codex-primary-used-percent': '12',
      'x-request-id': 'req_1',
    })
    for (const [index, cut] of cuts.slice(1).entries()) {
      response.write(body.subarray(cuts[index], cut))
      await delay(20)
    }
    response.end()
  })
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  const recorded = await serve({ recording, mode: 'record', upstream: provider.url }, (url) => post(url, chat('hi')))
  const replayed = await serve({ recording, mode: 'replay' }, (url) => post(url, chat('hi')))
  expect(recorded.bytes).toBe(body.toString('latin1'))
  expect(replayed).toEqual(recorded)
  expect(provider.asked()).toBe(1)
  const file = JSON.parse(await folder.read('recording.json'))
  const [exchange] = file.exchanges
  expect(exchange.answer.chunkBytes).toEqual(cuts.slice(1).map((cut, index) => cut - (cuts[index] ?? 0)))
  expect(exchange.answer.headers).toEqual({ 'content-type': 'text/event-stream', 'x-codex-primary-used-percent': '12' })
})

test('keeps none of 20 planted secrets, in the file or in what is logged', async () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLXBsYW50ZWQ'
  const secrets = {
    bearer: 'plain-looking-value-1',
    apiKeyHeader: 'plain-looking-value-2',
    cookie: 'plain-looking-value-3',
    organizationHeader: 'org-AbCdEfGhIjKlMnOp',
    query: 'plain-looking-value-4',
    environment: 'plain-looking-value-5',
    configured: 'internal-host.example',
    pattern: 'CUSTOMER-0042',
    openai: 'sk-proj-abcdefghijklmnop1234',
    anthropic: 'sk-ant-api03-abcdefgh_ijkl',
    github: 'ghp_abcdefghijklmnopqrstuvwx',
    aws: 'AKIAABCDEFGHIJKLMNOP',
    google: `AIza${'SyA1234567890abcdefghijkl'}`,
    jwt,
    password: 'hunter2-and-more',
    login: 'user:pa55word',
    named: 'q8w7e6r5t4',
    account: 'acct_1234567890abcdefXY',
    split: 'sk-split-over-deltas-99',
    errorBody: 'sk-in-the-error-4321',
  }
  vi.stubEnv('PLANTED_TOKEN', secrets.environment)
  const { query, bearer, ...rest } = secrets
  const said = [
    `use ${rest.environment} at ${rest.configured} for ${rest.pattern}; ${rest.openai} ${rest.anthropic} ${rest.github}`,
    `${rest.aws} ${rest.google} ${jwt} password: ${rest.password} https://${rest.login}@host/`,
    `{"client_secret":"${rest.named}"} ${rest.account} ${bearer} ${encodeURIComponent(bearer)} ${Buffer.from(bearer).toString('base64')}`,
  ].join('\n')
  await using provider = await openProvider((_request, body, response) => {
    if (body.includes('fail')) {
      response.writeHead(401, { 'content-type': 'application/json', 'set-cookie': `s=${secrets.cookie}` })
      const message = `Incorrect API key provided: ${secrets.errorBody} (${bearer}) of ${secrets.organizationHeader}`
      response.end(JSON.stringify({ error: { message, key: query } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'openai-organization': secrets.organizationHeader })
    const halves = [secrets.split.slice(0, 9), secrets.split.slice(9)]
    response.end([...said.split('\n'), 'it is ', ...halves].map(delta).join(''))
  })
  const logs: string[] = []
  for (const method of ['log', 'error', 'warn', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void logs.push(args.join(' ')))
  await using folder = await tempWorkspace()
  const options = { recording: folder.file('recording.json'), redact: [secrets.configured, /CUSTOMER-\d+/] }
  const headers = {
    authorization: `Bearer ${bearer}`,
    'x-api-key': secrets.apiKeyHeader,
    cookie: `session=${secrets.cookie}`,
    'openai-organization': secrets.organizationHeader,
  }
  const path = `/v1/chat/completions?key=${query}`
  const talk = async (url: string) => [
    await post(url, chat(`${said} ${secrets.apiKeyHeader} ${secrets.cookie} ${query}`), headers, path),
    await post(url, chat('fail'), headers, path),
    await post(url, `not JSON but ${bearer}`, headers, path),
  ]
  await using recorder = await startRecordedServer({ ...options, mode: 'record', upstream: provider.url })
  const [first] = await talk(recorder.url)
  // The app itself gets the provider's own words.
  expect(first?.bytes).toContain(secrets.openai)
  await recorder.close()
  const kept = `${await folder.read('recording.json')}${JSON.stringify(recorder.requests.map(({ path, headers }) => [path, headers]))}${logs.join('')}`
  for (const [name, secret] of Object.entries(secrets)) {
    const written = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
    expect([name, written.filter((one) => kept.includes(one))]).toEqual([name, []])
  }
  expect(kept).not.toContain('over-deltas')
  // What was masked is known again, so the same requests are answered.
  const [replayed, failed] = await serve({ ...options, mode: 'replay' }, talk)
  expect([replayed?.status, failed?.status]).toEqual([200, 401])
  expect(replayed?.bytes).toContain('[secret]')
  vi.restoreAllMocks()
})

test('refuses what was not recorded, with what came and the nearest question', async () => {
  await using provider = await openProvider((_request, _body, response) => void response.end('{}'))
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  await serve({ recording, mode: 'record', upstream: provider.url }, (url) => post(url, chat('hi')))
  await using server = await startRecordedServer({ recording, mode: 'replay' })
  const { status, bytes } = await post(server.url, chat('bye'))
  expect(status).toBe(400)
  expect(JSON.parse(bytes).error.message).toBe(
    [
      `model-replay: ${recording} has no answer to this request.`,
      'Came: POST /v1/chat/completions, model "m", 1 items, the last {"user":"bye"}',
      'Nearest: exchange 1; its item 1 is {"user":"hi"}, but {"user":"bye"} came.',
      'Next: find out why the app asks this, or record anew with model-replay update.',
    ].join('\n'),
  )
  expect(server.deviations()).toContain(
    'exchange 1 (POST /v1/chat/completions, model "m", 1 items, the last {"user":"hi"}) was not asked for.\nNext: find out why the app did not ask, or record anew with model-replay update.',
  )
  expect(provider.asked()).toBe(1)
  // Where no mode is given the variable says what is done.
  await using byVariable = await startRecordedServer({ recording })
  expect(byVariable.deviations()).toMatch(/ or record anew with model-replay update, or LOADER_SMOKE_REPLAY=update\.$/)
})

test('update asks the provider only for what is new and drops what is not asked for', async () => {
  await using provider = await openProvider((_request, body, response) => void response.end(JSON.stringify({ body })))
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  await serve({ recording, mode: 'record', upstream: provider.url }, askEach('one', 'two'))
  await serve({ recording, mode: 'update', upstream: provider.url }, askEach('two', 'three'))
  expect(provider.asked()).toBe(3)
  await serve({ recording, mode: 'replay' }, askEach('two', 'three'))
  expect(provider.asked()).toBe(3)
})

test('answers the same question of many conversations at once, each as often as it was recorded', async () => {
  let number = 0
  await using provider = await openProvider((_request, _body, response) => void response.end(`answer ${++number}`))
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  const questions = Array.from({ length: 50 }, (_, index) => `question ${index % 10}`)
  const askAll = async (url: string) =>
    (await Promise.all(questions.map((one) => post(url, chat(one))))).map(
      ({ bytes }, index) => `${questions[index]}: ${bytes}`,
    )
  const recorded = await serve({ recording, mode: 'record', upstream: provider.url }, askAll)
  const replayed = await serve({ recording, mode: 'replay' }, askAll)
  expect(replayed.toSorted()).toEqual(recorded.toSorted())
})

test('keeps nothing of an answer that breaks off, and says so', async () => {
  await using provider = await openProvider(async (_request, _body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {}\n\n')
    await delay(20)
    response.destroy()
  })
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  await using server = await startRecordedServer({ recording, mode: 'record', upstream: provider.url })
  await expect(post(server.url, chat('hi'))).rejects.toThrow('aborted')
  await server.close()
  expect(server.problems()).toEqual([
    'request 1 (POST /v1/chat/completions) was refused with 200: the provider broke off its answer, which was not recorded.',
    'nothing was recorded: no answer came to its end.',
  ])
  await expect(folder.read('recording.json')).rejects.toThrow('ENOENT')
})

test('records only where a person does it, and only with a provider', async () => {
  await using folder = await tempWorkspace({ 'broken.json': '{"recording": 2}' })
  const recording = folder.file('recording.json')
  vi.stubEnv('CI', 'true')
  await expect(startRecordedServer({ recording, mode: 'record', upstream: 'http://127.0.0.1:1' })).rejects.toThrow(
    "model-replay: mode is 'record', but CI is set; recordings are only played there.\nNext: record on your own machine and commit the file.",
  )
  vi.stubEnv('CI', '')
  vi.stubEnv('LOADER_SMOKE_REPLAY', 'recrod')
  await expect(startRecordedServer({ recording })).rejects.toThrow(
    `model-replay: LOADER_SMOKE_REPLAY must be 'replay', 'record' or 'update', got "recrod".`,
  )
  vi.stubEnv('LOADER_SMOKE_REPLAY', 'record')
  await expect(startRecordedServer({ recording })).rejects.toThrow(
    "model-replay: upstream is null; to record, expected the provider's address, such as https://api.openai.com.",
  )
  vi.stubEnv('LOADER_SMOKE_REPLAY', '')
  await expect(startRecordedServer({ recording })).rejects.toThrow(
    `model-replay: the recording ${recording} can't be read (ENOENT).\nNext: make it with model-replay record, or LOADER_SMOKE_REPLAY=record.`,
  )
  await expect(startRecordedServer({ recording: folder.file('broken.json') })).rejects.toThrow(
    `model-replay: ${folder.file('broken.json')} is no recording: it has not the form { "recording": 1, "exchanges": [...] }.`,
  )
})

const EXCHANGE = {
  number: 1,
  request: { method: 'POST', path: '/x' },
  answer: { status: 200, headers: {}, body: ['x'] },
}
const BROKEN: readonly (readonly [string, object, string])[] = [
  [
    'a status that is none',
    { ...EXCHANGE, answer: { ...EXCHANGE.answer, status: 99 } },
    'exchange 1.answer.status is 99',
  ],
  ['tools of numbers', { ...EXCHANGE, request: { tools: [1] } }, 'exchange 1.request.tools is [1]'],
  [
    'a predecessor behind it',
    { ...EXCHANGE, request: { after: 7 } },
    'exchange 1.request.after is 7, which is no exchange before it',
  ],
  [
    'pieces that do not add up',
    { ...EXCHANGE, answer: { ...EXCHANGE.answer, chunkBytes: [5] } },
    'exchange 1.answer.chunkBytes does not add up to the bytes of its body; leave it out after an edit',
  ],
]

test.each(BROKEN)('refuses a recording with %s', async (_name, exchange, problem) => {
  await using folder = await tempWorkspace({ 'r.json': JSON.stringify({ recording: 1, exchanges: [exchange] }) })
  const recording = folder.file('r.json')
  await expect(startRecordedServer({ recording, mode: 'replay' })).rejects.toThrow(
    `model-replay: ${recording} is no recording: ${problem}.`,
  )
})
