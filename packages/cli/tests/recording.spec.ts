/** A recorded session as the model of a declared smoke: made once, then played, by the program on a real bin. */
import { startRecordedServer, startReplayServer } from '@loader-smoke/model-replay'
import { type TempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { call, packageWith } from './program.ts'

/** Prints what the model says; reports no turn. */
const asks = `
const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'What is it?' }] })
const response = await fetch(process.env.LOADER_SMOKE_MODEL_URL + '/v1/chat/completions', { method: 'POST', body })
console.log((await response.json()).choices[0].message.content as string)
`
const idle = 'console.log("nobody asked" as string)'

/** Records, in front of a provider, the question that `asks` has, and the answer. */
async function record(folder: TempWorkspace): Promise<void> {
  await using provider = await startReplayServer({ script: { turns: [{ text: 'It is recorded.' }] } })
  const recording = folder.file('model.json')
  await using server = await startRecordedServer({ recording, mode: 'record', upstream: provider.url })
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'What is it?' }] })
  await (await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body })).text()
}

const model = { recording: 'model.json' }
const expectation = { expect: { stdout: 'It is recorded.' } }

describe('a smoke whose model is a recording', { timeout: 60_000 }, () => {
  it('gets the recorded answers, also where the environment asks to record', async () => {
    await using folder = await packageWith({ asks }, { fixture: { asks: { model, ...expectation } } })
    await recordOutsideCi(folder)
    const env = { LOADER_SMOKE_REPLAY: 'record' }
    const { code, stdout, stderr } = await call(['run'], { cwd: folder.path, env })
    expect({ code, stderr, stdout: stdout.split(' passed')[0] }).toEqual({
      code: 0,
      stderr: '',
      stdout: '✓ asks (src)',
    })
  })

  it('fails when an answer is not asked for', async () => {
    await using folder = await packageWith({ idle }, { fixture: { idle: { model } } })
    await recordOutsideCi(folder)
    const { code, stdout } = await call(['run'], { cwd: folder.path })
    expect(stdout).toContain(
      'idle service model: exchange 1 (POST /v1/chat/completions, model "m", 1 items, the last {"user":"What is it?"}) was not asked for.\n',
    )
    expect(code).toBe(1)
  })

  it.each([
    [
      'is none',
      { 'model.json': '{"turns": []}' },
      "fixtures[1].model.recording can't be used: model-replay: FOLDER/model.json is no recording: it has not the form",
    ],
    [
      'is not there',
      {},
      'fixtures[1].model.recording must be an existing file, got "FOLDER/model.json".\nNext: create it',
    ],
  ])('is refused before any smoke of the file runs when it %s', async (_, files, message) => {
    await using folder = await packageWith({ first: idle, asks }, { fixture: { asks: { model } }, files })
    const { code, stdout, stderr } = await call(['run'], { cwd: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`FOLDER/smoke.config.json: ${message}`.replaceAll('FOLDER', folder.path))
  })
})

/** Recordings are refused where CI is set, and these tests run there too. */
async function recordOutsideCi(folder: TempWorkspace): Promise<void> {
  const { CI } = process.env
  delete process.env['CI']
  try {
    await record(folder)
  } finally {
    if (CI !== undefined) process.env['CI'] = CI
  }
}
