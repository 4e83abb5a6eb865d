/** `smokeTest` in a vitest of its own, as users run it. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const INDEX = fileURLToPath(new URL('../../src/vitest/index.ts', import.meta.url))

interface Reported {
  readonly output: string
  readonly tests: readonly {
    readonly title: string
    readonly status: string
    readonly failure: string
    readonly duration: number
  }[]
}

/** Runs a spec in a folder of its own. */
async function vitest(spec: string, files: Readonly<Record<string, string>>): Promise<Reported> {
  await using folder = await tempWorkspace({
    'package.json': '{"type": "module"}',
    'tsconfig.json': '{}',
    // The package is this repository's source here, so vitest is told to leave it to Node.
    'vitest.config.mjs': `export default { test: { include: ['*.spec.ts'], server: { deps: { external: [/packages\\/harness\\/src/] } } } }`,
    'app.spec.ts': `import { expect, vi } from ${JSON.stringify(
      createRequire(import.meta.url)
        .resolve('vitest')
        .replace(/index\.cjs$/, 'dist/index.js'),
    )}\nimport { smokeTest, smokeTestFile } from ${JSON.stringify(INDEX)}\n${spec}`,
    ...files,
  })
  const args = [
    '--conditions=@loader-smoke/source',
    VITEST,
    'run',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=report.json',
  ]
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: folder.path, env: { ...process.env, NO_COLOR: '1', VITEST: undefined } },
      (_, out, err) => resolve(out + err),
    )
  })
  const report = JSON.parse(await folder.read('report.json').catch(() => `{"testResults": []}`)) as {
    readonly testResults: readonly {
      readonly assertionResults: readonly {
        title: string
        status: string
        failureMessages: string[]
        duration: number
      }[]
    }[]
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  return {
    output,
    tests: tests.map(({ title, status, failureMessages, duration }) => ({
      title,
      status,
      failure: failureMessages.join('\n'),
      duration,
    })),
  }
}

const programs = {
  'src/good.ts': 'console.log("said by good" as string)',
  'src/bad.ts': String.raw`console.log('\u001b]0;title\u0007::error::said by bad'); process.exitCode = 7`,
  'src/hang.ts': 'setInterval(() => {}, 1_000)',
}

it('declares one test for each fixture, with its own deadline; output is told only of those that fail', async () => {
  const spec = `smokeTest({ turn: 'optional', fixtures: [
    { label: 'good', bin: 'src/good.ts' },
    { label: 'bad', bin: 'src/bad.ts' },
    { label: 'hang', bin: 'src/hang.ts', timeout: 6_500, graceMs: 0 },
  ] }, import.meta.url, (result, label) => expect([label, result]).toMatchObject(['good', { exitCode: 0 }]))`
  const { tests, output } = await vitest(spec, programs)
  expect(tests.map(({ title, status }) => [title, status])).toEqual([
    ['good', 'passed'],
    ['bad', 'failed'],
    ['hang', 'failed'],
  ])
  expect(output).not.toContain('said by good')
  expect(tests[1]?.failure).toContain('bad exited 7 (expected 0). stdout:\n␛]0;title␇::error::said by bad')
  expect(output).not.toContain('\u001b]0;')
  // Beyond vitest's own five seconds, and told by the smoke, not by the runner.
  expect(tests[2]?.failure).toContain('hang did not exit within 6.5s.')
})

it('takes a file, and a config that is wrong is told when the tests are collected', async () => {
  const good = await vitest(`await smokeTestFile(new URL('./smoke.config.json', import.meta.url))`, {
    ...programs,
    'smoke.config.json': '{"label": "from a file", "bin": "src/good.ts", "turn": "optional"}',
  })
  expect(good.tests.map(({ title, status }) => [title, status])).toEqual([['from a file', 'passed']])
  const wrong = await vitest(`smokeTest({ bin: 'src/good.ts', tmeout: 1 } as never, import.meta.url)`, programs)
  expect(wrong.output).toContain('tmeout is no option of a smoke, got 1. Did you mean timeout?')
})

it('stops the bin when vitest gives up on the test', async () => {
  const spec = `vi.setConfig({ testTimeout: 1 })
  smokeTest({ label: 'hang', bin: 'src/hang.ts', turn: 'optional', timeout: 1_000, graceMs: 0 }, import.meta.url)`
  const { tests, output } = await vitest(spec, programs)
  expect(tests[0]?.failure ?? output).toContain('hang did not exit within 1s.')
})

it('says which package a model script needs', async () => {
  const { tests, output } = await vitest(
    `smokeTest({ label: 'app', bin: 'src/good.ts', model: { script: 'model.yml' } }, import.meta.url)`,
    {
      ...programs,
      'model.yml': 'turns: []',
    },
  )
  expect(tests[0]?.failure ?? output).toContain('model needs @loader-smoke/model-replay, which is not found from')
})
