import fc from 'fast-check'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { emptyFolder } from '../../folder.ts'
import { expectAccessible } from '../axe.ts'
import { request, response } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'
import { type Opened, openReport } from './open-report.ts'

let browser: Browser
const folder = emptyFolder()
const wait = 120_000
const patient = { timeout: 30_000 }

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

const open = (events: readonly RunEvent[], options: BrowserContextOptions = {}, hash = ''): Promise<Opened> =>
  openReport(browser, folder, events, options, hash)

const close = (page: Page): Promise<void> => page.context().close()
/** CPU seconds of the page's process: the time of day would include other programs. */
const processTime = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN
}
const visibleRows = (page: Page): Promise<number> => page.locator('tr[data-status]:visible').count()

test.each(Object.entries(runs))(
  'the report of the run %s opens from disk without network requests or console messages',
  async (_name, run) => {
    const { page, troubles, requests, url } = await open(run)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.getByRole('img', { name: /passed/ }).count()).toBe(1)
    expect(requests.filter(each => each !== url && each !== 'data:,')).toEqual([])
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'the page cannot reach the network even if something in it tried',
  async () => {
    const { page, requests, troubles } = await open(runs.conformant)
    await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => {}))
    expect(requests.filter(each => each.startsWith('http'))).toEqual([])
    expect(troubles.join()).toContain('Content Security Policy')
    await close(page)
  },
  wait,
)

test(
  'words, tags and verdicts filter the requirements',
  async () => {
    const { page } = await open(runs.fiveFailures)
    expect(await visibleRows(page)).toBe(21)
    await page.getByRole('searchbox').fill('int64')
    expect(await visibleRows(page)).toBe(2)
    await page.getByRole('searchbox').fill('family:reject verdict:failed')
    expect(await visibleRows(page)).toBe(3)
    expect(await page.getByRole('status').textContent()).toBe('3 of 21 shown')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => visibleRows(page), patient).toBe(21)
    await page.getByRole('checkbox', { name: /^passed/ }).uncheck()
    expect(await visibleRows(page)).toBe(8)
    await page
      .locator('table.map')
      .getByRole('link', { name: /1 failed.*3 passed/s })
      .click()
    expect(await visibleRows(page)).toBe(4)
    await close(page)
  },
  wait,
)

test(
  'a link to a requirement leads there, even if a filter hides it',
  async () => {
    const { page, url } = await open(runs.fiveFailures, {}, '#createPlant/auth/none')
    const row = page.locator('[id="createPlant/auth/none"]')
    await expect
      .poll(
        () => row.evaluate(each => each.matches(':target') && each.getBoundingClientRect().top < 900),
        patient,
      )
      .toBe(true)
    await page.getByRole('searchbox').fill('int64')
    expect(await row.isVisible()).toBe(false)
    await page.goto(`${url}#createPlant/auth/none`)
    await page.evaluate(`dispatchEvent(new Event('hashchange'))`)
    expect(await row.isVisible()).toBe(true)
    await close(page)
  },
  wait,
)

test(
  'a command is copied as it is shown',
  async () => {
    const { page } = await open(runs.fiveFailures, { permissions: ['clipboard-read', 'clipboard-write'] })
    const button = page.getByRole('button', { name: 'Copy the curl command' }).nth(1)
    await button.click()
    await expect.poll(() => button.textContent(), patient).toBe('Copied')
    const finding = runs.fiveFailures.filter(event => event.type === 'finding')[1]
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(finding?.curl)
    await close(page)
  },
  wait,
)

test(
  'light and dark follow the system until a reader chooses',
  async () => {
    const { page } = await open(runs.conformant, { colorScheme: 'dark' })
    const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.getByRole('button', { name: 'Theme: auto' }).click()
    expect(await background()).not.toBe(dark)
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await background()).toBe(dark)
    await close(page)
  },
  wait,
)

test.each(['fiveFailures', 'waived', 'baselined', 'inconclusive', 'partial'] as const)(
  'axe finds nothing in the run %s, in light and in dark',
  async name => {
    // axe needs what the page's policy forbids.
    const { page } = await open(runs[name], { bypassCSP: true, reducedMotion: 'reduce' })
    await expectAccessible(page, 'light and dark')
    await close(page)
  },
  wait,
)

test(
  'without scripts everything is shown, except what would not work',
  async () => {
    const { page, troubles } = await open(runs.fiveFailures, { javaScriptEnabled: false })
    expect(await visibleRows(page)).toBe(21)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.locator('.finding').first().getByText('Reproduce').isVisible()).toBe(true)
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'it fits a phone: nothing is wider than the screen',
  async () => {
    for (const run of [runs.fiveFailures, runs.hostile]) {
      const { page } = await open(run, { viewport: { width: 390, height: 800 } })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await close(page)
    }
  },
  wait,
)

