/** A keyless smoke of a headless agent: a tool round trip, and the session that it stored. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type FixtureTurnResult,
  LOADER_SMOKE_TEST_TIMEOUT_MS,
  type LoaderSmokeOptions,
  runLoaderSmoke,
} from '@deepseek-ai/dsh-loader-smoke'
import { startReplayServer } from '@loader-smoke/model-replay'
import { describe, expect, it } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const smoke: LoaderSmokeOptions = {
  label: 'headless',
  tempDirPrefix: 'headless-smoke-',
  binScript: path('fixture/src/headless.ts'),
  libBinScript: path('fixture/src/headless.ts'),
  configPath: path('fixture/cordis.yml'),
  binArgs: [path('fixture/cordis.yml'), 'How many lines has list.txt?'],
  tsconfigPath: path('../../../../../tsconfig.base.json'),
}

describe('headless agent', () => {
  it(
    'runs a tool and stores its session',
    async () => {
      await using model = await startReplayServer({
        script: {
          turns: [
            {
              expect: { user: 'list.txt' },
              toolCalls: [{ name: 'bash', arguments: { command: 'wc -l < list.txt', description: 'Count' } }],
              usage: { inputTokens: 40, outputTokens: 7 },
            },
            { expect: { toolResult: '3' }, text: 'Three.', usage: { inputTokens: 60, outputTokens: 2 } },
          ],
        },
      })
      const stored: string[] = []
      const { stdout, stderr } = await runLoaderSmoke({
        ...smoke,
        env: { DEEPSEEK_BASE_URL: model.url, DEEPSEEK_API_KEY: 'keyless' },
        prepare: (cwd) => writeFile(join(cwd, 'list.txt'), 'a\nb\nc\n'),
        async inspect(cwd) {
          for (const file of await readdir(join(cwd, '.sessions'), { recursive: true }))
            if (file.endsWith('session.jsonl')) stored.push(await readFile(join(cwd, '.sessions', file), 'utf8'))
        },
      })
      const envelope: FixtureTurnResult & { kinds: string[] } = JSON.parse(stdout)
      expect(envelope).toMatchObject({
        type: 'result',
        output: 'Three.',
        usage: { inputTokens: 100, outputTokens: 9 },
      })
      expect(envelope.kinds[0]).toBe('agent/inbox/spliced')
      expect(envelope.kinds).toContain('tool/result')
      expect(envelope.kinds.at(-1)).toBe('turn/end')
      expect(stderr).toBe('')
      expect(stored).toHaveLength(1)
      expect(stored[0]).toContain(envelope.sessionId)
      expect(stored[0]).toContain('Three.')
      model.assertConsumed()
    },
    LOADER_SMOKE_TEST_TIMEOUT_MS,
  )

  it(
    'pins the exit of a wrong call',
    async () => {
      const result = await runLoaderSmoke({ ...smoke, binArgs: [], expectedExitCode: 64 })
      expect(result.stdout).toBe('')
      expect(result.stderr).toBe('usage: headless <config> <task>\n')
    },
    LOADER_SMOKE_TEST_TIMEOUT_MS,
  )

  it(
    'fails with both streams when the exit is another one',
    async () => {
      await expect(runLoaderSmoke({ ...smoke, binArgs: [] })).rejects.toThrow(
        'headless exited 64 (expected 0). stdout:\n\nstderr:\nusage: headless <config> <task>\n',
      )
    },
    LOADER_SMOKE_TEST_TIMEOUT_MS,
  )
})
