import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import type { Mock } from '../../../../mock/index.ts'
import { launchBrowser } from '../../../browser.ts'
import { postPlant, send, startMock } from '../../client.ts'

export type OpenedConsole = {
  readonly page: Page
  /** Errors, warnings and dialogs in the browser. */
  readonly problems: readonly string[]
  /** Requests to anything but the mock. */
  readonly foreignRequests: readonly string[]
}

export type OpenConsole = (
  mock: Mock,
  hash?: string,
  options?: BrowserContextOptions,
) => Promise<OpenedConsole>

// Long enough for a busy machine: a test that passes waits for none of it.
const patience = 30_000

/**
 * Starts a browser for the tests of a file, and gives the function that opens the console of a mock in it. The tests share
 * one page, because a new one takes as long as a test; with options a test gets a page of its own.
 */
export const useBrowser = (): OpenConsole => {
  let browser: Browser
  let shared: Page | undefined
  vi.setConfig({ testTimeout: 120_000 })
  beforeAll(async () => {
    browser = await launchBrowser()
  }, 600_000)
  afterAll(async () => {
    vi.resetConfig()
    await browser?.close()
  })
  const newPage = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    context.setDefaultTimeout(patience)
    return context.newPage()
  }
  return async (mock, hash = '', options) => {
    shared ??= await newPage({})
    const page = options === undefined ? shared : await newPage(options)
    onTestFinished(() => (page === shared ? leave(page) : page.context().close()))
    const problems: string[] = []
    const foreignRequests: string[] = []
    page.on('console', message => {
      // Some tests are about failing responses.
      if (!/^Failed to load resource/.test(message.text())) problems.push(message.text())
    })
    page.on('pageerror', error => problems.push(String(error)))
    page.on('dialog', dialog => {
      problems.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', request => {
      if (!request.url().startsWith(`${mock.url}/`) && !request.url().startsWith('data:'))
        foreignRequests.push(request.url())
    })
    await page.goto(`${mock.url}/__plantstore/${hash}`)
    await page.getByText('live', { exact: true }).waitFor()
    return { page, problems, foreignRequests }
  }
}

/** Leaves nothing of a test behind: the next one may be about the same mock, or about one that gets the same port. */
const leave = async (page: Page): Promise<void> => {
  for (const event of ['console', 'pageerror', 'dialog', 'request']) page.removeAllListeners(event)
  await page.evaluate('sessionStorage.clear(), localStorage.clear()')
  // A request of the page that is still on its way would be one of the next test.
  await page.goto('about:blank')
}

/** Asserts about a value again and again until it holds. */
export const eventually = <T>(value: () => T) => expect.poll(value, { timeout: patience })

/** Text as it is rendered. */
export const textOf = async (locator: Locator): Promise<string> => (await locator.allInnerTexts()).join('\n')

export const rowsOf = (page: Page): Locator => page.locator('li[role=option]')

export const withToken = { Authorization: 'Bearer s3cret-token' }
export const validRequest = postPlant(
  '{"id":9223372036854775807,"name":"Monstera","tag":"indoor"}',
  withToken,
)

/** A mock with a valid request, one with two violations, and one that the contract does not declare. */
export const startMockWithTraffic = async (): Promise<Mock> => {
  const mock = await startMock()
  await send(mock, validRequest)
  await send(mock, postPlant('{"id":"2","tag":"indoor"}', withToken))
  await send(mock, { method: 'GET', path: '/nowhere?access_token=s3cret-token' })
  return mock
}
