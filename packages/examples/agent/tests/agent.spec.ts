/** The example through the harness, in both modes: what was in its world, what it answered, what it needed. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXAMPLE_MODE_ENV, LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '@loader-smoke/harness'
import { assertNothingLeft, tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { build, inExample, smoke } from './smoke-options.ts'

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
