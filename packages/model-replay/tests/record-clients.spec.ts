/** Every real client against a recording: what it made of the provider's answers, it makes of the recorded ones, byte for byte. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startRecordedServer, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CONVERSATIONS } from './clients/all.ts'

const script = fileURLToPath(new URL('fixtures/two-steps.yml', import.meta.url))

// Recording is refused where CI is set, and these tests run there, too.
beforeEach(() => {
  vi.stubEnv('CI', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test.each(CONVERSATIONS)('%s holds the recorded conversation again', async (_name, converse) => {
  await using folder = await tempWorkspace()
  const recording = folder.file('recording.json')
  const recorded = await record(recording, (url) => converse(url, 'greet'))
  await using server = await startRecordedServer({ recording, mode: 'replay' })
  expect(await converse(server.url, 'greet')).toEqual(recorded)
  server.assertConsumed()
  expect(server.requests.map(({ turn }) => turn)).toEqual(['exchange 1', 'exchange 2'])
  // Recorded anew, the file is the same but for what the provider itself makes anew.
  const before = await readFile(recording, 'utf8')
  await record(recording, (url) => converse(url, 'greet'))
  const created = /("created(?:_at)?\\":)\d+/g
  expect((await readFile(recording, 'utf8')).replaceAll(created, '$1')).toBe(before.replaceAll(created, '$1'))
})

/** A second server on loopback plays the provider. */
async function record<T>(recording: string, run: (url: string) => Promise<T>): Promise<T> {
  await using provider = await startReplayServer({ script })
  await using server = await startRecordedServer({ recording, mode: 'record', upstream: provider.url })
  const result = await run(server.url)
  server.assertConsumed()
  provider.assertConsumed()
  return result
}
