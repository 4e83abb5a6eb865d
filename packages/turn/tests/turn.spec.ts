/** A turn through a real context, session store and agent registry. */
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ReportLine, REPORT_ENV } from '../src/report.ts'
import { runFixtureTurn } from '../src/turn.ts'
import { TurnError } from '../src/turn-error.ts'
import { addAgent, answering, app, endingWith, say } from './scripted-agent.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the envelope', () => {
  it('holds the session, the answer and the tokens, and the session is flushed before it is returned', async () => {
    await using ctx = await app()
    addAgent(ctx, 'main', answering('hello'))
    const flushed: string[] = []
    ctx.on('session/flush', async (session) => void flushed.push(session.id))
    expect(await runFixtureTurn(ctx, { task: 'greet' })).toEqual({
      type: 'result',
      sessionId: 'main',
      output: 'hello',
      usage: { inputTokens: 10, outputTokens: 2 },
    })
    expect(flushed).toEqual(['main'])
  })

  it('drives a further turn of the same session on a further call', async () => {
    await using ctx = await app()
    addAgent(ctx, 'main', (session, turn) => answering(`answer ${turn}`)(session, turn))
    expect((await runFixtureTurn(ctx, { task: 'one' })).output).toBe('answer 1')
    expect(await runFixtureTurn(ctx, { task: 'two' })).toEqual({
      type: 'result',
      sessionId: 'main',
      output: 'answer 2',
      usage: { inputTokens: 10, outputTokens: 2 },
    })
  })

  it('sends the task as one frozen text message from the user', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', answering('done'))
    const followup = vi.spyOn(agent, 'followup')
    await runFixtureTurn(ctx, { task: 'do it' })
    const [message] = followup.mock.calls[0]!
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      role: 'user',
      content: [{ type: 'text', text: 'do it' }],
      source: { kind: 'user' },
    })
    expect(Object.isFrozen(message)).toBe(true)
  })
})

describe('the stretch that is observed', () => {
  it('begins where the task enters the inbox, and leaves out other sessions and what was there before', async () => {
    await using ctx = await app()
    const other = addAgent(ctx, 'helper', answering('not mine'))
    ctx.agents.roots = () => [agent]
    const agent = addAgent(ctx, 'main', async (session, turn) => {
      other.followup({ id: 'x', role: 'user', content: [], source: { kind: 'user' } } as never)
      await other.whenIdle()
      answering('mine')(session, turn)
    })
    agent.followup({ id: 'earlier', role: 'user', content: [], source: { kind: 'user' } } as never)
    const seen: string[] = []
    const result = await runFixtureTurn(ctx, {
      task: 'mine',
      onEvent: (sessionId, event) => seen.push(`${sessionId} ${event.type} ${event.data.turn ?? ''}`.trim()),
    })
    expect(result.output).toBe('mine')
    expect(seen).toEqual([
      'main agent/inbox/spliced',
      'main agent/inbox/spliced',
      'main turn/start 2',
      'main step/start 2',
      'main assistant/message 2',
      'main step/end 2',
      'main turn/end 2',
    ])
  })

  it('is left when the turn is over: nothing is seen after it, whether it ended well or badly', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', answering('done'))
    const onEvent = vi.fn<() => void>()
    await runFixtureTurn(ctx, { task: 'one', onEvent })
    const seen = onEvent.mock.calls.length
    say(agent.session, 9, 9, [{ type: 'text', text: 'later' }])
    expect(onEvent).toHaveBeenCalledTimes(seen)

    await using failing = await app()
    const sick = addAgent(failing, 'main', () => Promise.reject(new Error('the agent broke')))
    const watching = vi.fn<() => void>()
    await expect(runFixtureTurn(failing, { task: 'one', onEvent: watching })).rejects.toThrow('the agent broke')
    watching.mockClear()
    say(sick.session, 9, 9, [{ type: 'text', text: 'later' }])
    expect(watching).not.toHaveBeenCalled()
  })
})

