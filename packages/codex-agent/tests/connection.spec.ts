/** The app-server of an account: started, introduced, lost, started again; what the agent tells about itself. */
import { clearCache } from '@loader-smoke/agent-sdk/maintenance'
import { fakeApi, settle } from '@loader-smoke/agent-sdk/testing'
import * as Effect from 'effect/Effect'
import { beforeEach, expect, test } from 'vitest'
import { CodexAgent, CodexError, createAgent, versionOf, versionWarning } from '@loader-smoke/codex-agent'
import { codexHome } from '../src/connection/home.ts'
import { scripted, textInput } from './support/scripted.ts'

beforeEach(clearCache)

test.for([
  ['convergence/0.171.0 (Debian 12; x86_64) xterm', '0.171.0'],
  ['a b/1.22.333-rc.1', '1.22.333'],
  ['0.171.0', null],
  ['x/latest', null],
  ['', null],
  [null, null],
  [undefined, null],
] as const)('the version of %j is %s', ([userAgent, version]) => {
  expect(versionOf(userAgent)).toBe(version)
})

test.for([
  ['0.171.0', null],
  [
    '0.170.9',
    'the Codex CLI is version 0.170.9; this agent was tested with 0.171.0, so something may work differently',
  ],
  ['1.0.0', 'the Codex CLI is version 1.0.0; this agent was tested with 0.171.0, so something may work differently'],
  [null, 'the Codex CLI did not tell its version; this agent was tested with 0.171.0'],
] as const)('the version %s is warned of as %j', ([version, warning]) => {
  expect(versionWarning(version)).toBe(warning)
})

test('callers at the same time share one start and one handshake', async () => {
  const { agent, api } = scripted()
  const clients = await Promise.all([agent.client(), agent.client(), agent.client()])
  expect(new Set(clients).size).toBe(1)
  const [peer] = api.peers
  expect([api.peers.length, peer?.program, peer?.args, peer?.options]).toEqual([
    1,
    'codex',
    ['app-server'],
    { env: { CODEX_HOME: '/home/somebody/.codex' } },
  ])
  expect(peer?.received).toEqual([
    {
      id: 1,
      method: 'initialize',
      params: {
        clientInfo: { name: 'convergence', title: 'Loader Smoke', version: expect.any(String) },
        capabilities: { experimentalApi: true, requestAttestation: false },
      },
    },
    { method: 'initialized', params: {} },
  ])
})

test('a CLI that ends before it is ready is told with its exit and its last words, without secrets', async () => {
  const { agent, api } = scripted()
  const spawn = api.process.spawn
  api.process.spawn = async (...args) => {
    const child = await spawn(...args)
    const peer = api.peers.at(-1)
    if (peer) peer.onMessage = () => {}
    peer?.stderr.write('Error: CODEX_HOME points to "/nowhere"\nOPENAI_API_KEY=sk-secret-12345678\n')
    setImmediate(() => peer?.exit(1))
    return child
  }
  const error = await agent.client().catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(CodexError)
  expect(error).toMatchObject({
    stage: 'initialize',
    exitCode: 1,
    signal: null,
    message:
      'the codex app-server did not become ready: it ended with exit code 1 before it had answered\nstderr:\nError: CODEX_HOME points to "/nowhere"\nOPENAI_API_KEY=[redacted]',
  })
  api.process.spawn = spawn
  await agent.client()
  expect(api.peers).toHaveLength(2)
})

test('a CLI that refuses the handshake is stopped, and the next call starts another', async () => {
  const { agent, api } = scripted()
  const refusing = fakeApi({
    onSpawn:
      () =>
      ({ id }, peer) =>
        peer.send({ id, error: { code: -32_600, message: 'too old' } }),
  })
  const spawn = api.process.spawn
  api.process.spawn = refusing.process.spawn
  await expect(agent.client()).rejects.toThrow('the codex app-server did not become ready: initialize failed: too old')
  api.process.spawn = spawn
  await agent.client()
  expect(agent.proc).not.toBeNull()
})

test('a server whose output ends is stopped and given up although it still lives', async () => {
  const { agent, api, events } = scripted()
  await agent.client()
  api.peers[0]?.stdout.push(null)
  await settle()
  expect(events.at(-1)).toMatchObject({ event: 'run_finished', outcome: { message: 'the codex app-server exited' } })
  expect(await api.peers[0]?.process.exited).toEqual({ code: null, signal: 'SIGTERM' })
})

