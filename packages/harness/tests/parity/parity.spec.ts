/** Three test files written for the peer, run as they are with the peer, and with only their import changed with this package. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..', '..', '..', '..')
const require = createRequire(import.meta.url)
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const run = promisify(execFile)

const PEER = '@deepseek-ai/dsh-loader-smoke'
const OURS = '@loader-smoke/harness'

beforeAll(async () => {
  await run(process.execPath, [tsc, '-b', join(here, '..', '..'), join(root, 'packages', 'model-replay')])
}, 120_000)

/** A copy of the callers beside them, so that their relative paths hold, in which `from` is imported instead of the peer. */
async function callersOf(from: string): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(here, '.callers-'))
  await cp(join(here, 'callers'), folder, { recursive: true })
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ts')) continue
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll(`from '${PEER}'`, `from '${from}'`))
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs the callers of `folder` and gives each test's title with how it ended. */
async function outcomes(folder: string, mode: 'src' | 'lib'): Promise<string[]> {
  const report = join(folder, 'report.json')
  const args = ['run', '--config', join(here, 'callers.config.ts'), '--root', folder]
  const env = { ...process.env, DSH_EXAMPLE_MODE: mode, VITEST: undefined, VITEST_WORKER_ID: undefined }
  try {
    await run(process.execPath, [vitest, ...args, '--reporter=json', `--outputFile=${report}`], { env })
  } catch (error) {
    // A failed test makes it exit 1; what failed is in the report.
    if ((error as { code?: unknown }).code !== 1) throw error
  }
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
  }
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => [fullName, status, ...failureMessages].join(' · ')),
  )
}

describe.each(['src', 'lib'] as const)('in mode %s', (mode) => {
  test('every test that passes with the peer passes with only the import changed', { timeout: 180_000 }, async () => {
    await using theirs = await callersOf(PEER)
    await using ours = await callersOf(OURS)
    const expected = await outcomes(theirs.folder, mode)
    expect(expected).toHaveLength(17)
    expect(expected.filter((outcome) => !outcome.endsWith(' · passed'))).toEqual([])
    expect(await outcomes(ours.folder, mode)).toEqual(expected)
  })
})

test('with only the import changed, the callers compile', { timeout: 120_000 }, async () => {
  await using ours = await callersOf(OURS)
  const config = join(ours.folder, 'tsconfig.json')
  // A folder that begins with a dot is taken for no input, so each file is named.
  const files = (await readdir(ours.folder, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const compilerOptions = { composite: false, noEmit: true, rewriteRelativeImportExtensions: false, declaration: false }
  await writeFile(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }))
  const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch((error: { stdout: string }) => error)
  expect(files).toHaveLength(5)
  expect(stdout).toBe('')
})