describe('a turn that did not complete', () => {
  it.each([
    [
      { kind: 'error', error: { code: 'AUTH', status: 401, message: 'bad key' } },
      'root agent failed: AUTH (HTTP 401): bad key',
    ],
    [
      { kind: 'error', error: { code: 'TRANSPORT', message: 'socket hang up' } },
      'root agent failed: TRANSPORT: socket hang up',
    ],
    [{ kind: 'aborted', reason: { kind: 'user' } }, 'root agent failed: the turn was aborted (user)'],
    [
      { kind: 'aborted', reason: { kind: 'hook', reason: 'policy' } },
      'root agent failed: the turn was aborted (hook: policy)',
    ],
    [{ kind: 'blocked' }, 'root agent failed: the turn was blocked before the model was asked'],
    [{ kind: 'max-tokens' }, 'root agent failed: the answer was cut off at the output-token limit (max-tokens)'],
    [
      { kind: 'interrupted' },
      'root agent failed: the turn was interrupted: the process that drove it ended before the turn did',
    ],
    [{ kind: 'melted' }, 'root agent failed: the turn ended as "melted" (expected "completed")'],
  ])('rejects for %j, and nothing is flushed', async (reason, message) => {
    await using ctx = await app()
    addAgent(ctx, 'main', endingWith(reason as never))
    const flushed = vi.fn<() => void>()
    ctx.on('session/flush', flushed)
    const error = await runFixtureTurn(ctx, { task: 'go' }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TurnError)
    expect(error).toMatchObject({ kind: reason.kind, message, reason: message.slice('root agent failed: '.length) })
    expect(flushed).not.toHaveBeenCalled()
  })

  it('rejects when the agent goes idle inside a turn', async () => {
    await using ctx = await app()
    addAgent(ctx, 'main', (session, turn) => void session.append('turn/start', { turn }))
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow(
      'root agent failed: the agent went idle inside a turn: turn/end is missing',
    )
  })

  it('rejects when the task is taken out of the inbox before a turn began', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', () => {})
    agent.followup = (message) => {
      agent.inbox.append('next-turn', message)
      agent.inbox.clear()
    }
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow(
      'root agent failed: the task was taken out of the inbox before a turn began',
    )
  })

  it('rejects when the task stays in the inbox of an idle agent', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', () => {})
    agent.followup = (message) => agent.inbox.append('next-turn', message)
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow(
      'root agent failed: the agent is idle and the task is still in its inbox: no turn took it',
    )
  })

  it('rejects when the task never reaches the inbox', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', () => {})
    agent.followup = () => {}
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow(
      'root agent failed: the task never reached the inbox of session main: the agent is idle and no `agent/inbox/spliced` event carried it',
    )
  })

  it('rejects with what onEvent threw, though the event bus contains it', async () => {
    await using ctx = await app()
    addAgent(ctx, 'main', answering('fine'))
    const error = new Error('the observer saw something wrong')
    const onEvent = () => {
      throw error
    }
    await expect(runFixtureTurn(ctx, { task: 'go', onEvent })).rejects.toBe(error)
  })

  it('rejects with the error of the session store when the session can not be flushed', async () => {
    await using ctx = await app()
    addAgent(ctx, 'main', answering('fine'))
    ctx.sessions.flush = () => Promise.reject(new Error('disk full'))
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow('disk full')
  })

  it.each([
    [{ task: '' }, 'runFixtureTurn: task must be a text that is not empty, got "".'],
    [
      { task: 'x', publishTimeoutMs: -1 },
      'runFixtureTurn: publishTimeoutMs must be a whole number of milliseconds from 0 to 2147483647, got -1.',
    ],
    [
      { task: 'x', publishTimeoutMs: Number.NaN },
      'runFixtureTurn: publishTimeoutMs must be a whole number of milliseconds from 0 to 2147483647, got NaN.',
    ],
  ])('rejects the options %j before the agent is asked', async (options, message) => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', answering('fine'))
    const followup = vi.spyOn(agent, 'followup')
    await expect(runFixtureTurn(ctx, options)).rejects.toThrow(new TurnError('options', message, message))
    expect(followup).not.toHaveBeenCalled()
  })
})

