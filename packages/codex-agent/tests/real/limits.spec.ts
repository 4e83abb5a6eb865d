/** Usage as the real Codex CLI reads it from a model server's headers. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf } from '../support/shown.ts'

test('meters in the headers of a response reach the open session', async () => {
  const headers = {
    'x-codex-primary-used-percent': '42',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': '1900000000',
    'x-codex-secondary-used-percent': '100',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': '1900100000',
  }
  await using codex = await realCodex({ script: { turns: [{ text: 'One.', headers }, { text: 'Two.' }] } })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  await codex.run(sessionId, 'Two')
  const [limits] = eventsOf(codex.events, 'usage_limits')
  expect(limits).toMatchObject({
    sessionId,
    windows: [
      { label: '5 hours', usedPercent: 42, resetsAt: new Date(1_900_000_000_000).toISOString() },
      { label: '1 week', usedPercent: 100, resetsAt: new Date(1_900_100_000_000).toISOString() },
    ],
    recovery: { identity: null, availability: 'unknown', resetsAt: new Date(1_900_100_000_000).toISOString() },
  })
  expect(await codex.agent.limits()).toBeNull()
})
