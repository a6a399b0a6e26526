import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'

export type Opened = {
  readonly page: Page
  readonly troubles: readonly string[]
  readonly requests: readonly string[]
  readonly url: string
}

/** Opens a report from disk and records everything that it should not do. */
export const openReport = async (
  browser: Browser,
  folder: string,
  events: readonly RunEvent[],
  options: BrowserContextOptions,
  hash: string,
): Promise<Opened> => {
  const file = join(folder, `${randomUUID()}.html`)
  writeFileSync(file, reports.html.write(foldLedger(events)))
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const troubles: string[] = []
  const requests: string[] = []
  page.on('console', message => troubles.push(message.text()))
  page.on('pageerror', error => troubles.push(String(error)))
  page.on('dialog', dialog => {
    troubles.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('request', request => requests.push(request.url()))
  const url = pathToFileURL(file).href
  await page.goto(`${url}${hash}`)
  return { page, troubles, requests, url }
}
