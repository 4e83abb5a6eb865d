/** Every reporter on every broken example, as files to be read by eye in a change: `generated/`. Updated with `vitest run packages/cli/tests/report/golden.spec.ts -u` (the flag last: it takes a value). */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { recordSmoke, type SmokeRecord } from '@loader-smoke/harness'
import { type SmokeReport, toAnnotations, toHtml, toJson, toJunit, toSummary } from '@loader-smoke/harness/report'
import { beforeAll, expect, it } from 'vitest'
import { cases } from '../../../examples/broken/tests/cases.ts'
import { build, optionsOf } from '../../../examples/broken/tests/options-of.ts'
import { smokeLines, totalLine } from '../../src/run/lines.ts'
import { paintFor } from '../../src/run/paint.ts'
import { runPool } from '../../src/run/pool.ts'
import { parseJunit } from './junit-rules.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const plain = paintFor({ NO_COLOR: '1' }, false)
let report: SmokeReport

beforeAll(async () => {
  await build()
  const records = await runPool(cases, {
    jobs: availableParallelism(),
    run: (broken) => recordSmoke({ label: broken.name, ...optionsOf(broken) }, root),
    stop: () => false,
  })
  report = {
    version: 1,
    tool: { name: 'loader-smoke', version: '0.1.0' },
    machine: { node: 'v24.21.0', platform: 'linux' },
    startedAtMs: 1_700_000_000_000,
    durationMs: 60_000,
    smokes: records.filter((record) => record !== undefined).map(steady),
  }
}, 300_000)

/** The record without what differs from run to run and from machine to machine: times, ports, ids, folders. */
function steady(record: SmokeRecord): SmokeRecord {
  const text = JSON.stringify(record, (key, value: unknown) => {
    if (key === 'startedAtMs' && value !== null) return 1_700_000_000_000
    if (key === 'durationMs' && value !== null) return 1_000
    if (key.endsWith('Ms') && key !== 'deadlineMs' && typeof value === 'number') return 500
    if (key === 'bytes') return 0
    if (key === 'envNames') return ['DSH_HOME', 'PATH']
    return value
  })
  const replaced = text
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(root, '/repo/')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1')
    .replace(/\/tmp\/[\w.-]*loader-smoke-[\w-]+/g, '/tmp/world')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/(\/node_modules\/tsx\/dist\/)[\w.-]+/g, '$1loader.mjs')
    .replace(/\\n {4}at [^"]*?(?=\\n(?! {4}at )|")/g, '\\n    at …')
  const steadied = JSON.parse(replaced) as SmokeRecord
  const { label, mode, stdout, stderr } = steadied
  // The command as this program gives it; the harness' own has a test of its own.
  const rerun = steadied.rerun === null ? null : `npx loader-smoke run ${label} --mode ${mode}`
  return { ...steadied, rerun, stdout: withBytes(stdout), stderr: withBytes(stderr) }
}

function withBytes(stream: SmokeRecord['stdout']): SmokeRecord['stdout'] {
  return { ...stream, bytes: Buffer.byteLength(stream.text) }
}

const golden = (name: string) => fileURLToPath(new URL(`generated/${name}`, import.meta.url))

it('are told in the terminal', async () => {
  const lines = report.smokes.flatMap((smoke) => [...smokeLines(smoke, plain), ''])
  await expect([...lines, totalLine(report.smokes, 0, report.durationMs, plain), ''].join('\n')).toMatchFileSnapshot(
    golden('broken.txt'),
  )
})

it('are stored as JSON', () => expect(toJson(report)).toMatchFileSnapshot(golden('broken.json')))

it('are JUnit XML that Jenkins takes', async () => {
  const xml = toJunit(report)
  expect(parseJunit(xml).children[0]?.children.filter(({ name }) => name === 'testcase')).toHaveLength(cases.length)
  await expect(xml).toMatchFileSnapshot(golden('broken.junit.xml'))
})

it('are annotations and a summary of GitHub', async () => {
  await expect(toAnnotations(report, '/repo')).toMatchFileSnapshot(golden('broken.annotations.txt'))
  await expect(toSummary(report)).toMatchFileSnapshot(golden('broken.summary.md'))
})

it('are a page', () => expect(toHtml(report)).toMatchFileSnapshot(golden('broken.html')))