test('a late exit of an earlier server does not touch the runs of the next one', async () => {
  const { agent, api, state, events } = scripted()
  const late = Promise.withResolvers<{ code: number; signal: null }>()
  const spawn = api.process.spawn
  api.process.spawn = async (...args) => ({ ...(await spawn(...args)), exited: late.promise })
  await agent.client()
  await agent.dispose()
  api.process.spawn = spawn
  await agent.client()
  state.run = 'run-2'
  const before = events.length
  late.resolve({ code: 0, signal: null })
  await settle()
  expect([agent.runOf('chat'), events.length]).toEqual(['run-2', before])
  expect(agent.proc).not.toBeNull()
})

test('a connection that its owner closes ends no run by itself', async () => {
  const { agent, events } = scripted()
  await agent.client()
  agent.proc?.connection.close('cut by its owner')
  await settle()
  expect([agent.runOf('chat'), events]).toEqual(['run-1', []])
})

test('a message that cannot be read is told by its method alone, and the rest goes on', async () => {
  const { agent, api, events } = scripted()
  await agent.client()
  api.peers[0]?.send({ method: 'turn/plan/updated', params: { threadId: 'chat', plan: 'secret prose' } })
  api.peers[0]?.send({ method: 'toString', params: { threadId: 'chat' } })
  api.peers[0]?.send({ method: 'thread/name/updated', params: { threadId: 'chat', threadName: 'fine' } })
  await settle()
  expect(events).toEqual([
    {
      sessionId: '',
      event: 'notice',
      level: 'warning',
      message: 'Codex sent a turn/plan/updated that this agent could not read; what it told is missing here.',
    },
    { sessionId: 'chat', runId: 'run-1', event: 'session_info', title: 'fine' },
  ])
})

test('disposing ends the runs and the server, and the agent can be used again', async () => {
  const { agent, api, events } = scripted({ answers: { 'thread/start': () => ({ thread: { id: 'n' } }) } })
  await agent.client()
  await agent.dispose()
  expect(events).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'run_finished', outcome: { status: 'cancelled' } },
  ])
  expect([agent.proc, await api.peers[0]?.process.exited]).toEqual([null, { code: null, signal: 'SIGTERM' }])
  expect(await agent.createSession({ workspace: '/w' })).toEqual({ sessionId: 'n' })
  expect(api.peers).toHaveLength(2)
})

test('background jobs run one after the other, one that fails holds up nothing', async () => {
  const { agent } = scripted()
  const seen: number[] = []
  agent.enqueue(Effect.sync(() => seen.push(1)))
  agent.enqueue(Effect.die(new Error('broken job')))
  agent.enqueue(Effect.promise(async () => void seen.push(2)))
  agent.enqueue(Effect.sync(() => void seen.push(3)))
  await settle(2)
  expect(seen).toEqual([1, 2, 3])
})

test('the agent tells who it is, whether it is signed in, and that its version was not tested', async () => {
  const { agent } = scripted({
    answers: { 'account/read': () => ({ account: null, requiresOpenaiAuth: true }) },
    userAgent: 'convergence/0.155.1 (x)',
  })
  expect(await agent.initialize()).toEqual({
    id: 'codex',
    version: '0.155.1',
    status: { state: 'auth_required', message: 'Sign in with `codex login`' },
    capabilities: { subagents: true, slashCommands: false, steering: true, fork: true, rollback: true, compact: true },
    family: 'codex',
    continuationKey: '/home/somebody/.codex',
    icon: expect.stringMatching(/^<svg/),
    usageLimits: null,
    maintenance: { canUpdate: false, installedVersion: '0.155.1' },
    warnings: [
      'the Codex CLI is version 0.155.1; this agent was tested with 0.171.0, so something may work differently',
    ],
  })
})

