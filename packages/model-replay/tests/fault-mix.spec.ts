/** Random faults: the same for the same seed, whatever the order of arrival, and no turn is lost to them. */
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'

const script = (seed?: number): ScriptObject => ({
  faults: { ...(seed === undefined ? {} : { seed }), rate: 0.5, kinds: ['reset', 'cut', 429, 500, 'malformed-json'] },
  conversations: [{ for: 'each', turns: [{ text: 'whole' }] }],
})

/** What each of 30 conversations met, by its first message. */
async function drawn(seed: number, names: readonly string[]): Promise<Map<string, unknown>> {
  await using server = await startReplayServer({ script: script(seed), log: () => {} })
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 })
  const ask = (name: string) => client.responses.create({ model: 'm', input: name, stream: false })
  await Promise.allSettled(names.map(ask))
  return new Map(
    server.requests.map(({ body, drawnFault }) => [(body as { input: string }).input, drawnFault] as const),
  )
}

test('draws the same faults for the same seed, whatever the order in which conversations come', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `conversation ${index}`)
  const first = await drawn(7, names)
  const again = await drawn(7, names.toReversed())
  expect(Object.fromEntries(again)).toEqual(Object.fromEntries(first))
  const met = [...first.values()].filter((fault) => fault !== undefined)
  expect(met.length).toBeGreaterThan(5)
  expect(met.length).toBeLessThan(25)
  expect(Object.fromEntries(await drawn(8, names))).not.toEqual(Object.fromEntries(first))
})

test('says the seed that it took, so that a run can be repeated', async () => {
  const lines: string[] = []
  await using server = await startReplayServer({ script: script(), log: (line) => lines.push(line) })
  expect(lines).toEqual([`model-replay: random faults with seed ${server.seed}`])
})

test('takes no turn for a fault: a client that asks again gets the answer', async () => {
  await using server = await startReplayServer({ script: script(3), log: () => {} })
  const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 })
  for (let attempt = 1; attempt <= 40; attempt++) {
    const said = await client.responses.create({ model: 'm', input: 'hello' }).catch(() => undefined)
    if (said?.output_text === 'whole') break
  }
  server.assertConsumed()
  expect(server.requests.filter(({ outcome }) => outcome === 'answered').length).toBe(1)
})
