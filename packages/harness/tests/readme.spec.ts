/** The smallest example of the README, word for word, in an empty folder. */
import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const INSTALLED = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** The files that the README shows: each begins with a comment that names it. */
async function shown(): Promise<Record<string, string>> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const blocks = readme.matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)
  return Object.fromEntries(Array.from(blocks, ([, name = '', text = '']) => [name, text]))
}

it('passes, and fails when the bin does', { timeout: 60_000 }, async () => {
  const files = await shown()
  expect(Object.keys(files)).toEqual(['src/bin.ts', 'tests/boot.spec.ts'])
  await using folder = await tempWorkspace({
    ...files,
    'package.json': '{"type": "module"}',
    'tsconfig.json': '{}',
    // The package is this repository's source here, so vitest is told to leave it to Node.
    'vitest.config.mjs': `export default { test: { server: { deps: { external: [/packages\\/harness\\/src/] } } } }`,
  })
  await symlink(INSTALLED, folder.file('node_modules'))
  const vitest = () =>
    promisify(execFile)(process.execPath, ['--conditions=@loader-smoke/source', VITEST, 'run'], {
      cwd: folder.path,
      env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
    })
  expect((await vitest()).stdout).toMatch(/Tests\s+1 passed/)
  await folder.write('src/bin.ts', 'process.exitCode = 3')
  await expect(vitest()).rejects.toMatchObject({ stderr: expect.stringContaining('my-agent exited 3 (expected 0).') })
})
