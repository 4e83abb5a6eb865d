/**
 * Draws the screenshots in `notes/pages/`: the page of the passing examples as a whole, and the part of each broken one. Not a test:
 * `npx node packages/cli/tests/report/screenshots.ts`.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordSmoke, type SmokeRecord } from '@loader-smoke/harness'
import { type SmokeReport, toHtml } from '@loader-smoke/harness/report'
import { cases } from '../../../examples/broken/tests/cases.ts'
import { build, optionsOf } from '../../../examples/broken/tests/options-of.ts'
import { smoke as codex } from '../../../examples/codex/tests/smoke-options.ts'
import { show, startBrowser, type View } from '../browser.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = fileURLToPath(new URL('../../notes/pages/', import.meta.url))
const inAgent = (path: string) => join(root, 'packages/examples/agent', path)

const agent = {
  label: 'example',
  binScript: inAgent('src/bin.ts'),
  configPath: inAgent('cordis.yml'),
  tsconfigPath: join(root, 'tsconfig.base.json'),
  binArgs: [inAgent('cordis.yml'), 'Write the answer into note.txt and tell me what it says.'],
  env: { DEEPSEEK_API_KEY: 'keyless', NODE_OPTIONS: '--conditions=@loader-smoke/source' },
  envMode: 'strict',
  turn: 'required',
} as const

await mkdir(folder, { recursive: true })
await build()
const passing = [await recordSmoke(codex, root), await recordSmoke(agent, root)]
const broken: SmokeRecord[] = []
for (const one of cases) broken.push(await recordSmoke({ label: one.name, ...optionsOf(one) }, root))

const browser = await startBrowser()
const views: Readonly<Record<string, View>> = {
  wide: { width: 1_000, scheme: 'light' },
  phone: { width: 390, scheme: 'dark' },
}
for (const [name, view] of Object.entries(views)) {
  const page = await show(browser, toHtml(reportOf(passing), earlier(passing)), view)
  await page.screenshot({ path: `${folder}passing-${name}.png`, fullPage: true })
  await page.close()
}
const page = await show(browser, toHtml(reportOf(broken)), { width: 1_000, scheme: 'light' })
for (const [index, { label }] of broken.entries()) {
  const part = await page.$(`#smoke-${index + 1}`)
  await part?.screenshot({ path: `${folder}${label}.png` })
}
await browser.close()

/** A page about this machine's folders would be of no use to others. */
function reportOf(smokes: readonly SmokeRecord[]): SmokeReport {
  const report: SmokeReport = {
    version: 1,
    tool: { name: 'loader-smoke', version: '0.1.0' },
    machine: { node: process.version, platform: process.platform },
    startedAtMs: Date.now(),
    durationMs: smokes.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    smokes,
  }
  return JSON.parse(
    JSON.stringify(report).replaceAll(process.execPath, '/usr/bin/node').replaceAll(root, '/repo/'),
  ) as SmokeReport
}

/** The same smokes as a run before might have left them, so that the comparison is seen. */
function earlier(smokes: readonly SmokeRecord[]): SmokeReport {
  return reportOf(smokes.map((record) => ({ ...record, durationMs: (record.durationMs ?? 0) + 120 })))
}
