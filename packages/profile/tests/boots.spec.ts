/** A profile of two bundles and two overlays, booted from a real bin in both modes. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '@loader-smoke/harness'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

describe.each(['src', 'lib'] as const)('in mode %s', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, (mode) => {
  test('boots bundles and overlays in order and runs a turn with a tool', async () => {
    await using installation = await scratch()
    const seen: Record<string, unknown> = {}
    const overlays = [installation.overlay('model.patch.yml'), installation.overlay('paths.patch.yml')]
    const { stdout, turns } = await runLoaderSmoke({
      ...smokeOf(installation, mode, overlays),
      turn: 'required',
      async inspect(cwd) {
        seen['greeting'] = await readFile(join(cwd, 'greeting.txt'), 'utf8')
        seen['session'] = (await readdir(join(cwd, '.sessions'), { recursive: true })).some((file) =>
          file.endsWith('session.jsonl'),
        )
        seen['root'] = await readFile(join(cwd, '.dsh', 'profiles', 'scratch', 'cordis.yml'), 'utf8')
      },
    })
    const ids =
      'llm llm-deepseek system-prompt sessions tools agents agent-loop persistence subprocess bash shell-env tool-bash model-replay greets'
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual(['include', ...ids.split(' ').map((id) => `include:${id}`)])
    expect(turns).toMatchObject([{ type: 'result', output: 'It said from-the-2nd-step.' }])
    expect(seen).toEqual({ greeting: 'hello', session: true, root: '[]\n' })
  })
})