test('an update is refused while a run goes on, and otherwise lets the next request start the new version', async () => {
  const { agent, api, state } = scripted({
    onHost: () => ({ path: '/bin/codex', realPath: '/usr/lib/node_modules/@openai/codex/bin/codex.js' }),
  })
  await agent.client()
  await expect(agent.update()).rejects.toThrow('codex is at work: update it when no session has a run')
  state.run = null
  const updating = agent.update()
  await settle()
  const npm = api.peers.find(({ program }) => program === 'npm')
  expect(npm?.args).toEqual(['install', '--global', '@openai/codex@latest', '--prefix', '/usr'])
  npm?.exit(0)
  await updating
  expect([agent.proc, state.loaded]).toEqual([null, false])
})

test('signing in opens the page, or says where it is; a code can be used anywhere', async () => {
  const { agent, api, asked } = scripted({
    answers: {
      'account/login/start': ({ type }) =>
        type === 'chatgpt'
          ? { type, loginId: 'l', authUrl: 'https://auth/x' }
          : type === 'apiKey'
            ? { type }
            : { type, loginId: 'l', verificationUrl: 'https://auth/device', userCode: 'AB-12' },
    },
  })
  const opened: string[] = []
  api.openUrl = async (url) => ({ opened: opened.push(url) > 0 })
  expect(await agent.authenticate({ method: 'chatgpt' })).toEqual({ url: 'https://auth/x' })
  expect(await agent.authenticate({ method: 'api_key', apiKey: 'sk-x' })).toEqual({})
  api.openUrl = async () => ({ opened: false, reason: 'no browser' })
  await expect(agent.authenticate({ method: 'chatgpt' })).rejects.toThrow(
    'open https://auth/x in a browser to sign in (no browser)',
  )
  expect(await agent.authenticate({ method: 'device_code' })).toEqual({ url: 'https://auth/device', code: 'AB-12' })
  await expect(agent.authenticate({ method: 'magic' } as never)).rejects.toThrow(
    'codex has no sign-in method "magic" (expected chatgpt, device_code or api_key)',
  )
  expect(opened).toEqual(['https://auth/x'])
  expect(asked('account/login/start')).toEqual([
    { type: 'chatgpt' },
    { type: 'apiKey', apiKey: 'sk-x' },
    { type: 'chatgpt' },
    { type: 'chatgptDeviceCode' },
  ])
})

test('the end of a sign-in is told', () => {
  const { notify, events } = scripted()
  notify('account/login/completed', { loginId: 'l', success: true, error: null })
  notify('account/login/completed', { loginId: 'l', success: false, error: 'timed out' })
  expect(events).toEqual([
    { sessionId: '', event: 'notice', level: 'info', message: 'Signed in to Codex.' },
    { sessionId: '', event: 'notice', level: 'error', message: 'Signing in to Codex did not finish: timed out' },
  ])
})

test.for([
  [null, { HOME: '/home/me' }, '/home/me/.codex'],
  [null, { USERPROFILE: '/users/me' }, '/users/me/.codex'],
  ['/srv/codex', {}, '/srv/codex'],
] as const)('the home %s in %j is %s', ([home, env, folder]) => {
  expect(codexHome(home, env)).toBe(folder)
})

test('without any home the account is refused, with what to set', () => {
  expect(() => new CodexAgent({ host: fakeApi({ onSpawn: () => () => {} }), env: {} })).toThrow(
    'the folder of the Codex account is unknown: neither HOME nor USERPROFILE is set (expected one of them, or an account with its own home)',
  )
})

test('a config makes an agent by its settings, and a wrong one is named', async () => {
  const { api } = scripted()
  const events: unknown[] = []
  const agent = createAgent({ home: '/srv/codex' })(api, (event) => events.push(event))
  expect([agent.id, agent.name, api.peers.length]).toEqual(['codex', 'Codex', 0])
  expect((await agent.initialize()).continuationKey).toBe('/srv/codex')
  expect(api.hostCalls).toEqual([])
  await expect(agent.prompt({ sessionId: 'none', input: textInput('x') })).rejects.toThrow(
    'codex has no open session none',
  )
  expect(await agent.list_commands({ workspace: '/' })).toEqual({ commands: [] })
  expect(() => createAgent({ home: 'here' })).toThrow(
    new TypeError('codex-agent: home must be an absolute path, got "here".'),
  )
  expect(() => createAgent({ house: '/x' } as never)).toThrow(
    new TypeError("codex-agent: there is no setting 'house'. Settings: home, checkUpdates."),
  )
})
