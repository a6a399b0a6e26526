import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { onTestFinished } from 'vitest'
import type { Mock } from '../../mock/index.ts'

export type OpenedConsole = {
  readonly page: Page
  /** What the browser complained of. */
  readonly troubles: readonly string[]
  /** Where requests went that did not go to the mock. */
  readonly strangers: readonly string[]
}

/** Opens the console of a mock and listens to everything that it should not do. */
export const openConsole = async (
  browser: Browser,
  mock: Mock,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<OpenedConsole> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const troubles: string[] = []
  const strangers: string[] = []
  page.on('console', message => {
    // An answer that is a failure is what some tests are about.
    if (!/^Failed to load resource/.test(message.text())) troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(String(error)))
  page.on('dialog', dialog => {
    troubles.push(dialog.message())
    void dialog.dismiss()
  })
  context.on('request', request => {
    if (!request.url().startsWith(`${mock.url}/`) && !request.url().startsWith('data:'))
      strangers.push(request.url())
  })
  await page.goto(`${mock.url}/__plantstore/${hash}`)
  await page.getByText('live', { exact: true }).waitFor()
  return { page, troubles, strangers }
}
