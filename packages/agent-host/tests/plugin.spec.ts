import { once } from 'node:events'
import { runFixtureTurn } from '@loader-smoke/turn'
import { waitFor } from '@loader-smoke/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as agentHost from '../src/index.ts'
import { realApp, rootOf, withoutChunks } from './real-app.ts'
import { completed, scriptedAgent, type ScriptedRun, text } from './scripted-agent.ts'

/** A package that is installed beside the config, here: this repository's own folder of tests. */
const agentModule = new URL('fixtures/agent-module.ts', import.meta.url).pathname

async function refusal(config: unknown): Promise<string> {
  return realApp(config as agentHost.Config).then(
    () => 'it was not refused',
    (error: unknown) => (error as Error).message,
  )
}

afterEach(() => vi.unstubAllEnvs())

describe('the config', () => {
  const agent = scriptedAgent([]).factory
  it.each([
    [
      undefined,
      'agent-host: agent is missing; it must be a package name, a path relative to the config file, or a factory.',
    ],
    [[], 'agent-host: the config must be an object, got a list.'],
    [
      { agent: '' },
      "agent-host: agent must be a package name, a path relative to the config file, or a factory, got ''.",
    ],
    [
      { agent, aproval: 'allow' },
      "agent-host: there is no option 'aproval'. Options: agent, settings, id, workspace, options, instructions, tools, approvals, env, programFolders, graceMs.",
    ],
    [{ agent, approvals: 'always' }, "agent-host: approvals must be 'deny', 'allow', 'ask', got 'always'."],
    [{ agent, workspace: 'here' }, "agent-host: workspace must be the absolute path of a folder, got 'here'."],
    [{ agent, options: { model: 5 } }, 'agent-host: options must be an object of texts, got a value of type object.'],
    [{ agent, graceMs: -1 }, 'agent-host: graceMs must be a whole number from 0 to 2147483647, got -1.'],
    [
      { agent, env: 'A_KEY=of more than twenty characters' },
      'agent-host: env must be an object of texts, with null for a name to remove, got a text of 36 characters.',
    ],
  ])('%o is refused', async (config, message) => {
    expect(await refusal(config)).toBe(message)
  })

  it('is refused in a smoke when it asks a person', async () => {
    vi.stubEnv('LOADER_SMOKE_REPORT', '/tmp/report')
    expect(await refusal({ agent, approvals: 'ask' })).toBe(
      "agent-host: approvals is 'ask', but in a smoke nobody can be asked. Next: patch the config that the smoke boots with `approvals: allow`, or with `deny` when the agent must not ask.",
    )
  })

  it('goes to the session of the agent', async () => {
    const scripted = scriptedAgent([])
    const options = { permission_mode: 'full', model: 'm-1' }
    await using app = await realApp({
      agent: scripted.factory,
      id: 'main',
      workspace: '/tmp',
      options,
      instructions: 'Be brief.',
    })
    expect(scripted.created).toEqual([{ workspace: '/tmp', options, tools: [], instructions: 'Be brief.' }])
    expect(scripted.set).toEqual([
      ['model', 'm-1'],
      ['permission_mode', 'full'],
    ])
    const root = rootOf(app)
    expect(root.id).toMatch(/^main-session-[0-9a-f-]{36}$/)
    expect(root.session.header.cwd).toBe('/tmp')
    expect(root.options).toEqual({ provider: 'scripted', model: 'm-1' })
  })
})

it('an option that the agent does not have is named', async () => {
  expect(await refusal({ agent: scriptedAgent([]).factory, options: { modle: 'm-1' } })).toBe(
    "agent-host: agent 'scripted' has no option 'modle'. Options: model, permission_mode.",
  )
})

