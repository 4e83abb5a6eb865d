/** The HTML report in a real Chromium. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { toHtml } from '@loader-smoke/harness/report'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failedRecord, HOSTILE, sampleRecord, sampleReport } from '../../../harness/tests/report/sample.ts'
import { show, startBrowser } from '../browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser.close())

const colors = Array.from(
  { length: 16 },
  (_, index) => `\u001b[${index < 8 ? 30 + index : 82 + index}mcolour ${index}\u001b[0m`,
).join(' ')
const everything = sampleReport(
  sampleRecord({ bootWarnings: ['a warning'], keptWorld: '/tmp/kept' }),
  failedRecord({
    label: `long-${'x'.repeat(200)}`,
    stdout: {
      text: `${colors}\n\u001b[38;5;17mdark blue\u001b[0m \u001b[7minverse\u001b[0m \u001b[2mdim\u001b[0m ${'y'.repeat(5_000)}`,
      bytes: 6_000,
      truncated: false,
    },
    stderr: { text: HOSTILE, bytes: 500, truncated: true },
  }),
  failedRecord({ label: 'error', verdict: 'error', durationMs: null, exitCode: null, envNames: [], command: [] }),
)
const previous = sampleReport(sampleRecord({ durationMs: 1_000 }))
const hostile = sampleReport(
  failedRecord({
    label: HOSTILE,
    reasons: [{ check: 'turn', line: HOSTILE }],
    next: [HOSTILE],
    rerun: HOSTILE,
    command: [HOSTILE],
    envNames: [HOSTILE],
    location: { file: HOSTILE, line: 1, column: 1 },
    stdout: { text: HOSTILE, bytes: 1, truncated: true },
    turns: [
      {
        state: 'ended',
        turn: 1,
        startedMs: 1,
        endedMs: 2,
        output: HOSTILE,
        reason: null,
        usage: null,
        tools: [{ name: HOSTILE, atMs: 1 }],
        steps: [],
      },
    ],
    survivors: [{ pid: 1, command: HOSTILE }],
    bootWarnings: [HOSTILE],
  }),
)

describe('the page', () => {
  it.each(['light', 'dark'] as const)('has nothing that an accessibility checker objects to (%s)', async (scheme) => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const page = await show(browser, toHtml(everything, previous), { width: 1000, scheme })
    await page.evaluate('document.querySelectorAll("details").forEach((details) => { details.open = true })')
    // The checker runs through the debugger, which the page's own policy doesn't bind.
    await page.evaluate(axe)
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`))',
    )
    expect(violations).toEqual([])
    await page.close()
  })

  it('fits on a phone', async () => {
    const page = await show(browser, toHtml(everything, previous), { width: 360, scheme: 'dark' })
    await page.evaluate('document.querySelectorAll("details").forEach((details) => { details.open = true })')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.close()
  })

  it('is used with the keyboard alone: skip link, list of smokes, then what can be opened', async () => {
    const page = await show(browser, toHtml(sampleReport(sampleRecord())), { width: 800, scheme: 'light' })
    const focused = () => page.evaluate('document.activeElement.textContent.slice(0, 30)')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the smokes')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('app')
    while ((await focused()) !== 'stdout: 4 bytes') await page.keyboard.press('Tab')
    expect(await page.evaluate('document.querySelector("pre.stream").checkVisibility()')).toBe(false)
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.querySelector("pre.stream").checkVisibility()')).toBe(true)
    await page.close()
  })

  it('shows what happened, and how it differs from the run before', async () => {
    const page = await show(browser, toHtml(everything, previous), { width: 1000, scheme: 'light' })
    const text = String(await page.evaluate('document.body.innerText'))
    expect(text).toContain('Smokes: 1 passed, 1 failed, 1 not judged')
    expect(text).toContain('1.25 s (was 1.00 s, +0.25 s)')
    expect(text).toMatch(/650 ms\s+step 1\s+50 ms/)
    expect(text).toContain('app exited 7 (expected 0).')
    await page.close()
  })

  it('runs, loads and changes nothing for a fixture that wants it to', async () => {
    const page: Page = await browser.newPage()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => loaded.push('dialog')))
    await page.setContent(toHtml(hostile), { waitUntil: 'load' })
    expect(loaded.filter((url) => !url.startsWith('about:'))).toEqual([])
    expect(await page.title()).toBe('Smokes: 0 passed, 1 failed')
    expect(
      await page.evaluate(
        'document.querySelectorAll("script,img,iframe,object,link,form,a:not([href^=\\"#\\"])").length',
      ),
    ).toBe(0)
    expect(await page.evaluate('document.querySelectorAll("style").length')).toBe(1)
    // All of it is there to be read, as text.
    expect(String(await page.evaluate('document.querySelector(".reasons").textContent'))).toContain(
      '<script>document.title="owned"</script>',
    )
    await page.close()
  })

  it('has a policy under which even an escaping mistake of ours runs nothing', async () => {
    const page = await browser.newPage()
    const broken = toHtml(sampleReport(sampleRecord())).replace(
      '</main>',
      '<script>document.title="owned"</script><img src="https://127.0.0.1:9/x" onerror="document.title=\'owned\'"></main>',
    )
    await page.setContent(broken, { waitUntil: 'load' })
    expect(await page.title()).toBe('Smokes: 1 passed, 0 failed')
    await page.close()
  })
})
