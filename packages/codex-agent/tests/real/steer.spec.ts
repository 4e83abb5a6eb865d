/** Steering the real Codex CLI. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

const text = (value: string) => ({ blocks: [{ type: 'text', text: value } as const] })

test('a steer joins the run, abandons the message that streams, and is told as consumed', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { content: [{ text: ['I am', ' about'] }, { hold: 'mid' }, { text: ' to say' }] },
        { expect: { user: 'Stop that' }, text: 'Stopped.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const { runId } = await codex.agent.prompt({ sessionId, input: text('Talk') })
  await codex.seen('text_delta', (event) => event.text === ' about')
  const steered = await codex.agent.prompt({
    sessionId,
    input: { ...text('Stop that'), delivery: { inputId: 'in-1', attemptId: 'try-1', intent: 'steer' } },
  })
  expect(steered).toEqual({ runId, receipt: { evidence: 'native_admission', nativeInputId: 'try-1' } })
  expect((await codex.seen('run_finished')).outcome).toEqual({ status: 'completed' })
  expect(eventsOf(codex.events, 'input_consumed')).toEqual([
    { sessionId, runId, event: 'input_consumed', inputId: 'in-1', nativeInputId: expect.any(String) },
  ])
  expect(shownTexts(codex.events)).toEqual(['I am about', 'Stopped.'])
  expect(codex.agent.sessions.get(sessionId)?.items.messages.size).toBe(0)
})

test('a steer sent before the turn is known waits for it', async () => {
  await using codex = await realCodex({
    script: { turns: [{ content: [{ text: 'One' }, { hold: 'mid' }] }, { text: 'Two', optional: true }] },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const [first, second] = await Promise.all([
    codex.agent.prompt({ sessionId, input: text('First') }),
    codex.agent.prompt({
      sessionId,
      input: { ...text('Second'), delivery: { inputId: 'i', attemptId: 'a', intent: 'steer' } },
    }),
  ])
  expect(second.runId).toBe(first.runId)
  codex.replay.release('mid')
  expect((await codex.seen('run_finished')).runId).toBe(first.runId)
  expect(eventsOf(codex.events, 'input_consumed')).toMatchObject([{ inputId: 'i', runId: first.runId }])
})

test('a run that was ended without a stop leaves a turn which the next prompt joins and ends with', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { content: [{ text: 'Old' }, { hold: 'mid' }, { text: ' end' }] },
        { expect: { user: 'Again' }, text: 'Joined.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.agent.prompt({ sessionId, input: text('Begin') })
  await codex.seen('text_delta')
  const turn = codex.agent.sessions.get(sessionId)?.turn
  codex.agent.finishRun(sessionId, { status: 'failed', message: 'given up' })
  const { runId } = await codex.agent.prompt({ sessionId, input: text('Again') })
  const ended = await codex.seen('run_finished', (event) => event.runId === runId)
  expect(ended.outcome).toEqual({ status: 'completed' })
  expect(shownTexts(codex.events).at(-1)).toBe('Joined.')
  expect(codex.agent.sessions.get(sessionId)?.retired.has(turn ?? '')).toBe(true)
})
