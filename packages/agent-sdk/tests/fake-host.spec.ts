/** The fake host, on which tests of agents stand. */
import { connect } from '@loader-smoke/agent-sdk'
import { fakeApi, settle } from '@loader-smoke/agent-sdk/testing'
import { expect, test } from 'vitest'

test('a scripted peer answers, sends by itself, and remembers what it received', async () => {
  const api = fakeApi({
    onSpawn: () => (message, peer) => {
      if (message.method === 'add') peer.reply(message, Number(message.params['a']) + Number(message.params['b']))
    },
  })
  const child = await api.process.spawn('calculator', ['--fast'], { env: { HOME: '/h' } })
  const heard: unknown[] = []
  const connection = connect(child, {
    onNotification: (method, params) => heard.push([method, params]),
    onRequest() {},
  })
  expect(await connection.request('add', { a: 2, b: 3 })).toBe(5)
  const [peer] = api.peers
  peer?.send({ method: 'hello', params: { from: 'peer' } })
  await settle()
  expect(heard).toEqual([['hello', { from: 'peer' }]])
  expect([peer?.program, peer?.args, peer?.options]).toEqual(['calculator', ['--fast'], { env: { HOME: '/h' } }])
  expect(await peer?.waitFor((message) => message.method === 'add')).toEqual({
    id: 1,
    method: 'add',
    params: { a: 2, b: 3 },
  })
})

test('waiting finds what arrives later, and the script can be replaced', async () => {
  const api = fakeApi({ onSpawn: () => () => {} })
  const child = await api.process.spawn('p', [], {})
  const connection = connect(child, { onNotification() {}, onRequest() {} })
  const [peer] = api.peers
  const waiting = peer?.waitFor((message) => message.method === 'late')
  if (peer) peer.onMessage = (message, self) => self.reply(message, 'replaced')
  expect(await connection.request('late')).toBe('replaced')
  expect(await waiting).toMatchObject({ method: 'late', params: {} })
})

test('an exit ends the output behind what was printed, and is told once', async () => {
  const api = fakeApi({ onSpawn: () => () => {} })
  const child = await api.process.spawn('p', [], {})
  const heard: string[] = []
  const broken: string[] = []
  connect(child, {
    onNotification: (method) => heard.push(method),
    onRequest() {},
    onBroken: (reason) => broken.push(reason),
  })
  api.peers[0]?.send({ method: 'last words' })
  api.peers[0]?.exit(3)
  api.peers[0]?.send({ method: 'ghost' })
  expect(await child.exited).toEqual({ code: 3, signal: null })
  expect(await child.stop()).toEqual({ code: 3, signal: null })
  await settle()
  expect([heard, broken]).toEqual([['last words'], ['the program closed its output']])
})

test('stopping ends the program, and closing its input is seen', async () => {
  const api = fakeApi({ onSpawn: () => () => {} })
  const child = await api.process.spawn('p', [], {})
  connect(child, { onNotification() {}, onRequest() {} }).close('enough')
  await settle()
  expect(api.peers[0]?.inputClosed).toBe(true)
  expect(await child.stop()).toEqual({ code: null, signal: 'SIGTERM' })
})

test('an Error from the script is a program that cannot be started', async () => {
  const api = fakeApi({ onSpawn: (program) => new Error(`${program} is not on the PATH`) })
  await expect(api.process.spawn('nowhere', [], {})).rejects.toThrow('nowhere is not on the PATH')
})

test('calls to the host are recorded, and answered by the script or by nothing', async () => {
  const silent = fakeApi({ onSpawn: () => () => {} })
  const request = { agentId: 'a', sessionId: 's', name: 'n', input: {}, callId: 'c' }
  expect(await silent.process.which('x')).toBeNull()
  expect(await silent.tools.call(request)).toEqual({ content: [] })
  expect(await silent.openUrl('https://example.com')).toEqual({ opened: true })
  expect(silent.hostCalls).toEqual([
    { method: 'host/process.which', params: { program: 'x' } },
    { method: 'host/tools.call', params: request },
    { method: 'host/openUrl', params: { url: 'https://example.com' } },
  ])
  const failing = fakeApi({
    onSpawn: () => () => {},
    onHost: () => {
      throw new Error('no tool named n')
    },
  })
  await expect(failing.tools.call(request)).rejects.toThrow('no tool named n')
})
