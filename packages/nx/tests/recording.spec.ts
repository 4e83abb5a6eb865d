/** A recorded session as the model of a target in a real Nx: played, an input of the cache, and refused when it is none. */
import { startRecordedServer, startReplayServer } from '@loader-smoke/model-replay'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { app, options, smokeTarget } from './app.ts'
import { scratch } from './scratch.ts'

// Where CI is set nothing can be recorded, and these tests run there too.
beforeEach(() => void vi.stubEnv('CI', ''))
afterEach(() => void vi.unstubAllEnvs())

/** Records, in front of a provider that says `text`, what the app asks. */
async function record(recording: string, text: string): Promise<void> {
  await using provider = await startReplayServer({ script: { turns: [{ text }] } })
  await using server = await startRecordedServer({ recording, mode: 'record', upstream: provider.url })
  const body = JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: options.task }] })
  await (await fetch(`${server.url}/chat/completions`, { method: 'POST', body })).text()
}

it('is played, replayed from the cache, and run again when it changes', { timeout: 300_000 }, async () => {
  const model = { recording: 'models/hello.json' }
  await using workspace = await scratch({
    ...app('example', { smoke: smokeTarget({ model }), both: smokeTarget({ model: { ...model, script: 'x.yml' } }) }),
    'models/hello.json': '',
  })
  const smoke = async (target = 'smoke') => {
    const { exitCode, output } = await workspace.nx(['run', `example:${target}`], { NO_COLOR: '1' })
    return { exitCode, output, answer: / {2}answer {2}(.*)/.exec(output)?.[1] }
  }

  await record(workspace.file('models/hello.json'), 'It is recorded.')
  const first = await smoke()
  expect(first).toMatchObject({ exitCode: 0, answer: 'hello # hello Say hello. It is recorded.' })
  expect(first.output).toContain('  model   models/hello.json\n')
  expect((await smoke()).answer).toBe(first.answer)
  expect(await workspace.boots()).toEqual(['src'])

  await record(workspace.file('models/hello.json'), 'It is another one.')
  expect((await smoke()).answer).toBe('hello # hello Say hello. It is another one.')
  expect(await workspace.boots()).toEqual(['src', 'src'])

  await workspace.write('models/hello.json', '{"turns": []}')
  expect((await smoke()).output).toContain(
    `✖ example:smoke did not run\nexample:smoke: model.recording can't be used: model-replay: ${workspace.file('models/hello.json')} is no recording: it has not the form { "recording": 1, "exchanges": [...] }.\n`,
  )
  const both = await smoke('both')
  expect(both.output).toContain(
    '✖ example:both did not run\nmodel must be { "script": "<file>" } or { "recording": "<file>" }, not both, got an object.\nNext: take one of them out.\n',
  )
  expect([both.exitCode, await workspace.boots()]).toEqual([1, ['src', 'src']])
})