test(
  'a contract of 2,100 requirements opens within 1 s of the browser’s time, and filters',
  async () => {
    const { page, troubles } = await open(many(100))
    expect(await processTime(page)).toBeLessThan(1)
    await page.getByRole('searchbox').fill('operation:operation043')
    expect(await visibleRows(page)).toBeGreaterThan(0)
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'the page of a contract of 20,000 requirements opens within 6 s of the browser’s time, filters, and leads to what it lists',
  async () => {
    const { page, troubles, url } = await open(many(953))
    expect(await processTime(page)).toBeLessThan(6)
    expect(await page.getByRole('status').textContent()).toMatch(/^(\d{4}) of \1 shown$/)
    expect(await page.locator('tr[data-status]').count()).toBeLessThan(500)
    // It failed, as did that of every tenth operation.
    await page.goto(`${url}#operation903/request/body/id/type`)
    const row = page.locator('[id="operation903/request/body/id/type"]')
    await expect.poll(() => row.evaluate(each => each.getBoundingClientRect().top), patient).toBeLessThan(900)
    await page.getByRole('searchbox').fill('operation:operation043')
    expect(await visibleRows(page)).toBeGreaterThan(0)
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'a finding shows its lines of the contract, with the relevant one marked',
  async () => {
    const { page } = await open(runs.fiveFailures)
    const excerpt = page.locator('.finding').first().locator('.excerpt')
    expect((await excerpt.locator('mark').textContent())?.trim()).toMatch(/^49 +type: integer$/)
    expect(await excerpt.textContent()).toContain('format: int64')
    await close(page)
  },
  wait,
)

test(
  'every operation has its status codes and a strip of its response times',
  async () => {
    const { page } = await open(runs.conformant)
    const table = page.locator('table.responses')
    expect(await table.locator('tbody tr').count()).toBe(1)
    expect(await table.locator('.statuses').textContent()).toBe('200 × 2')
    expect(
      await table.getByRole('img', { name: '2 responses: median 3.2 ms, longest 3.2 ms' }).isVisible(),
    ).toBe(true)
    await close(page)
  },
  wait,
)

test(
  'every clause has its requirements and verdicts, or the reason why there are none; a link opens it',
  async () => {
    const { page } = await open(runs.fiveFailures, {}, '#clause/new-plant/id')
    const clause = page.locator('[id="clause/new-plant/id"]')
    await expect.poll(() => clause.getByRole('listitem').count(), patient).toBe(4)
    expect(await clause.getByRole('listitem').first().textContent()).toBe(
      'createPlant/request/body/id/type failed',
    )
    expect(await page.locator('[id="clause/events"]').textContent()).toContain('the document shows none')
    await clause.getByRole('link').first().click()
    await expect.poll(() => page.url(), patient).toContain('#createPlant/request/body/id/type')
    await close(page)
  },
  wait,
)

test(
  'on paper a cause has at most a page, however many operations show it and however long its exchange is',
  async () => {
    const body = '{"id":"0","name":"'.padEnd(3000, 'Fern\\n')
    const long = many(400).map(event =>
      event.type === 'finding'
        ? { ...event, request: request(body), outcome: response(200, body), curl: `curl -d '${body}'` }
        : event,
    )
    // A4 less its margins, in CSS pixels.
    const { page } = await open(long, { viewport: { width: 680, height: 1000 } })
    await page.emulateMedia({ media: 'print' })
    const [height, ...others] = await page
      .locator('.finding')
      .evaluateAll(all => all.map(each => each.getBoundingClientRect().height))
    expect(others).toEqual([])
    expect(height).toBeLessThan(1000)
    await close(page)
  },
  wait,
)

test(
  'a printed page is complete: it has the lists that were closed and the rows that were not shown',
  async () => {
    const { page } = await open(many(90))
    expect(await page.locator('tr[data-status]').count()).toBeLessThan(500)
    expect(await page.locator('.clause-row li').count()).toBe(0)
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await page.locator('tr[data-status]').count()).toBe(1890)
    expect(await page.locator('.clause-row li').count()).toBe(1890)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('nav').isVisible()).toBe(false)
    await close(page)
  },
  wait,
)

type Parsed = {
  readonly tags: readonly string[]
  readonly attributes: readonly string[]
  readonly links: readonly string[]
  readonly scripts: number
}

// Runs in the browser, with its parser.
const parse = `source => {
  const elements = [...new DOMParser().parseFromString(source, 'text/html').querySelectorAll('*')]
  const links = elements.flatMap(each => ['href', 'src', 'action'].flatMap(name => each.getAttribute(name) ?? []))
  return {
    tags: [...new Set(elements.map(each => each.localName))],
    attributes: [...new Set(elements.flatMap(each => each.getAttributeNames()))],
    links: links.filter(each => !each.startsWith('#') && each !== 'data:,'),
    scripts: elements.filter(each => each.localName === 'script').length,
  }
}`

test(
  'any text from a server stays text: a browser reads no element, attribute or link from it',
  async () => {
    const { page } = await open(runs.conformant)
    const parsed = (text: string): Promise<Parsed> => page.evaluate(`(${parse})(${JSON.stringify(text)})`)
    const known = [runs.fiveFailures, runs.inconclusive, runs.partial].map(run =>
      reports.html.write(foldLedger(run)),
    )
    const plain = await Promise.all(known.map(parsed))
    const tags = new Set(plain.flatMap(each => each.tags))
    const attributes = new Set(plain.flatMap(each => each.attributes))
    await fc.assert(
      fc.asyncProperty(anyLedger, async ledger => {
        const seen = await parsed(reports.html.write(ledger))
        expect(seen.tags.filter(each => !tags.has(each) && each !== 'i')).toEqual([])
        expect(seen.attributes.filter(each => !attributes.has(each))).toEqual([])
        expect(seen.links).toEqual([])
        expect(seen.scripts).toBe(1)
      }),
    )
    await close(page)
  },
  wait,
)
