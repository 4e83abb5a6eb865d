/** The matrix of nasty programs, ways to end and containment levels. `npm run test:matrix` runs all of it and prints the table. */
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { readCapture } from '../../src/observe/capture.ts'
import { probeContainment } from '../../src/supervise/containment.ts'
import { supervise } from '../../src/supervise/supervise.ts'
import type { Ending } from '../../src/supervise/types.ts'
import { type Case, cases, fixtures, levels, promised } from './matrix/cases.ts'
import { type CaseOutcome, endings, runCase } from './matrix/run-case.ts'

/** A killed runner's tree is gone within a second; ten times that on a busy machine. */
const GONE_WITHIN_MS = 10_000
const full = process.env['MODE'] === 'matrix'
const canSubreap = probeContainment() === 'subreaper'
const seen = new Map<string, string>()
const says = {
  contained: 'leaves nothing',
  escapes: 'escapes, a known limit',
  'may escape': 'may escape, promised neither way',
}
const key = ({ level, fixture, ending }: Case) => `${level} ${fixture} ${ending}`

// Weaker levels let programs escape: there each case runs below a subreaper of its own, which needs one too.
describe.skipIf(!canSubreap).concurrent('the matrix', () => {
  it.each(cases({ full }).map((one) => ({ ...one, promise: promised(one), says: says[promised(one)] })))(
    '$level: $fixture after $ending $says',
    async ({ promise, ...one }) => {
      const outcome =
        one.level === 'subreaper'
          ? await runCase(one.fixture, one.ending, one.level, GONE_WITHIN_MS)
          : await runContained(one)
      seen.set(key(one), outcome.left.length === 0 ? 'clean' : `${outcome.left.length} left`)
      expect(facts(outcome)).toEqual(expected(one))
      expect(outcome.left.length, 'processes left, against what cases.ts and the notes say').toSatisfy(
        (count: number) => promise === 'may escape' || (promise === 'contained') === (count === 0),
      )
    },
  )

  afterAll(() => {
    if (full) console.log(table())
  })
})

async function runContained({ level, fixture, ending }: Case): Promise<CaseOutcome> {
  await using folder = await tempWorkspace()
  const program = fileURLToPath(new URL('matrix/run-case.ts', import.meta.url))
  const env = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '' }
  // What escapes is not waited for.
  const limit = promised({ level, fixture, ending }) === 'contained' ? GONE_WITHIN_MS : 1_000
  const argv = [process.execPath, program, fixture, ending, level, `${limit}`]
  const run = await supervise({
    argv,
    env,
    cwd: folder.path,
    captureDir: folder.path,
    stdio: 'file',
    graceMs: 0,
    deadlineMs: 30_000,
  })
  const { exitCode } = await run.ended
  if (exitCode !== 0) throw new Error((await readCapture(folder.file('stderr'))).text)
  return JSON.parse((await readCapture(folder.file('stdout'))).text) as CaseOutcome
}

interface Facts {
  readonly runner: CaseOutcome['runner']
  readonly reported: string | null
  readonly worldLeft: boolean
}

function facts({ runner, reported, worldLeft }: CaseOutcome): Facts {
  return {
    runner,
    reported: typeof reported === 'object' && reported !== null ? inWords(reported) : reported,
    worldLeft,
  }
}

function inWords({ exitCode, timedOut, stopped, interrupted, containment }: Ending): string {
  const how = timedOut
    ? 'timed out'
    : interrupted !== null
      ? `interrupted by ${interrupted}`
      : stopped
        ? 'stopped'
        : `exit ${exitCode}`
  return `${how} at ${containment}`
}

/** What must be reported, whatever the fixture. */
function expected({ level, ending }: Case): Facts {
  const [who = '', how = ''] = ending.split(' ')
  const exited = { exitCode: 0, signal: null }
  if (ending === 'exit') return { runner: null, reported: `exit 0 at ${level}`, worldLeft: false }
  if (ending === 'deadline') return { runner: null, reported: `timed out at ${level}`, worldLeft: false }
  if (ending === 'stop') return { runner: null, reported: `stopped at ${level}`, worldLeft: false }
  if (ending === 'runner exit') return { runner: { exitCode: 7, signal: null }, reported: null, worldLeft: false }
  if (who === 'helper') return { runner: exited, reported: 'helper', worldLeft: false }
  const signal = who === 'guard' ? 'SIGTERM' : (how as NodeJS.Signals)
  const killed = signal === 'SIGKILL'
  return {
    runner: { exitCode: null, signal },
    reported: killed ? null : `interrupted by ${signal} at ${level}`,
    worldLeft: killed,
  }
}

function table(): string {
  const rows = levels.flatMap((level) => [
    `\n${level.padEnd(20)} ${endings.map((ending) => ending.padEnd(14)).join(' ')}`,
    ...fixtures.map((fixture) => {
      const cells = endings.map((ending) => (seen.get(key({ level, fixture, ending })) ?? '-').padEnd(14))
      return `${fixture.padEnd(20)} ${cells.join(' ')} ${promised({ level, fixture, ending: 'exit' })}`
    }),
  ])
  return rows.join('\n')
}
