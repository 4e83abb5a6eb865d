/** The migration of a repository with twenty files that import the peer: they compile and pass before and after. */
import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '../program.ts'
import { repository, twentyFiles } from './forms.ts'

const require = createRequire(import.meta.url)
const run = promisify(execFile)
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')

beforeAll(
  () => run(process.execPath, [tsc, '-b', fileURLToPath(new URL('../../../harness', import.meta.url))]),
  120_000,
)

async function scratch(): Promise<TempWorkspace> {
  const root = await tempWorkspace({ ...repository, ...twentyFiles })
  await symlink(dirname(dirname(require.resolve('vitest/package.json'))), root.file('node_modules'), 'junction')
  return root
}

/** Compiles and tests the repository as its owner would; nothing of this repository's own conditions reaches it. */
async function check(cwd: string): Promise<{ readonly types: string; readonly tests: string[] }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const compiled = await run(process.execPath, [tsc, '-p', '.'], { cwd, env }).catch(
    (error: { stdout: string }) => error,
  )
  await using reports = await tempWorkspace()
  const report = reports.file('report.json')
  try {
    await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`], { cwd, env })
  } catch (error) {
    // A failed test makes it exit 1; which one is in the report.
    if ((error as { code?: unknown }).code !== 1) throw error
  }
  const { testResults } = JSON.parse(await reports.read('report.json')) as {
    testResults: { name: string; status: string; message: string; assertionResults: { failureMessages: string[] }[] }[]
  }
  return {
    types: compiled.stdout,
    tests: testResults
      .map(({ name, status, message, assertionResults }) =>
        [
          name.split('/').slice(-1),
          status,
          message,
          ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
        ].join(' '),
      )
      .toSorted(),
  }
}

const all = async (root: TempWorkspace) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys({ ...repository, ...twentyFiles }).map(async (name) => [name, await root.read(name)] as const),
    ),
  )

describe('migrate', () => {
  it(
    'changes imports and dependencies so that everything compiles and passes; a second time nothing',
    { timeout: 240_000 },
    async () => {
      await using root = await scratch()
      expect(Object.keys(twentyFiles)).toHaveLength(20)
      const before = await check(root.path)
      expect(before.types).toBe('')
      expect(before.tests).toHaveLength(17)
      expect(before.tests.filter((test) => !test.endsWith(' passed '))).toEqual([])

      const dry = await call(['migrate', '--dry-run'], { cwd: root.path })
      expect(await all(root)).toEqual({ ...repository, ...twentyFiles })

      const first = await call(['migrate'], { cwd: root.path })
      expect(first).toMatchObject({ code: 0, stderr: '' })
      const written = first.stdout.split('\n').filter((line) => line.startsWith('wrote '))
      expect(written).toHaveLength(18 + 3)
      expect(first.stdout.split('\n').filter((line) => line.startsWith('left '))).toEqual([])
      expect(dry.stdout.split('\n').filter((line) => line.startsWith('would write '))).toEqual(
        written.map((line) => `would ${line.replace('wrote', 'write')}`),
      )
      const after = await all(root)
      expect(JSON.stringify(after)).not.toContain('dsh-loader-smoke')
      expect(after['package.json']).not.toContain('overrides')
      expect(after['a/package.json']).toBe(
        '{\n\t"name": "a",\n\t"type": "module",\n\t"devDependencies": {\n\t\t"@loader-smoke/harness": "^0.1.0",\n\t\t"vitest": "^5"\n\t}\n}\n',
      )
      expect(after['b/package.json']).toBe(
        '{\r\n  "name": "b",\r\n  "type": "module",\r\n  "dependencies": {\r\n    "zod": "4.6.7",\r\n    "@loader-smoke/harness": "^0.1.0"\r\n  }\r\n}\r\n',
      )
      expect(await check(root.path)).toEqual(before)

      const second = await call(['migrate'], { cwd: root.path })
      expect(second).toMatchObject({
        code: 0,
        stdout:
          'Nothing to change: no import or dependency of @deepseek-ai/dsh-loader-smoke is left that @loader-smoke/harness can take.\n',
      })
      expect(await all(root)).toEqual(after)
    },
  )

  it('leaves and tells what has no counterpart, and keeps the dependency of it', async () => {
    await using root = await tempWorkspace({
      'package.json': '{"devDependencies":{"@deepseek-ai/dsh-loader-smoke":"0.0.1-rc.1"}}',
      'tests/a.ts':
        "import { runLoaderSmoke } from '@deepseek-ai/dsh-loader-smoke'\nimport * as guard from '@deepseek-ai/dsh-loader-smoke/invariant'\nimport {\n  somethingOfAFork,\n} from '@deepseek-ai/dsh-loader-smoke'\n",
      'tsconfig.json': '{\n  "references": ["../dsh-loader-smoke"],\n  "paths": ["@deepseek-ai/dsh-loader-smoke"]\n}',
      'docs/readme.md': 'See @deepseek-ai/dsh-loader-smoke-extras, not this.\n',
      'broken/package.json': '{ "name": "@deepseek-ai/dsh-loader-smoke", ',
    })
    const { stdout } = await call(['migrate'], { cwd: root.path })
    expect(stdout).toBe(`wrote tests/a.ts
wrote package.json
left tests/a.ts:5: imports somethingOfAFork, which @loader-smoke/harness does not have.
left tests/a.ts:2: imports the subpath ./invariant, which @loader-smoke/harness does not have.
left broken/package.json:1: is no JSON (Expected double-quoted property name in JSON at position 43 (line 1 column 44)), so it stays as it is.
left package.json:3: stays, because a file of this package still imports it.
left tsconfig.json:3: names the package, and is no import.
Next: install with your package manager, then run your tests.
`)
    expect(await root.read('tests/a.ts')).toBe(
      "import { runLoaderSmoke } from '@loader-smoke/harness'\nimport * as guard from '@deepseek-ai/dsh-loader-smoke/invariant'\nimport {\n  somethingOfAFork,\n} from '@deepseek-ai/dsh-loader-smoke'\n",
    )
    const again = await call(['migrate'], { cwd: root.path })
    expect(again.stdout).toContain('Nothing to change')
    expect(again.stdout.match(/^left /gm)).toHaveLength(5)
  })

  it('migrates from a fork by its name, and leaves the fork itself alone', async () => {
    const own = '{"name":"@fork/loader-smoke","devDependencies":{"@fork/loader-smoke":"workspace:*"}}'
    await using root = await tempWorkspace({
      'packages/smoke/package.json': own,
      'packages/smoke/src/index.ts': "export * from '@fork/loader-smoke'\n",
      'apps/one/tests/a.ts': "import { runLoaderSmoke } from '@fork/loader-smoke'\n",
    })
    const { stdout } = await call(['migrate', '--from', '@fork/loader-smoke'], { cwd: root.path })
    expect(stdout).toBe(
      'wrote apps/one/tests/a.ts\nleft packages/smoke: it is @fork/loader-smoke itself.\nNext: install with your package manager, then run your tests.\n',
    )
    expect(await root.read('packages/smoke/package.json')).toBe(own)
    expect(await root.read('packages/smoke/src/index.ts')).toContain('@fork/loader-smoke')
  })

  it.each(['not a name', '@loader-smoke/harness'])('refuses to migrate from %j', async (from) => {
    const { code, stderr } = await call(['migrate', '--from', from], { cwd: import.meta.dirname })
    expect(code).toBe(2)
    expect(stderr).toBe(
      `loader-smoke: --from must be the name of the package to migrate from, got ${JSON.stringify(from)}.\nNext: give the name that tests import today, such as @deepseek-ai/dsh-loader-smoke.\n`,
    )
  })

  it('knows exactly the names that the peer and the harness both have', async () => {
    const { KNOWN_NAMES } = await import('../../src/migrate/names.ts')
    const [peer, ours] = await Promise.all([import('@deepseek-ai/dsh-loader-smoke'), import('@loader-smoke/harness')])
    const values = Object.keys(peer)
    expect([...KNOWN_NAMES]).toEqual(expect.arrayContaining(values))
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(values))
  })
})
