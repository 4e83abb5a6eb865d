/** Vitest for the whole repository: every spec beside its package, sources through the source condition. */
import { defineConfig } from 'vitest/config'

const conditions = ['@loader-smoke/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/**/tests/**/*.spec.ts', 'tools/tests/**/*.spec.ts', 'e2e/**/*.e2e.ts'],
    exclude: ['**/node_modules/**', '**/lib/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
