/** A composition that is only looked at: no turn, no model, no key. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '@deepseek-ai/dsh-loader-smoke'
import { expect, test } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

test(
  'the tree has one root agent and the rows of the config',
  async () => {
    let world = ''
    const { stdout } = await runLoaderSmoke({
      label: 'tree',
      tempDirPrefix: 'tree-smoke-',
      binScript: path('fixture/src/tree.ts'),
      libBinScript: path('fixture/src/tree.ts'),
      configPath: path('fixture/cordis.yml'),
      binArgs: ['--config', path('fixture/cordis.yml')],
      tsconfigPath: path('../../../../../tsconfig.base.json'),
      env: { DEEPSEEK_API_KEY: undefined },
      inspect(cwd) {
        world = cwd
      },
    })
    const { entries, roots, cwd } = JSON.parse(stdout)
    expect(roots).toBe(1)
    const ids =
      'include llm llm-deepseek system-prompt sessions tools agents agent-loop subprocess bash shell-env tool-bash persistence'
    expect(entries.map(([id]: [string]) => id)).toEqual(ids.split(' '))
    expect(cwd).toContain('tree-smoke-')
    expect(world.startsWith(tmpdir())).toBe(true)
    expect(existsSync(world)).toBe(false)
  },
  LOADER_SMOKE_TEST_TIMEOUT_MS,
)
