/** The JSON-lines connection, over real pipes of a real process where the pipe matters. */
import { spawn } from 'node:child_process'
import { PassThrough, Writable } from 'node:stream'
import {
  ClosedError,
  connect,
  type ConnectionHandlers,
  type ConnectionLimits,
  type IncomingRequest,
  RefusedError,
} from '@loader-smoke/agent-sdk'
import { waitFor } from '@loader-smoke/testkit'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A connection whose other end is two streams. */
function loopback(handlers: Partial<ConnectionHandlers> = {}, limits: ConnectionLimits = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const written: unknown[] = []
  stdin.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) if (line !== '') written.push(JSON.parse(line))
  })
  const notifications: [string, unknown][] = []
  const requests: IncomingRequest[] = []
  const broken: string[] = []
  const connection = connect(
    { stdin, stdout },
    {
      onNotification: (method, params) => notifications.push([method, params]),
      onRequest: (request) => requests.push(request),
      onBroken: (reason) => broken.push(reason),
      ...handlers,
    },
    limits,
  )
  const say = (message: unknown) => stdout.write(`${JSON.stringify(message)}\n`)
  return { connection, stdin, stdout, written, notifications, requests, broken, say }
}

test('a request is answered by its id, whatever the order', async () => {
  const { connection, written, say } = loopback()
  const [one, two] = [connection.request('one', { a: 1 }), connection.request('two')]
  await waitFor('both to be written', () => written.length === 2)
  expect(written).toEqual([
    { id: 1, method: 'one', params: { a: 1 } },
    { id: 2, method: 'two' },
  ])
  say({ id: 2, result: 'second' })
  say({ jsonrpc: '2.0', id: 1, result: null })
  expect([await one, await two]).toEqual([null, 'second'])
})

test('a refused request rejects with the method, the code and the reason', async () => {
  const { connection, say } = loopback()
  const asked = connection.request('thread/read')
  say({ id: 1, error: { code: -32600, message: 'no such thread' } })
  const error = await asked.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(RefusedError)
  expect(error).toMatchObject({
    message: 'thread/read failed: no such thread',
    method: 'thread/read',
    code: -32600,
    reason: 'no such thread',
  })
})

test('requests of the peer keep the ids it chose, 0 and the empty text among them', async () => {
  const { requests, notifications, written, say } = loopback()
  for (const id of [0, -1, '', 'q-1', null, undefined]) say({ id, method: 'ask', params: { id } })
  await waitFor('all to arrive', () => requests.length + notifications.length === 6)
  expect(requests.map(({ id }) => id)).toEqual([0, -1, '', 'q-1'])
  expect(notifications).toHaveLength(2)
  requests[0]?.reply({ ok: true })
  requests[0]?.reply('twice')
  requests[2]?.refuse(-32_601, 'no')
  await waitFor('the answers', () => written.length === 2)
  expect(written).toEqual([
    { id: 0, result: { ok: true } },
    { id: '', error: { code: -32_601, message: 'no' } },
  ])
})

test('closing gives one reason to every pending and every later request, and breaks nothing else', async () => {
  const { connection, broken, stdin } = loopback()
  const pending = [connection.request('one'), connection.request('two')]
  connection.close('the agent was closed')
  connection.close('another reason')
  pending.push(connection.request('three'))
  const errors = await Promise.all(pending.map((request) => request.catch((error: unknown) => error)))
  expect(errors.every((error) => error instanceof ClosedError && error.reason === 'the agent was closed')).toBe(true)
  expect(errors.map(String)).toEqual(
    ['one', 'two', 'three'].map((method) => `ClosedError: ${method} failed: the agent was closed`),
  )
  expect(connection.closeReason).toBe('the agent was closed')
  expect(broken).toEqual([])
  expect(stdin.writableEnded).toBe(true)
})

test('nothing is handed on behind a close', async () => {
  const { connection, notifications, say, stdout } = loopback()
  connection.close('enough')
  say({ method: 'late' })
  await waitFor('the line to be read', () => stdout.readableLength === 0)
  expect(notifications).toEqual([])
})

test('output that ends breaks the connection', async () => {
  const { connection, stdout, broken } = loopback()
  const asked = connection.request('one')
  stdout.end()
  await expect(asked).rejects.toThrow('one failed: the program closed its output')
  expect(broken).toEqual(['the program closed its output'])
})

