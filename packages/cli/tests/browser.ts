/** A real Chromium for looking at report pages, without network and without any other file. */
import chromium from '@sparticuz/chromium'
import { type Browser, launch, type Page } from 'puppeteer-core'

/** Starts the browser; close it. Nothing but the given pages is ever loaded. */
export async function startBrowser(): Promise<Browser> {
  return launch({
    args: [...chromium.args, '--no-sandbox', '--disable-dev-shm-usage'],
    executablePath: await chromium.executablePath(),
    headless: 'shell',
  })
}

/** How a page is looked at. */
export interface View {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

/** Shows `html` in a new tab. */
export async function show(browser: Browser, html: string, { width, scheme }: View): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport({ width, height: 900 })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.setContent(html, { waitUntil: 'load' })
  return page
}
