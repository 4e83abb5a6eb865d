/** Vitest for the callers alone; `--root` is the folder of the copy that is run. */
import { defineConfig } from 'vitest/config'

const conditions = ['@loader-smoke/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ['*.caller.ts'], pool: 'forks', maxWorkers: 1 },
})
