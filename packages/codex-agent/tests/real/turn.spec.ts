/** Turns of the real Codex CLI, from prompt to end. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'

test('a text turn streams exactly what the model said, and ends once', async () => {
  await using codex = await realCodex({
    script: { turns: [{ text: ['Hello', ' there', '.\n'], usage: { inputTokens: 100, outputTokens: 7 } }] },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const ended = await codex.run(sessionId, 'Say hello')
  expect(ended.outcome).toEqual({ status: 'completed' })
  console.log(JSON.stringify(codex.events, null, 1))
  codex.replay.assertConsumed()
})
