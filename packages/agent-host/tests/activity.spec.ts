/** What DeepSeek Harness promises of an agent's inbox, cancellation and maintenance, kept by a hosted agent. */
import type { AgentStatus } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import { waitFor } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { realApp, rootOf, withoutChunks } from './real-app.ts'
import { completed, type RunScript, scriptedAgent, SESSION, text } from './scripted-agent.ts'

const user = (words: string) =>
  createUserMessage({ content: [{ type: 'text', text: words }], source: { kind: 'user' } })

/** A run that ends when it is cancelled, and says `words` otherwise only when `go` is called. */
function held(words: string): { readonly script: RunScript; go(): void } {
  const gate = Promise.withResolvers<'go'>()
  return {
    go: () => gate.resolve('go'),
    async script({ emit, cancelled }) {
      if ((await Promise.race([gate.promise, cancelled])) !== 'go')
        return emit({ event: 'run_finished', outcome: { status: 'cancelled' } })
      emit(text(words, words))
      emit(completed)
    },
  }
}

const says =
  (words: string): RunScript =>
  ({ emit }) => {
    emit(text(words, words))
    emit(completed)
  }

const turnEnds = (lines: readonly string[]) => lines.filter((line) => line.startsWith('turn/end'))

it('plays a message that comes during a turn as a turn of its own afterwards', async () => {
  const first = held('one')
  const scripted = scriptedAgent([first.script, says('two')])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  const statuses: AgentStatus[] = []
  app.ctx.on('agent/status', ({ status }) => void statuses.push(status))
  root.followup(user('first'))
  root.followup(user('second'))
  expect(root.status).toBe('running')
  first.go()
  await root.whenIdle()
  expect(scripted.prompts.map(({ blocks }) => blocks)).toMatchObject([[{ text: 'first' }], [{ text: 'second' }]])
  expect(turnEnds(withoutChunks(app.events))).toEqual(['turn/end completed', 'turn/end completed'])
  expect(statuses).toEqual(['running', 'idle'])
})

it('takes waiting messages out of the inbox when it is cancelled, or keeps them when told so', async () => {
  const scripted = scriptedAgent([held('one').script, held('two').script, says('three'), says('four')])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  root.followup(user('first'))
  root.followup(user('dropped'))
  await waitFor('the first run', () => scripted.prompts.length === 1)
  root.cancel({ kind: 'user' })
  await root.whenIdle()
  expect(root.inbox.hasPending).toBe(false)
  root.followup(user('second'))
  root.followup(user('kept'))
  await waitFor('the second run', () => scripted.prompts.length === 2)
  root.cancel({ kind: 'user' }, { keepInbox: true })
  await root.whenIdle()
  expect(root.inbox.nextTurn).toHaveLength(1)
  root.followup(user('wakes'))
  await root.whenIdle()
  expect(scripted.prompts[2]).toMatchObject({ blocks: [{ text: 'kept' }] })
})

it('plays a message that comes behind a cancellation once the turn has ended', async () => {
  const scripted = scriptedAgent([held('one').script, says('two')])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  root.followup(user('first'))
  await waitFor('the run', () => scripted.prompts.length === 1)
  root.cancel({ kind: 'user' })
  root.steer(user('second'))
  await root.whenIdle()
  expect(turnEnds(withoutChunks(app.events))).toEqual(['turn/end aborted', 'turn/end completed'])
})

it('gives what the agent did not take of a steering a turn of its own', async () => {
  const first = held('one')
  const scripted = scriptedAgent([first.script, says('two')])
  let steered = false
  await using app = await realApp({
    agent: (host, emit) => {
      const agent = scripted.factory(host, emit)
      return {
        ...agent,
        async prompt(params) {
          const { delivery } = params.input
          if (delivery === undefined) return agent.prompt(params)
          steered = true
          const { inputId, attemptId } = delivery
          emit({ sessionId: params.sessionId, event: 'input_rejected', inputId, attemptId })
          throw new Error('the turn ended before steering')
        },
      }
    },
  })
  const root = rootOf(app)
  root.followup(user('first'))
  await waitFor('the run', () => scripted.prompts.length === 1)
  root.steer(user('left'))
  await waitFor('the steering', () => steered && root.inbox.nextTurn.length === 1)
  first.go()
  await root.whenIdle()
  expect(scripted.prompts.map(({ blocks }) => blocks)).toMatchObject([[{ text: 'first' }], [{ text: 'left' }]])
})

it('does maintenance only when idle, and turns only after it', async () => {
  const scripted = scriptedAgent([says('one')])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  const gate = Promise.withResolvers<string>()
  const maintenance = root.runMaintenance(() => gate.promise)
  expect(() => root.runMaintenance(async () => {})).toThrow(new Error('the agent already has active work'))
  root.followup(user('later'))
  expect([root.status, scripted.prompts]).toEqual(['idle', []])
  gate.resolve('kept clean')
  expect(await maintenance).toBe('kept clean')
  await root.whenIdle()
  expect(turnEnds(withoutChunks(app.events))).toEqual(['turn/end completed'])
})

it('ends a turn as blocked when a plugin rejects its step, without asking the agent', async () => {
  const scripted = scriptedAgent([])
  await using app = await realApp({ agent: scripted.factory })
  app.ctx.on('agent/pre-step', async () => ({ kind: 'reject' }))
  const root = rootOf(app)
  root.followup(user('no'))
  await root.whenIdle()
  expect([turnEnds(withoutChunks(app.events)), scripted.prompts]).toEqual([['turn/end blocked'], []])
})

it('goes on in the same turn when a plugin steers as it is about to end', async () => {
  const scripted = scriptedAgent([says('one'), says('two')])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  let once = true
  app.ctx.on('agent/turn-stopping', async ({ agent }) => {
    if (once) agent.inject(user('and then?'))
    once = false
  })
  root.followup(user('go'))
  await root.whenIdle()
  expect(turnEnds(withoutChunks(app.events))).toEqual(['turn/end completed'])
  expect(scripted.prompts).toMatchObject([{ blocks: [{ text: 'go' }] }, { blocks: [{ text: 'and then?' }] }])
})

it('takes up a run that the agent began by itself while a turn was failing', async () => {
  const own = { sessionId: SESSION, runId: 'own-1' }
  const scripted = scriptedAgent([
    ({ emit }) => {
      emit({ event: 'run_finished', outcome: { status: 'failed', message: 'it broke' } })
      scripted.emit({ ...own, event: 'run_started' })
      scripted.emit({ ...own, ...text('m', 'By myself.') })
      scripted.emit({ ...own, ...completed })
    },
  ])
  await using app = await realApp({ agent: scripted.factory })
  const root = rootOf(app)
  root.followup(user('go'))
  await root.whenIdle()
  const lines = withoutChunks(app.events)
  expect(turnEnds(lines)).toEqual(['turn/end error', 'turn/end completed'])
  expect(lines).toContain('assistant/message By myself.')
})