describe('the report file', () => {
  it('holds the start and the envelope of each turn with its tools, and never the task', async () => {
    await using folder = await tempWorkspace()
    vi.stubEnv(REPORT_ENV, folder.file('report.jsonl'))
    await using ctx = await app()
    addAgent(ctx, 'main', (session, turn) => {
      session.append('turn/start', { turn })
      session.append('tool/call', { turn, step: 1, callId: 'c1', name: 'bash', arguments: '{}' } as never)
      say(session, turn, 1, [{ type: 'text', text: 'ran it' }])
      session.append('turn/end', { turn, reason: { kind: 'completed' } })
    })
    const envelope = await runFixtureTurn(ctx, { task: 'a secret task' })
    const text = await folder.read('report.jsonl')
    const turn = expect.any(Number)
    const atMs = expect.any(Number)
    expect(lines(text)).toEqual([
      { v: 1, type: 'turn-start', turn, sessionId: 'main', atMs },
      {
        v: 1,
        type: 'turn-end',
        turn,
        envelope,
        tools: [{ name: 'bash', callId: 'c1', atMs }],
        steps: [{ step: 1, startedAtMs: atMs, endedAtMs: atMs }],
        atMs,
      },
    ])
    expect(text).not.toContain('secret task')
  })

  it('holds the failure, also when the caller swallows the rejection', async () => {
    await using folder = await tempWorkspace()
    vi.stubEnv(REPORT_ENV, folder.file('report.jsonl'))
    await using ctx = await app()
    addAgent(ctx, 'main', endingWith({ kind: 'error', error: { code: 'AUTH', status: 401, message: 'bad key' } }))
    await runFixtureTurn(ctx, { task: 'go' }).catch(() => {})
    const turn = expect.any(Number)
    const atMs = expect.any(Number)
    expect(lines(await folder.read('report.jsonl'))).toEqual([
      { v: 1, type: 'turn-start', turn, sessionId: 'main', atMs },
      {
        v: 1,
        type: 'turn-failed',
        turn,
        sessionId: 'main',
        reason: 'AUTH (HTTP 401): bad key',
        kind: 'error',
        message: 'root agent failed: AUTH (HTTP 401): bad key',
        atMs,
      },
    ])
  })

  it('names the stage of an error that came from elsewhere', async () => {
    await using folder = await tempWorkspace()
    vi.stubEnv(REPORT_ENV, folder.file('report.jsonl'))
    await failWith((ctx) => void (ctx.sessions.flush = () => Promise.reject(new Error('disk full'))))
    await failWith((ctx) => void (ctx.agents.roots()[0]!.whenIdle = () => Promise.reject(new Error('it broke'))))
    await failWith((ctx) =>
      Object.assign(ctx.agents, { sendInput: () => Promise.reject(new Error('custody unavailable')) }),
    )
    await failWith(() => {}, {
      onEvent: () => {
        throw new Error('saw it')
      },
    })
    await failWith((ctx) => void (ctx.agents.roots = () => []), { publishTimeoutMs: 1 })
    const reported = lines(await folder.read('report.jsonl')).map((line) => [
      line.type,
      'sessionId' in line && line.sessionId,
      'kind' in line && line.kind,
    ])
    expect(reported).toEqual([
      ['turn-start', 'main', false],
      ['turn-failed', 'main', 'flush'],
      ['turn-start', 'main', false],
      ['turn-failed', 'main', 'agent'],
      ['turn-start', 'main', false],
      ['turn-failed', 'main', 'receipt'],
      ['turn-start', 'main', false],
      ['turn-failed', 'main', 'observer'],
      ['turn-start', null, false],
      ['turn-failed', null, 'no-root'],
    ])
  })

  it('is not written without the variable', async () => {
    await using folder = await tempWorkspace()
    vi.stubEnv(REPORT_ENV, '')
    await using ctx = await app()
    addAgent(ctx, 'main', answering('fine'))
    await runFixtureTurn(ctx, { task: 'go' })
    await expect(folder.read('report.jsonl')).rejects.toThrow('ENOENT')
  })

  it('rejects the turn when it can not be written', async () => {
    await using folder = await tempWorkspace()
    const file = folder.file('no', 'such', 'folder')
    vi.stubEnv(REPORT_ENV, file)
    await using ctx = await app()
    addAgent(ctx, 'main', answering('fine'))
    await expect(runFixtureTurn(ctx, { task: 'go' })).rejects.toThrow(
      `LOADER_SMOKE_REPORT names "${file}", which can't be written. Next: unset it, or name a file in an existing folder.`,
    )
  })
})

async function failWith(change: (ctx: Awaited<ReturnType<typeof app>>) => void, options = {}): Promise<void> {
  await using ctx = await app()
  addAgent(ctx, 'main', answering('fine'))
  change(ctx)
  await expect(runFixtureTurn(ctx, { task: 'go', ...options })).rejects.toBeInstanceOf(Error)
}

function lines(text: string): ReportLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
