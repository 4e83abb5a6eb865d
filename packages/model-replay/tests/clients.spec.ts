/** One script, every client: the same two-step tool conversation through all of them, with equal outputs. */
import { fileURLToPath } from 'node:url'
import { startReplayServer } from '@loader-smoke/model-replay'
import { expect, test } from 'vitest'
import { CONVERSATIONS } from './clients/all.ts'

const script = fileURLToPath(new URL('fixtures/two-steps.yml', import.meta.url))

test.each(CONVERSATIONS)('%s holds the same conversation with the same script', async (_name, converse) => {
  await using server = await startReplayServer({ script })
  const conversation = await converse(server.url, 'greet')
  server.assertConsumed()
  expect(conversation).toEqual({
    texts: ['Looking.', 'The tool said hi.'],
    reasoning: 'I should look.',
    commands: ['echo hi'],
    usage: { input: 230, cached: 140, output: 27, reasoning: 5 },
  })
})
