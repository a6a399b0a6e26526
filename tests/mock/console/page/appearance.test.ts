/** What holds for every panel, in a real browser: accessibility, narrow windows, themes, no network but the mock. */
import { expect, test } from 'vitest'
import { shopDocument } from '../../../documents/index.ts'
import { violationsOn } from '../../../reports/axe.ts'
import { send, startMock } from '../../client.ts'
import { eventually, rowsOf, startMockWithTraffic, useBrowser } from './open-console.ts'

const openConsole = useBrowser()
const hashes = ['#traffic', '#request/2', '#scenarios', '#contract', '#coverage'] as const
const shopHashes = ['#contract/listProducts', '#contract/addPhoto'] as const

test.each(['light', 'dark'] as const)('axe finds no violation on any panel, %s', async colorScheme => {
  const mock = await startMockWithTraffic()
  // axe needs what the page's policy forbids.
  const { page } = await openConsole(mock, '', { colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
  const shop = await startMock({ contract: shopDocument })
  const places = [
    ...hashes.map(hash => ({ url: mock.url, hash })),
    ...shopHashes.map(hash => ({ url: shop.url, hash })),
  ]
  for (const { url, hash } of places) {
    await page.goto(`${url}/__plantstore/${hash}`)
    await page.locator(':is(.title, .rows):visible').first().waitFor()
    if (hash === '#coverage') await page.getByText('reject', { exact: true }).click()
    if (hash === '#contract') await page.getByRole('button', { name: 'Send' }).click()
    if (hash === '#contract/addPhoto') await page.getByLabel('Choose files').check()
    if (hash === '#request/2') await page.getByRole('button', { name: 'Pin answer' }).click()
    if (hash === '#request/2') await page.getByRole('button', { name: 'Copy as curl' }).click()
    // Only the colours depend on the theme.
    const options: Parameters<typeof violationsOn>[1] =
      colorScheme === 'dark' ? { runOnly: { type: 'rule', values: ['color-contrast'] } } : {}
    expect((await violationsOn(page, options)).map(text => `${hash} ${text}`)).toEqual([])
  }
})

test('no panel is wider than a phone, or than a window at 200 % zoom', async () => {
  const mock = await startMockWithTraffic()
  await send(mock, { method: 'GET', path: `/${'long'.repeat(200)}` })
  const shop = await startMock({ contract: shopDocument })
  const { page } = await openConsole(mock, '', { viewport: { width: 320, height: 700 } })
  // From one mock to another the page is loaded again, but not from panel to panel.
  const widths = [320, 390, 640]
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    for (const hash of [...hashes, '#request/4']) {
      await page.goto(`${mock.url}/__plantstore/${hash}`)
      await page.locator(':is(.title, .rows):visible').first().waitFor()
      expect({ hash, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
        hash,
        width,
      })
    }
    await page.getByRole('button', { name: '← All requests' }).click()
    await rowsOf(page).first().waitFor()
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    for (const hash of shopHashes) {
      await page.goto(`${shop.url}/__plantstore/${hash}`)
      await page.locator('.title, .form').last().waitFor()
      expect({ hash, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
        hash,
        width,
      })
    }
  }
})

test('the theme follows the system until one is chosen, and the choice is kept', async () => {
  const mock = await startMock()
  const { page } = await openConsole(mock, '', { colorScheme: 'dark' })
  const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.getByRole('button', { name: 'Theme: auto' }).click()
  await eventually(background).not.toBe(dark)
  await page.reload()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await eventually(background).toBe(dark)
})

test('the page can reach nothing but the mock, even if a script in it tries to', async () => {
  const mock = await startMock()
  const { page, problems } = await openConsole(mock)
  await page.evaluate(`fetch('http://127.0.0.1:9/').catch(() => {})`)
  await eventually(() => problems.join()).toContain('Content Security Policy')
})
