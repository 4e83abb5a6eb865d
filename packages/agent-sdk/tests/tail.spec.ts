/** The end of an endless stream, and what may be told of it. */
import { PassThrough } from 'node:stream'
import { keepTail, redact } from '@loader-smoke/agent-sdk'
import { waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'

test('only the end of a stream is kept', async () => {
  const stream = new PassThrough()
  const tail = keepTail(stream, 10)
  for (let n = 0; n < 1_000; n++) stream.write(`line ${n}\n`)
  stream.end('the end')
  await waitFor('the stream to be read', () => stream.readableEnded)
  expect(tail.text()).toBe('99\nthe end')
})

test('a short stream is kept whole, and one that breaks throws nothing', () => {
  const stream = new PassThrough()
  const tail = keepTail(stream, 100)
  stream.emit('data', 'all of it')
  stream.destroy(new Error('gone'))
  expect(tail.text()).toBe('all of it')
})

test.for([
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [redacted]'],
  ['key sk-proj-abcdefgh12345678 is wrong', 'key [redacted] is wrong'],
  ['OPENAI_API_KEY=hunter2 next', 'OPENAI_API_KEY=[redacted] next'],
  ['{"access_token": "t0p"}', '{"access_token": "[redacted]"}'],
  ['https://me:secret@host/path', 'https://[redacted]@host/path'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.sig', 'token [redacted]'],
  ['Error: CODEX_HOME points to /tmp/x', 'Error: CODEX_HOME points to /tmp/x'],
] as const)('%s is told as %s', ([text, told]) => {
  expect(redact(text)).toBe(told)
})
