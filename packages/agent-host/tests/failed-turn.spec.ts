import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ApprovalService } from '@deepseek-ai/dsh-user-approval'
import { runFixtureTurn } from '@loader-smoke/turn'
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import type { Approval, EventBody } from '@loader-smoke/agent-sdk'
import { realApp, rootOf, withoutChunks } from './real-app.ts'
import { completed, type RunScript, scriptedAgent, text } from './scripted-agent.ts'

const approval: Approval = {
  id: 'a1',
  title: 'Run a command',
  toolCall: { id: 't1', kind: 'execute', status: 'pending', title: 'rm -r secret-folder' },
  options: [
    { id: 'accept', name: 'Allow', kind: 'allow_once' },
    { id: 'always', name: 'Always', kind: 'allow_always' },
    { id: 'decline', name: 'Decline', kind: 'reject_once' },
    { id: 'cancel', name: 'Cancel', kind: 'reject_always' },
  ],
}

const failed = (message: string): EventBody => ({ event: 'run_finished', outcome: { status: 'failed', message } })

/** A run that asks for permission, and completes once it has it. */
const asksOnce: RunScript = async ({ emit, answerTo, cancelled }) => {
  emit({ event: 'tool_call_started', id: 't1', kind: 'execute', status: 'pending' })
  emit({ event: 'approval', ...approval })
  const answer = await answerTo('a1')
  if (answer !== 'accept') await cancelled
  emit(text('m', `answered ${answer}`))
  emit(answer === 'accept' ? completed : { event: 'run_finished', outcome: { status: 'cancelled' } })
}

/** The message that the turn rejects with. */
async function failureOf(turn: Promise<unknown>): Promise<string> {
  return turn.then(
    () => 'it did not fail',
    (error: unknown) => (error as Error).message,
  )
}

describe('a turn fails', () => {
  it('with the message of the failed run, and what was said until then is in the log', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit({ event: 'tool_call_started', id: 't', kind: 'execute', status: 'running' })
        emit(text('m', 'I was sa'))
        emit(failed('the codex app-server exited'))
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const message = await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))
    expect(message).toBe('root agent failed: RUN_FAILED: the codex app-server exited')
    expect(withoutChunks(app.events).slice(5)).toEqual([
      'assistant/message tool-call',
      'tool/call execute',
      'assistant/message I was sa',
      'tool/result TOOL_UNFINISHED',
      'step/end',
      'turn/end error',
    ])
    expect(app.events.findLast(({ type }) => type === 'assistant/message')?.data).toMatchObject({ interrupted: true })
  })

  it('when the agent does not accept the prompt, and the next turn works', async () => {
    let refuse = true
    const scripted = scriptedAgent([({ emit }) => emit(completed)])
    await using app = await realApp({
      agent: (host, emit) => {
        const agent = scripted.factory(host, emit)
        return {
          ...agent,
          prompt: async (params) => {
            if (refuse) throw new Error('turn/start failed: model not found')
            return agent.prompt(params)
          },
        }
      },
    })
    const message = await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))
    expect(message).toBe('root agent failed: RUN_FAILED: turn/start failed: model not found')
    refuse = false
    expect(await runFixtureTurn(app.ctx, { task: 'Go on' })).toMatchObject({ type: 'result' })
  })

  it('when the run finished before the prompt was answered', async () => {
    const scripted = scriptedAgent([])
    await using app = await realApp({
      agent: (host, emit) => ({
        ...scripted.factory(host, emit),
        prompt: async ({ sessionId }) => {
          emit({ sessionId, runId: 'r', ...failed('refused at once') })
          return { runId: 'r' }
        },
      }),
    })
    expect(await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))).toBe(
      'root agent failed: RUN_FAILED: refused at once',
    )
  })

  it('when the agent asks for permission and the policy is deny, which is the default', async () => {
    const scripted = scriptedAgent([
      async ({ emit, answerTo, cancelled }) => {
        emit({ event: 'approval', ...approval })
        expect(await answerTo('a1')).toBe('decline')
        await cancelled
        emit({ event: 'run_finished', outcome: { status: 'cancelled' } })
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const message = await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))
    expect(message).toBe(
      'root agent failed: APPROVAL_DENIED: the agent asked for permission (Run a command for execute call t1) and was refused, because ' +
        "approvals is 'deny'. Next: set `approvals: allow` of agent-host in the config, or give the agent a permission mode in which it " +
        "doesn't have to ask; the call itself is in the session's log.",
    )
  })

  it('when the agent asks a question, which nobody can answer', async () => {
    const scripted = scriptedAgent([
      async ({ emit, answerTo, cancelled }) => {
        emit({ event: 'question', id: 'q1', responseMode: 'tool', fields: [] })
        expect(await answerTo('q1')).toBe('cancelled')
        await cancelled
        emit({ event: 'run_finished', outcome: { status: 'cancelled' } })
      },
    ])
    await using app = await realApp({ agent: scripted.factory, approvals: 'allow' })
    expect(await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))).toBe(
      'root agent failed: QUESTION_UNANSWERED: the agent asked the user a question, and in this app nobody answers. Next: give it a task that it can do without.',
    )
  })

  it('when the app cancels it, with the cause', async () => {
    const scripted = scriptedAgent([
      async ({ emit, cancelled }) => {
        await cancelled
        emit({ event: 'run_finished', outcome: { status: 'cancelled' } })
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const turn = failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))
    await waitFor('the run', () => scripted.prompts.length === 1)
    rootOf(app).cancel({ kind: 'user' })
    expect(await turn).toBe('root agent failed: the turn was aborted (user)')
    expect(scripted.cancels).toEqual(['native-1'])
  })

  it('when the agent itself reports it as cancelled', async () => {
    const scripted = scriptedAgent([({ emit }) => emit({ event: 'run_finished', outcome: { status: 'cancelled' } })])
    await using app = await realApp({ agent: scripted.factory })
    expect(await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))).toBe(
      'root agent failed: RUN_CANCELLED: the agent reported its run as cancelled, and nothing in this app had cancelled it',
    )
  })

  it('when a message holds what the agent can not be given', async () => {
    const scripted = scriptedAgent([])
    await using app = await realApp({ agent: scripted.factory })
    const root = rootOf(app)
    const image = { type: 'reasoning', text: 'x' } as const
    root.followup(createUserMessage({ content: [image], source: { kind: 'user' } }))
    await root.whenIdle()
    expect(app.events.at(-1)?.data).toEqual({
      turn: 1,
      reason: {
        kind: 'error',
        error: {
          code: 'UNSUPPORTED_INPUT',
          message:
            "a message holds a block of type 'reasoning'; an agent-sdk agent takes text. Next: send the content as text, or name a file.",
        },
      },
    })
    expect(scripted.prompts).toEqual([])
  })
})

