/** Model servers that fail, as the real Codex CLI tells of them. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

test('a message that streams again after a dropped stream is shown once', async () => {
  await using codex = await realCodex({
    script: {
      turns: [{ text: ['ha', 'ha', 'ha', 'ha'], fault: 'cut' }, { text: ['ha', 'ha', ' ha'] }],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  expect((await codex.run(sessionId, 'Laugh')).outcome).toEqual({ status: 'completed' })
  expect(shownTexts(codex.events)).toEqual(['haha ha'])
  const retries = eventsOf(codex.events, 'notice').filter(({ message }) => message.startsWith('Reconnecting'))
  expect(retries).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/^Reconnecting\.\.\. 1\/2 \(.+\)$/) },
  ])
})

test.for([
  { name: 'too many requests', error: { status: 429 }, blocked: false },
  { name: 'quota', error: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' }, blocked: true },
  { name: 'bad request', error: { status: 400, message: 'no such thing' }, blocked: false },
])(
  '$name fails the run once, with a notice and its reason; only a used-up quota blocks',
  async ({ error, blocked }) => {
    await using codex = await realCodex({ script: { turns: [{ error, times: 3, optional: true }] }, streamRetries: 0 })
    const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
    const { outcome } = await codex.run(sessionId, 'Try')
    expect(outcome.status).toBe('failed')
    expect(eventsOf(codex.events, 'notice').at(-1)).toMatchObject({
      level: 'error',
      message: outcome.status === 'failed' ? outcome.message : '',
    })
    const recovery = { identity: null, availability: 'blocked' }
    expect(eventsOf(codex.events, 'usage_blocked').map((event) => event.recovery)).toEqual(blocked ? [recovery] : [])
    expect(codex.events.at(-1)?.event).toBe('run_finished')
    // The session is as good as before.
    expect(codex.agent.runOf(sessionId)).toBeNull()
  },
)
