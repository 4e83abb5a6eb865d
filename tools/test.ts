/**
 * `npm test`: every check of this repository, one after another, and their totals in the last line.
 *
 * A step that is a program counts as one check; the test runner counts as many as it ran. Nothing is skipped silently: each skipped test is
 * printed with its reason, and with `CI` set a skipped test is a failed one, unless `tools/allowed-skips.json` says why it can't run there.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { type Totals, totalsOfReport } from './test-totals.ts'

const root = new URL('..', import.meta.url).pathname

/** One program of this repository's tools; `args[0]` is a bin that npx finds. */
interface Step {
  readonly name: string
  readonly args: readonly string[]
}

const steps: readonly Step[] = [
  { name: 'build and types', args: ['tsc', '-b', 'packages/tsconfig.json'] },
  { name: 'lint', args: ['oxlint', '--deny-warnings'] },
  { name: 'format', args: ['oxfmt', '--check'] },
]

function run(args: readonly string[]): boolean {
  const done = spawnSync('npx', ['--no-install', ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (done.error) throw done.error
  return done.status === 0
}

function runStep({ name, args }: Step): Totals {
  console.log(styleText('bold', `\n── ${name}: ${args.join(' ')}`))
  const ok = run(args)
  console.log(ok ? `${name}: passed` : styleText('red', `${name}: failed`))
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function runTests(patterns: readonly string[]): Totals {
  console.log(styleText('bold', '\n── tests: vitest'))
  const folder = mkdtempSync(join(tmpdir(), 'loader-smoke-test-report-'))
  try {
    const report = join(folder, 'report.json')
    const ok = run([
      'vitest',
      'run',
      '--config',
      'tools/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...patterns,
    ])
    const allowed = JSON.parse(readFileSync(new URL('allowed-skips.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >
    const totals = totalsOfReport(readFileSync(report, 'utf8'), {
      skipsFail: Boolean(process.env['CI']),
      allowed,
      say: console.log,
    })
    // An error outside any test (an unhandled rejection, a file that does not load) makes the runner red without a failed test.
    return ok || totals.failed > 0 ? totals : { passed: totals.passed, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const totals = [...steps.map(runStep), runTests(process.argv.slice(2))]
const passed = totals.reduce((sum, step) => sum + step.passed, 0)
const failed = totals.reduce((sum, step) => sum + step.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
