/** The example through the harness, in both modes: what was in its world, what it answered, what it needed. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXAMPLE_MODE_ENV, LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { assertNothingLeft, tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { build, inExample, smoke, TASK } from './smoke-options.ts'

beforeAll(build, 120_000)
afterEach(() => vi.unstubAllEnvs())

const modes = [
  {
    mode: 'src',
    started: ['--import', expect.stringMatching(/^file:.*tsx/), inExample('src/bin.ts')],
    nodeOptions: smoke.env.NODE_OPTIONS,
  },
  { mode: 'lib', started: [inExample('lib/bin.js')], nodeOptions: undefined },
] as const

describe.each(modes)(
  'the example in $mode mode',
  { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS },
  ({ mode, started, nodeOptions }) => {
    it('answers with exact tokens, and leaves the file of its tool and its stored session in a world that is gone afterwards', async () => {
      await using parent = await tempWorkspace()
      const seen: Record<string, string> = {}
      const { turns, stdout, stderr, command } = await runLoaderSmoke({
        ...smoke,
        mode,
        tempDirParent: parent.path,
        async inspect(cwd) {
          expect(cwd.startsWith(parent.path)).toBe(true)
          seen['note'] = await readFile(join(cwd, 'note.txt'), 'utf8')
          const files = await readdir(join(cwd, '.dsh', 'sessions'), { recursive: true, withFileTypes: true })
          for (const file of files)
            if (file.name === 'session.jsonl')
              seen['session'] = await readFile(join(file.parentPath, file.name), 'utf8')
        },
      })
      expect(command.slice(1)).toEqual([...started, ...smoke.binArgs])
      const envelope = {
        type: 'result',
        sessionId: expect.stringMatching(/^main-session-/),
        output: 'The note says: smoke 42.',
        usage: { inputTokens: 160, outputTokens: 28, cacheReadTokens: 90, reasoningTokens: 0 },
      }
      expect(turns).toEqual([envelope])
      expect(stderr).toBe('')
      const printed = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(printed.at(-1)).toEqual(envelope)
      expect(printed[0]).toMatchObject({ type: 'event', event: { type: 'agent/inbox/spliced' } })
      expect(printed.at(-2)).toMatchObject({ type: 'event', event: { type: 'turn/end' } })
      expect(seen['note']).toBe('smoke 42\n')
      const stored = seen['session'] ?? ''
      expect(stored).toContain('"turn/end"')
      expect(stored).toContain('The note says: smoke 42.')
      await assertNothingLeft(parent.path, parent.path)
    })

    it('passes with dead proxies and without any key in the environment, of which the app sees none', async () => {
      for (const name of ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'npm_config_proxy'])
        vi.stubEnv(name, 'http://127.0.0.1:9')
      for (const name of Object.keys(process.env)) if (name.endsWith('_API_KEY')) vi.stubEnv(name, undefined)
      let environment: Record<string, string> = {}
      const preload = new URL('fixtures/dump-env.mjs', import.meta.url).href
      await runLoaderSmoke({
        ...smoke,
        mode,
        envMode: 'inherit',
        env: { ...smoke.env, NODE_OPTIONS: `${smoke.env.NODE_OPTIONS} --import=${preload}` },
        async inspect(cwd) {
          environment = JSON.parse(await readFile(join(cwd, 'env.json'), 'utf8'))
        },
      })
      expect(Object.keys(environment)).toContain('PATH')
      expect(Object.keys(environment).filter((name) => /proxy/i.test(name))).toEqual([])
      expect(Object.keys(environment).filter((name) => name.endsWith('_API_KEY'))).toEqual(['DEEPSEEK_API_KEY'])
      // Built output is run by a plain Node: nothing may lead it back to the sources.
      expect(environment['NODE_OPTIONS']).toBe([nodeOptions, `--import=${preload}`].filter(Boolean).join(' '))
    })

    it('takes the mode from the environment when none is given', async () => {
      vi.stubEnv(EXAMPLE_MODE_ENV, mode)
      expect((await runLoaderSmoke(smoke)).mode).toBe(mode)
    })
  },
)

describe('the model server within the app', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, () => {
  it('has its unexpected request named in the verdict, with what to do next', async () => {
    const line = [
      `service model: request 1 (POST /chat/completions) was refused with 400: no turn of ${inExample('model-script.yml')} fits this request.`,
      'Came: chat request, model "deepseek-v4-flash", thread "main-session-…", 1 items, last user, user says "Sing.", tools bash, edit, read, write',
      'Expected: "conversation 1", beginning with "run the command" of "conversation 1" where user contains "note.txt", tools has bash',
      'Nearest: "run the command" of "conversation 1" where user contains "note.txt", tools has bash; expected user contains "note.txt", but user is "Sing.".',
      'Next: correct match and expect of the conversation, or find out why the app asks this.',
    ].join('\n')
    const failed = JSON.stringify(await failedService(inExample('cordis.yml'), 'Sing.'))
    expect(JSON.parse(failed.replace(/main-session-[-0-9a-f]+/g, 'main-session-…'))).toEqual([
      { name: 'service', line },
    ])
  })

  it('has a turn that nobody asked for named in the verdict, with what to do next', async () => {
    expect(await failedService(inExample('tests/fixtures/left-over.yml'), TASK)).toEqual([
      {
        name: 'service',
        line:
          'service model: "nobody asks for it" of "conversation 1" was served 0 of 1 times.\n' +
          'Next: find out why the app did not ask, take the turn out of the script, or mark it optional: true.',
      },
    ])
  })
})

/** What the model server within the app said against it. */
async function failedService(config: string, task: string): Promise<unknown> {
  const options = { ...smoke, mode: 'src', configPath: config, binArgs: [config, task] } as const
  const error = await runLoaderSmoke(options).then(
    () => expect.unreachable('it passed'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SmokeError)
  const { verdict } = error as SmokeError
  return verdict.kind === 'fail' && verdict.failed.filter(({ name }) => name === 'service')
}
