import AxeBuilder from '@axe-core/playwright'
import fc from 'fast-check'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reports } from '../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../spec/index.ts'
import { launchBrowser } from '../browser.ts'
import { emptyFolder } from '../folder.ts'
import { anyLedger } from './ledgers.ts'
import { many } from './many.ts'
import { type Opened, openReport } from './open-report.ts'
import { runs } from './runs.ts'

let browser: Browser
const folder = emptyFolder()
const wait = 60_000

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

const open = (events: readonly RunEvent[], options: BrowserContextOptions = {}, hash = ''): Promise<Opened> =>
  openReport(browser, folder, events, options, hash)

const close = (page: Page): Promise<void> => page.context().close()
const visibleRows = (page: Page): Promise<number> => page.locator('tr[data-standing]:visible').count()

test.each(Object.entries(runs))(
  'the report of the run %s opens from disk, asks the network for nothing and is quiet',
  async (_name, run) => {
    const { page, troubles, requests, url } = await open(run)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.getByRole('img', { name: /kept/ }).count()).toBe(1)
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
  'words, tags and verdicts filter the promises',
  async () => {
    const { page } = await open(runs.brokenFive)
    expect(await visibleRows(page)).toBe(21)
    await page.getByRole('searchbox').fill('int64')
    expect(await visibleRows(page)).toBe(2)
    await page.getByRole('searchbox').fill('family:refuse verdict:broken')
    expect(await visibleRows(page)).toBe(3)
    expect(await page.getByRole('status').textContent()).toBe('3 of 21 shown')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => visibleRows(page)).toBe(21)
    await page.getByRole('checkbox', { name: /^kept/ }).uncheck()
    expect(await visibleRows(page)).toBe(8)
    await page
      .locator('table.map')
      .getByRole('link', { name: /1 broken.*3 kept/s })
      .click()
    expect(await visibleRows(page)).toBe(4)
    await close(page)
  },
  wait,
)

test(
  'a link to a promise leads there, also when a filter hides it',
  async () => {
    const { page, url } = await open(runs.brokenFive, {}, '#createPlant/auth/none')
    const row = page.locator('[id="createPlant/auth/none"]')
    await expect
      .poll(() => row.evaluate(each => each.matches(':target') && each.getBoundingClientRect().top < 900))
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
  'a command is copied as it stands',
  async () => {
    const { page } = await open(runs.brokenFive, { permissions: ['clipboard-read', 'clipboard-write'] })
    const button = page.getByRole('button', { name: 'Copy the curl command' }).nth(1)
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Copied')
    const finding = runs.brokenFive.filter(event => event.type === 'finding')[1]
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

test.each([
  ['brokenFive', 'light'],
  ['brokenFive', 'dark'],
  ['waived', 'light'],
  ['waived', 'dark'],
  ['adopted', 'light'],
  ['adopted', 'dark'],
  ['inconclusive', 'light'],
  ['inconclusive', 'dark'],
] as const)(
  'axe finds nothing to complain of in the run %s, %s',
  async (name, colorScheme) => {
    // axe itself needs what the page's policy forbids.
    const { page } = await open(runs[name], { colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`),
    ).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'without its script everything is there, and nothing that would not work',
  async () => {
    const { page, troubles } = await open(runs.brokenFive, { javaScriptEnabled: false })
    expect(await visibleRows(page)).toBe(21)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await page.locator('.finding').first().getByText('See it again').isVisible()).toBe(true)
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

test(
  'it fits a phone: nothing is wider than the screen',
  async () => {
    for (const run of [runs.brokenFive, runs.hostile]) {
      const { page } = await open(run, { viewport: { width: 390, height: 800 } })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await close(page)
    }
  },
  wait,
)

test(
  'a contract of 2,100 promises opens within 3 s and filters',
  async () => {
    const begin = performance.now()
    const { page, troubles } = await open(many(100))
    expect(performance.now() - begin).toBeLessThan(3000)
    await page.getByRole('searchbox').fill('operation:operation042')
    expect(await visibleRows(page)).toBe(21)
    expect(troubles).toEqual([])
    await close(page)
  },
  wait,
)

type Told = {
  readonly tags: readonly string[]
  readonly attributes: readonly string[]
  readonly links: readonly string[]
  readonly scripts: number
}

// Runs in the browser, by its own parser.
const tell = `source => {
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
  'whatever a server says stays text: a browser reads no element, attribute or link from it',
  async () => {
    const { page } = await open(runs.conformant)
    const told = (text: string): Promise<Told> => page.evaluate(`(${tell})(${JSON.stringify(text)})`)
    const known = [runs.brokenFive, runs.inconclusive].map(run => reports.html.write(foldLedger(run)))
    const plain = await Promise.all(known.map(told))
    const tags = new Set(plain.flatMap(each => each.tags))
    const attributes = new Set(plain.flatMap(each => each.attributes))
    await fc.assert(
      fc.asyncProperty(anyLedger, async ledger => {
        const seen = await told(reports.html.write(ledger))
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