test('lines that are no message are counted by their length, and the rest goes on', async () => {
  const junk: number[] = []
  const { notifications, stdout, say } = loopback({ onJunk: (bytes) => junk.push(bytes) })
  stdout.write('not json\n\r\n\n[1]\n"text"\n')
  say({ id: 99, result: 'nobody asked' })
  say({ method: 'fine' })
  await waitFor('the message', () => notifications.length === 1)
  expect(junk).toEqual([8, 3, 6])
})

test('any cutting of the bytes gives the same messages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), number: fc.integer() }), { minLength: 1 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      async (messages, sizes) => {
        const { notifications, stdout } = loopback()
        const bytes = Buffer.from(messages.map((params) => `${JSON.stringify({ method: 'm', params })}\n`).join(''))
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          stdout.write(bytes.subarray(at, at + size))
          at += size
        }
        await waitFor('all messages', () => notifications.length === messages.length)
        expect(notifications.map(([, params]) => params)).toEqual(messages)
      },
    ),
    { numRuns: 40 },
  )
})

test('a line of 20 MB is taken, and one beyond the limit breaks the connection by its length alone', async () => {
  const { notifications, stdout } = loopback()
  const text = 'x'.repeat(20 * 1024 * 1024)
  stdout.write(`${JSON.stringify({ method: 'big', params: { text } })}\n`)
  await waitFor('the line', () => notifications.length === 1)
  expect(notifications[0]?.[1]).toEqual({ text })

  const small = loopback({}, { maxLineBytes: 100 })
  small.stdout.write('y'.repeat(60))
  small.stdout.write('y'.repeat(60))
  await waitFor('the end', () => small.connection.closeReason)
  expect(small.broken).toEqual(['a line is longer than 100 bytes'])
})

test('a handler that throws breaks the connection instead of losing messages in silence', async () => {
  const { connection, say } = loopback({
    onNotification: () => {
      throw new Error('handler is broken')
    },
  })
  say({ method: 'x' })
  await waitFor('the end', () => connection.closeReason)
  expect(connection.closeReason).toBe('handler is broken')
})

test('a peer that does not read is waited for, in order, until too much waits', async () => {
  const taken: string[] = []
  let takeNext: (() => void) | null = null
  const stdin = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      taken.push(chunk)
      takeNext = done
    },
  })
  const broken: string[] = []
  const connection = connect(
    { stdin, stdout: new PassThrough() },
    { onNotification() {}, onRequest() {}, onBroken: (reason) => broken.push(reason) },
    { maxWaitingBytes: 1_000 },
  )
  for (let n = 0; n < 5; n++) connection.notify('n', { n })
  let drained = false
  const waits = async () => {
    await connection.drained()
    drained = true
  }
  void waits()
  expect(taken).toHaveLength(1)
  expect(drained).toBe(false)
  while (takeNext !== null) {
    const take: () => void = takeNext
    takeNext = null
    take()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(drained).toBe(true)
  expect(
    taken
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).params.n),
  ).toEqual([0, 1, 2, 3, 4])
  connection.notify('taken', {})
  connection.notify('waits', { text: 'z'.repeat(2_000) })
  expect(broken).toEqual([expect.stringMatching(/^the program does not take input: \d+ bytes wait, at most 1000 may$/)])
})

test('a real program that has ended fails requests with one reason, and a late write throws nothing', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.once("data", () => process.exit(0))'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  const broken: string[] = []
  const connection = connect(child, { onNotification() {}, onRequest() {}, onBroken: (reason) => broken.push(reason) })
  const asked = connection.request('one')
  await expect(asked).rejects.toThrow('one failed: the program closed its output')
  connection.notify('late', { text: 'x'.repeat(1_000_000) })
  await expect(connection.request('later')).rejects.toThrow('later failed: the program closed its output')
  expect(broken).toHaveLength(1)
})

test('a real program answers through pipes, however large the messages', async () => {
  const echo = `
    const lines = require('node:readline').createInterface({ input: process.stdin })
    lines.on('line', (line) => { const { id, params } = JSON.parse(line); process.stdout.write(JSON.stringify({ id, result: params }) + '\\n') })`
  const child = spawn(process.execPath, ['-e', echo], { stdio: ['pipe', 'pipe', 'inherit'] })
  cleanups.push(() => child.kill('SIGKILL'))
  const connection = connect(child, { onNotification() {}, onRequest() {} })
  const texts = [0, 1, 2, 3].map((n) => `${n}${'é'.repeat(500_000)}`)
  expect(await Promise.all(texts.map((text) => connection.request('echo', text)))).toEqual(texts)
  await connection.drained()
  connection.close('done')
})
