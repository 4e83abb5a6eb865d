/** The example through the harness, in both modes: what was in its world, what it answered, what it cost. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '@loader-smoke/harness'
import { assertNothingLeft, tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { build, smoke } from './smoke-options.ts'

beforeAll(build, 120_000)
afterEach(() => vi.unstubAllEnvs())

describe.each(['src', 'lib'] as const)('the example in %s mode', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, (mode) => {
  it('runs a command and edits its file in the world, answers with exact tokens, and leaves nothing', async () => {
    // What would lead a CLI elsewhere, were it seen.
    vi.stubEnv('OPENAI_API_KEY', 'not-a-key-but-secret')
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9')
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
    await using parent = await tempWorkspace()
    const seen: Record<string, unknown> = {}
    const { turns, stderr, stdout } = await runLoaderSmoke({
      ...smoke,
      mode,
      envMode: 'inherit',
      tempDirParent: parent.path,
      async inspect(cwd) {
        seen['note'] = await readFile(join(cwd, 'note.txt'), 'utf8')
        seen['entries'] = (await readdir(cwd)).toSorted()
        seen['accounts'] = (await readdir(join(cwd, '.codex'))).includes('auth.json')
        const files = await readdir(join(cwd, '.dsh', 'sessions'), { recursive: true })
        seen['stored'] = files.some((file) => file.endsWith('session.jsonl'))
      },
    })
    expect(turns).toEqual([
      {
        type: 'result',
        sessionId: expect.stringMatching(/^codex-session-/),
        output: 'The note says: smoke 42, signed.',
        usage: { inputTokens: 230, outputTokens: 59, cacheReadTokens: 230, cacheWriteTokens: 0, reasoningTokens: 3 },
      },
    ])
    expect(seen).toEqual({
      note: 'smoke 42, signed\n',
      entries: ['.agents', '.codex', '.dsh', 'note.txt'],
      accounts: false,
      stored: true,
    })
    expect(stderr).toBe('')
    expect(stdout).not.toContain('not-a-key-but-secret')
    const events = stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).event ?? [])
    const results = events.filter(({ type }) => type === 'tool/result')
    expect(results.map(({ data }) => [data.meta.kind, data.meta.status])).toEqual([
      ['execute', 'completed'],
      ['edit', 'completed'],
    ])
    await assertNothingLeft(parent.path, parent.path)
  })
})
