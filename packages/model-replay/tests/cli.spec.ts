/** The program as a user runs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { startReplayServer } from '@loader-smoke/model-replay'

const bin = fileURLToPath(new URL('../src/bin.ts', import.meta.url))

const ASKS = `
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body })
  console.log((await response.json()).choices[0].message.content)
  process.exitCode = Number(process.argv[1] ?? 0)`

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const argv = ['--conditions=@loader-smoke/source', bin, ...args]
  return spawn(process.execPath, argv, { env: { ...process.env, CI: '', ...env }, timeout: 30_000 })
}

async function run(args: readonly string[], env?: NodeJS.ProcessEnv) {
  const child = start(args, env)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout!), text(child.stderr!), closed])
  return { exitCode, stdout, stderr }
}

const asking = ['--', process.execPath, '--input-type=module', '-e', ASKS]

test('runs a command beside a script and ends with its exit code', async () => {
  await using folder = await tempWorkspace({ 'model.yml': 'turns: [{ text: hello }]\n' })
  const file = folder.file('model.yml')
  const passed = await run(['serve', file, ...asking])
  expect(passed).toMatchObject({ exitCode: 0, stdout: 'hello\n' })
  expect(passed.stderr).toMatch(
    /^model-replay: plays .*model\.yml at http:\/\/127\.0\.0\.1:\d+\n# +model .*\n1 +m +conversation 1\/turn 1 +200 +answered/,
  )
  expect(await run(['serve', file, ...asking, '7'])).toMatchObject({ exitCode: 7, stdout: 'hello\n' })
})

test('ends with 1 when the command asked less than the script says', async () => {
  await using folder = await tempWorkspace({ 'model.yml': 'turns: [{ text: hello }, { text: unused }]\n' })
  const { exitCode, stderr } = await run(['serve', folder.file('model.yml'), ...asking])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('"turn 2" of "conversation 1" was served 0 of 1 times.')
})

test('records beside a command and plays it without the provider', async () => {
  await using folder = await tempWorkspace()
  const file = folder.file('recording.json')
  const provider = await startReplayServer({ script: { turns: [{ text: 'from the provider' }] } })
  expect(await run(['record', file, '--upstream', provider.url, ...asking])).toMatchObject({
    exitCode: 0,
    stdout: 'from the provider\n',
  })
  await provider.close()
  expect(await run(['replay', file, ...asking])).toMatchObject({ exitCode: 0, stdout: 'from the provider\n' })
  const refused = await run(['record', file, '--upstream', provider.url, ...asking], { CI: '1' })
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toContain("mode is 'record', but CI is set")
})

test('serves until a signal, then says what came', async () => {
  await using folder = await tempWorkspace({ 'model.yml': 'turns: [{ text: hello, times: any }]\n' })
  const child = start(['serve', folder.file('model.yml')])
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const url = await new Promise<string>((resolve) => {
    child.stdout!.once('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ''))
  })
  expect((await fetch(`${url}/v1/models`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('checks scripts without a run', async () => {
  await using folder = await tempWorkspace({
    'good.yml': 'turns: [{ text: x }]\n',
    'bad.yml': 'turns: [{ txet: x }]\n',
  })
  const [good, bad] = [folder.file('good.yml'), folder.file('bad.yml')]
  const { exitCode, stdout, stderr } = await run(['validate', good, bad])
  expect([exitCode, stdout]).toEqual([1, `${good}: can be used\n`])
  expect(stderr).toContain(`${bad}: can't be used\n  - turns[0] has the unknown key "txet" (did you mean "text"?)`)
})

const WRONG: readonly (readonly [readonly string[], string])[] = [
  [
    ['sevre', 'x'],
    'there is no command "sevre" (did you mean serve?); expected one of serve, replay, record, update, validate, from-sessions, schema.',
  ],
  [['serve'], 'serve needs one file, got 0.'],
  [['serve', 'x', '--port', '99999'], '--port is "99999"; expected a whole number from 0 to 65535.'],
  [['validate'], 'validate needs the paths of scripts, got none.'],
  [
    ['record', 'model.json'],
    "record needs --upstream, the provider's address, such as --upstream https://api.openai.com.",
  ],
]

test.each(WRONG)('says what is wrong with %j', async (args, message) => {
  expect(await run(args)).toEqual({ exitCode: 2, stdout: '', stderr: `model-replay: ${message}\n` })
})

test('a Node without zstd can import the package, so that what needs a newer one can say so in its own words', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const older = 'data:text/javascript,export const gunzipSync = null'
    registerHooks({
      resolve: (name, context, next) =>
        name === 'node:zlib' ? { url: older, shortCircuit: true } : next(name, context),
    })`
  const hook = `data:text/javascript,${encodeURIComponent(script)}`
  const child = spawn(process.execPath, ['--import', hook, '--conditions=@loader-smoke/source', bin, '--help'], {
    timeout: 30_000,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^model-replay: a loopback model server/)
})