describe('the agent', () => {
  it('is made by the module that the config names', async () => {
    await using app = await realApp({ agent: agentModule, settings: { says: 'from a module' } })
    expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toBe('from a module')
  })

  it('that is not installed is named', async () => {
    const message = await refusal({ agent: '@loader-smoke/no-such-agent' })
    expect(message).toMatch(/^agent-host: agent '@loader-smoke\/no-such-agent' was not loaded, looked for from file:/)
    expect(message).toMatch(/Next: install it in the package that owns the config\.$/)
  })

  it('whose module makes none is named', async () => {
    expect(await refusal({ agent: new URL('real-app.ts', import.meta.url).pathname })).toMatch(
      /^agent-host: agent '.*real-app\.ts' has no export createAgent\. Next: name a module that exports createAgent\(settings\), which returns an AgentFactory of @loader-smoke\/agent-sdk\.$/,
    )
  })

  it('that is not signed in stops the boot, and is disposed', async () => {
    const scripted = scriptedAgent([], {
      info: { status: { state: 'auth_required', message: 'Sign in with `codex login`' } },
    })
    expect(await refusal({ agent: scripted.factory })).toBe(
      "agent-host: agent 'scripted' is not signed in. Next: Sign in with `codex login`.",
    )
    expect(scripted.disposed).toBe(true)
  })

  it('that warns is heard on the channel for warnings, and works', async () => {
    const warned = once(process, 'warning')
    const scripted = scriptedAgent([], { info: { warnings: ['codex 0.99.0 is outside 0.171'] } })
    await using app = await realApp({ agent: scripted.factory })
    const [warning] = await warned
    expect([warning.name, warning.message]).toEqual(['AgentWarning', 'codex 0.99.0 is outside 0.171'])
    expect(app.ctx.agents.roots()).toHaveLength(1)
  })

  it('is heard by the logger when it notices something', async () => {
    const scripted = scriptedAgent([])
    await using app = await realApp({ agent: scripted.factory })
    scripted.emit({ sessionId: '', event: 'notice', level: 'warning', message: 'bad key' })
    expect(app.logged).toEqual(['bad key'])
  })
})

describe('unloading', () => {
  it('takes the agent and its session away and waits for its program to be gone', async () => {
    const gone = Promise.withResolvers<void>()
    const scripted = scriptedAgent([], { dispose: () => gone.promise })
    await using app = await realApp({ agent: scripted.factory })
    const order: string[] = []
    app.ctx.on('agent/disposed', () => void order.push('agent'))
    app.ctx.on('session/disposed', () => void order.push('session'))
    const unloaded = app.unload().then(() => order.push('unloaded'))
    await waitFor('the session to go', () => order.length === 2)
    gone.resolve()
    await unloaded
    expect(order).toEqual(['agent', 'session', 'unloaded'])
  })

  it('ends the open turn first, so that its end is in the log', async () => {
    const scripted = scriptedAgent([
      async ({ emit, cancelled }) => {
        emit(text('m', 'I was'))
        await cancelled
        emit({ event: 'run_finished', outcome: { status: 'cancelled' } })
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const turn = runFixtureTurn(app.ctx, { task: 'Go' }).catch((error: unknown) => (error as Error).message)
    await waitFor('the run', () => scripted.prompts.length === 1)
    await app.unload()
    expect(await turn).toBe('root agent failed: the turn was aborted (disposed)')
    expect(withoutChunks(app.events).slice(-3)).toEqual(['assistant/message I was', 'step/end', 'turn/end aborted'])
    expect(scripted.disposed).toBe(true)
  })

  it('ends the program under a run that does not end when it is cancelled', async () => {
    const started = Promise.withResolvers<ScriptedRun>()
    const scripted = scriptedAgent([started.resolve], {
      dispose: async () =>
        (await started.promise).emit({ event: 'run_finished', outcome: { status: 'failed', message: 'it exited' } }),
    })
    await using app = await realApp({ agent: scripted.factory })
    const turn = runFixtureTurn(app.ctx, { task: 'Go' }).catch((error: unknown) => (error as Error).message)
    await waitFor('the run', () => scripted.prompts.length === 1)
    await app.unload()
    expect(await turn).toBe('root agent failed: the turn was aborted (disposed)')
  })

  it('ends the turn of an agent that tells nothing of its end, and of one that never answers', async () => {
    for (const patch of [{}, { prompt: () => new Promise<never>(() => {}) }]) {
      const silent = scriptedAgent([() => {}], patch)
      await using app = await realApp({ agent: silent.factory })
      const turn = runFixtureTurn(app.ctx, { task: 'Go' }).catch((error: unknown) => (error as Error).message)
      await waitFor('the turn', () => withoutChunks(app.events).includes('user/message'))
      await app.unload()
      expect(await turn).toBe('root agent failed: the turn was aborted (disposed)')
      expect(silent.disposed).toBe(true)
    }
  })

  it('can be followed by loading it again', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit(text('m', 'again'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    await app.unload()
    expect(app.ctx.agents.list()).toEqual([])
    expect(app.ctx.sessions.list()).toEqual([])
    await app.ctx.plugin(agentHost, { agent: scripted.factory })
    expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toBe('again')
  })
})