describe('an approval', () => {
  it('is granted once when the policy is allow', async () => {
    const scripted = scriptedAgent([
      async ({ emit, answerTo }) => {
        emit({ event: 'approval', ...approval })
        emit(text('m', `answered ${await answerTo('a1')}`))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory, approvals: 'allow' })
    expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toBe('answered accept')
  })

  it.each([
    ['allowed-once', 'it was answered accept'],
    [
      'rejected',
      'root agent failed: APPROVAL_DENIED: the agent asked for permission (Run a command for execute call t1) and was refused, because ' +
        "nobody granted it. Next: set `approvals: allow` of agent-host in the config, or give the agent a permission mode in which it doesn't " +
        "have to ask; the call itself is in the session's log.",
    ],
  ] as const)('is a question to a person when the policy is ask: %s', async (outcome, said) => {
    const asked: unknown[] = []
    await using app = await realApp({ agent: scriptedAgent([asksOnce]).factory, approvals: 'ask' }, async (ctx) => {
      await ctx.plugin(SystemPrompt)
      await ctx.plugin(ApprovalService, { policy: 'ask' })
      ctx.on('approval/request', async ({ toolName, callId, reason }) => {
        asked.push({ toolName, callId, reason })
        return outcome
      })
    })
    const turn = runFixtureTurn(app.ctx, { task: 'Go' }).then(({ output }) => `it was ${output}`)
    expect(await turn.catch((error: unknown) => (error as Error).message)).toBe(said)
    expect(asked).toEqual([{ toolName: 'execute', callId: 't1', reason: 'Run a command' }])
    expect(withoutChunks(app.events)).toContain('approval/decided')
  })

  it('is refused when the policy is ask and the app has nobody to ask', async () => {
    await using app = await realApp({ agent: scriptedAgent([asksOnce]).factory, approvals: 'ask' })
    expect(await failureOf(runFixtureTurn(app.ctx, { task: 'Go' }))).toContain('because nobody granted it')
  })
})
