/** The page of the console, in a real browser. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mock } from '../../mock/index.ts'
import { launchBrowser } from '../browser.ts'
import { libraryDocument } from '../documents/index.ts'
import { ask, exchange, postPlant, startMock } from './ask.ts'
import { openConsole } from './open-console.ts'

let browser: Browser
const wait = 120_000

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

const token = { Authorization: 'Bearer s3cret-token' }
const valid = postPlant('{"id":9223372036854775807,"name":"Monstera","tag":"indoor"}', token)
const broken = postPlant('{"id":"2","tag":"indoor"}', token)

/** A valid request, one that broke two rules, and one of nothing declared. */
const withTraffic = async (): Promise<Mock> => {
  const mock = await startMock()
  await ask(mock, valid)
  await ask(mock, broken)
  await ask(mock, { method: 'GET', path: '/nowhere?access_token=s3cret-token' })
  return mock
}

const rows = (page: Page): Locator => page.locator('li[role=option]')
const main = (page: Page): Locator => page.getByRole('region', { name: 'The chosen request' })
/** Text as it shows. */
const shown = async (locator: Locator): Promise<string> => (await locator.allInnerTexts()).join('\n')

// Runs in the browser: milliseconds for a step down the list.
const walk = `(async () => {
  const begin = performance.now()
  for (let step = 0; step < 50; step++) {
    document.querySelector('[role=listbox]').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
    await new Promise(requestAnimationFrame)
  }
  return (performance.now() - begin) / 50
})()`

describe('traffic', () => {
  test(
    'shows what was there before, what comes live, newest first, and the verdict of each',
    async () => {
      const mock = await withTraffic()
      const { page, troubles, strangers } = await openConsole(browser, mock)
      await expect.poll(() => rows(page).count()).toBe(3)
      expect(await shown(rows(page).nth(0))).toMatch(/not declared.*GET.*\/nowhere.*404/s)
      expect(await shown(rows(page).nth(1))).toMatch(
        /broke 2 rules.*POST.*\/plants.*400.*\/name is missing and 1 more/s,
      )
      expect(await shown(rows(page).nth(2))).toMatch(/valid.*POST.*\/plants.*200/s)
      await ask(mock, postPlant('{"id":1,}'))
      await expect.poll(() => shown(rows(page).nth(0))).toMatch(/broke 1 rule.*the body is not JSON/s)
      await exchange(mock, 'NONSENSE\r\n\r\n')
      await expect.poll(() => shown(rows(page).nth(0))).toMatch(/no HTTP.*400/s)
      expect(troubles).toEqual([])
      expect(strangers).toEqual([])
    },
    wait,
  )

  test(
    'a request tells its reasons, the promises that it broke and where these stand; int64 and bodies are whole',
    async () => {
      const mock = await withTraffic()
      const { page } = await openConsole(browser, mock, '#request/2')
      await page.getByRole('heading', { name: 'Broke 2 rules' }).waitFor()
      const text = await shown(main(page))
      expect(text).toContain('/id must be an integer')
      expect(text).toContain('a number in quotation marks for id is refused: it is an integer')
      expect(text).toContain('createPlant/request/body/id/type/numeral')
      expect(text).toMatch(/plant-store\.openapi\.yaml:57/)
      await page.goto(`${mock.url}/__plantstore/#request/1`)
      await page.getByRole('heading', { name: 'Valid' }).waitFor()
      expect(await shown(page.getByLabel('Body of the request'))).toBe(
        '{\n  "id": 9223372036854775807,\n  "name": "Monstera",\n  "tag": "indoor"\n}',
      )
    },
    wait,
  )

  test(
    'is searched and filtered by method, status, operation and what is broken',
    async () => {
      const mock = await withTraffic()
      const { page } = await openConsole(browser, mock)
      await page.keyboard.press('/')
      await page.keyboard.type('numeral')
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(await page.getByText('1 of 3 requests').count()).toBe(1)
      await page.keyboard.press('Escape')
      await expect.poll(() => rows(page).count()).toBe(3)
      for (const [label, option, count] of [
        ['Method', 'GET', 1],
        ['Status', '4xx', 2],
        ['Operation', 'createPlant', 2],
        ['Operation', 'not declared', 1],
      ] as const) {
        await page.getByLabel(label).selectOption(option)
        await expect.poll(() => rows(page).count()).toBe(count)
        await page.getByLabel(label).selectOption('')
      }
      await page.getByLabel('Broken only').check()
      await expect.poll(() => rows(page).count()).toBe(1)
      await page.getByRole('searchbox').fill('nothing like that')
      await page.getByRole('button', { name: 'Show all' }).click()
      await expect.poll(() => rows(page).count()).toBe(3)
    },
    wait,
  )

  test(
    'is walked through by the keyboard alone, and each request has its own address',
    async () => {
      const mock = await withTraffic()
      const { page } = await openConsole(browser, mock)
      await rows(page).first().waitFor()
      for (let tab = 0; tab < 20; tab++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate(`document.activeElement.role === 'listbox'`)) break
      }
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
      expect(outline).toBe('solid')
      await page.keyboard.press('ArrowDown')
      expect(new URL(page.url()).hash).toBe('#request/3')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      expect(new URL(page.url()).hash).toBe('#request/1')
      await page.keyboard.press('Home')
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowUp')
      await page.getByRole('heading', { name: 'Broke 2 rules' }).waitFor()
      expect(await shown(page.getByRole('option', { selected: true }))).toContain('broke 2 rules')
      expect(await page.getByRole('listbox').getAttribute('aria-activedescendant')).toBe('row-2')
      await page.keyboard.press('Escape')
      expect(new URL(page.url()).hash).toBe('#traffic')
    },
    wait,
  )

  test(
    'hides tokens wherever they stand until a reader asks for them',
    async () => {
      const mock = await startMock()
      await ask(mock, postPlant('{"id":1,"name":"s3cret-token"}', token))
      const { page } = await openConsole(browser, mock, '#request/1')
      await page.getByRole('heading', { name: 'Valid' }).waitFor()
      expect(await page.content()).not.toContain('s3cret-token')
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      expect(await page.content()).not.toContain('s3cret-token')
      await page.getByRole('button', { name: 'Show tokens' }).click()
      expect(await shown(page.getByLabel('Headers of the request'))).toContain('Bearer s3cret-token')
      expect(await shown(page.getByLabel('Body of the request'))).toContain('s3cret-token')
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      expect(await shown(page.getByLabel('The copied text'))).toContain('s3cret-token')
    },
    wait,
  )

  test(
    'copies curl that works as it stands, fetch and a Playwright test to the clipboard',
    async () => {
      const mock = await withTraffic()
      const permissions = ['clipboard-read', 'clipboard-write']
      const { page } = await openConsole(browser, mock, '#request/1', { permissions })
      const copied = async (name: string): Promise<string> => {
        await page.getByRole('button', { name }).click()
        await page.getByText('Copied:').waitFor()
        return page.evaluate('navigator.clipboard.readText()')
      }
      const curl = await copied('Copy as curl')
      const env = { ...process.env, PLANTSTORE_TOKEN: 's3cret-token' }
      const { stdout } = await promisify(execFile)('bash', ['-c', curl], { env })
      expect(stdout).toContain('"name":"Monstera"')
      await expect.poll(() => rows(page).count()).toBe(4)
      expect(mock.journal.entries().at(-1)).toMatchObject({ status: 200, breaches: [] })
      expect(await copied('Copy as fetch')).toContain(`await fetch('${mock.url}/plants', {`)
      expect(await copied('Copy as Playwright test')).toContain('expect(response.status()).toBe(200)')
    },
    wait,
  )

  test(
    'pauses, and is cleared',
    async () => {
      const mock = await withTraffic()
      const { page } = await openConsole(browser, mock)
      await expect.poll(() => rows(page).count()).toBe(3)
      await page.getByRole('button', { name: 'Pause' }).click()
      await ask(mock, valid)
      await page.getByText('1 more since the pause').waitFor()
      expect(await rows(page).count()).toBe(3)
      await page.getByRole('button', { name: 'Pause' }).click()
      await expect.poll(() => rows(page).count()).toBe(4)
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.getByRole('heading', { name: 'Nothing yet' }).waitFor()
      expect(mock.journal.entries()).toEqual([])
    },
    wait,
  )

  test(
    'shows nothing that a client sends as anything but text',
    async () => {
      const mock = await startMock()
      const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>"'\u202eevil`
      await ask(mock, {
        ...postPlant(JSON.stringify({ id: '1', name: evil, [evil]: evil }), {
          'X-Evil': `<img src=x onerror=alert(3)>`,
          'Plantstore-Client': '<b>x</b>',
        }),
        path: `/plants?q=${evil.replaceAll(' ', '%20').replaceAll('\u202e', '')}`,
      })
      await exchange(mock, `GET /<script>alert(4)</script> HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      await exchange(mock, `<img HTTP/1.1\r\n\r\n`)
      await ask(mock, postPlant(Uint8Array.of(0, 1, 2, 255, 60, 98, 62)))
      const { page, troubles, strangers } = await openConsole(browser, mock, '#request/1')
      await page.getByRole('heading', { name: /Broke/ }).waitFor()
      for (const name of ['Copy as curl', 'Copy as fetch', 'Copy as Playwright test'])
        await page.getByRole('button', { name }).click()
      const text = await shown(main(page))
      expect(text).toContain('<script>alert(2)</script>')
      expect(await shown(page.getByLabel('Body of the request'))).toContain('\\u202e')
      expect(text).not.toContain('\u202e')
      expect(await page.locator('main img, main script, main b:text-is("x")').count()).toBe(0)
      await page.goto(`${mock.url}/__plantstore/#request/4`)
      await expect.poll(() => shown(page.getByLabel('Body of the request'))).toContain('00 01 02 ff 3c 62 3e')
      expect(troubles).toEqual([])
      expect(strangers).toEqual([])
    },
    wait,
  )

  test(
    'stays quick with hundreds of requests, of which it keeps five hundred',
    async () => {
      const mock = await startMock()
      const { page } = await openConsole(browser, mock)
      for (let round = 0; round < 8; round++)
        await Promise.all(Array.from({ length: 100 }, () => ask(mock, valid)))
      await expect.poll(() => rows(page).count(), { timeout: 10_000 }).toBe(500)
      await rows(page).first().click()
      const took = await page.evaluate<number>(walk)
      expect(took).toBeLessThan(150)
    },
    wait,
  )

  test(
    'says when the mock is gone, and a cut body says so',
    async () => {
      const mock = await startMock()
      await ask(mock, postPlant(`{"id":1,"name":"${'x'.repeat(100_000)}"}`, token))
      const { page } = await openConsole(browser, mock, '#request/1')
      await page
        .getByText(/cut: only the first 64.0 KiB were kept/)
        .first()
        .waitFor()
      await page.getByText(/cannot be copied to be sent again: only 65536 of/).waitFor()
      await mock.close()
      await page.getByText('the mock is gone').waitFor()
    },
    wait,
  )
})

describe('the contract', () => {
  test(
    'is readable, and its form sends valid and broken requests and tells what came of them',
    async () => {
      const mock = await startMock()
      const { page, troubles } = await openConsole(browser, mock, '#contract')
      await page.getByRole('heading', { name: 'Create a plant' }).waitFor()
      const text = await shown(page.getByRole('region', { name: 'The chosen operation' }))
      for (const part of [
        'POST',
        '/plants',
        'Authorization: Bearer',
        'int64',
        'The name of the plant',
        'refuse',
      ])
        expect(text).toContain(part)
      const result = page.locator('.result')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(result)).toMatch(/✓ valid\s+200\s+Request #1/)
      await page
        .getByRole('combobox', { name: 'Send' })
        .selectOption({ label: 'a body without `name` is refused' })
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(result)).toMatch(/✕ broke 1 rule\s+400\s+Request #2\s+\/name is missing/)
      await page
        .getByRole('textbox', { name: 'Body', exact: true })
        .fill('{"id":9223372036854775808,"name":"x"}')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(result)).toMatch(/Request #3\s+\/id must be an int64/)
      await page.getByRole('link', { name: 'Request #3' }).click()
      await page.getByRole('heading', { name: 'Broke 1 rule' }).waitFor()
      expect(await shown(page.getByLabel('Headers of the request'))).not.toMatch(/mark/i)
      await page.getByRole('button', { name: 'Edit and send again' }).click()
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Body', exact: true }).inputValue())
        .toContain('9223372036854775808')
      await page.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: application/json')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(result)).toContain('credentials are missing')
      expect(troubles).toEqual([])
    },
    wait,
  )

  test(
    'of many operations is searched, and a request without a content type can be sent',
    async () => {
      const mock = await startMock({ contract: libraryDocument, warn: () => {} })
      const { page } = await openConsole(browser, mock, '#contract/createLoan')
      await page.getByRole('heading', { name: 'createLoan' }).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('shelves')
      const operations = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
      await expect.poll(() => operations.count()).toBe(1)
      await page.getByRole('textbox', { name: 'Headers' }).fill('X-Library-Key: k')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(page.locator('.result'))).toContain('the content type is missing')
    },
    wait,
  )

  test(
    'a token that the mock does not know is asked for',
    async () => {
      const mock = await startMock({ tokens: ['right-one'] })
      const { page } = await openConsole(browser, mock, '#contract')
      await page.getByLabel(/^Token/).fill('right-one')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => shown(page.locator('.result'))).toMatch(/valid\s+200/)
    },
    wait,
  )
})

test(
  'coverage tells what was exercised and what was not, and a missing rule is one press from being tried',
  async () => {
    const mock = await startMock()
    const { page } = await openConsole(browser, mock, '#coverage')
    await page.getByText('not asked yet').waitFor()
    await ask(mock, valid)
    await ask(mock, { method: 'GET', path: '/nowhere' })
    await page.getByText('✓ 200').waitFor()
    expect(await page.getByText('○ 400').count()).toBe(1)
    expect(await page.getByLabel('operations: 1 of 1').count()).toBe(1)
    expect(await page.getByLabel('declared statuses: 1 of 2').count()).toBe(1)
    await page.getByText('refuse', { exact: true }).click()
    await page.getByText('accept', { exact: true }).click()
    const rule = page.getByRole('listitem').filter({ hasText: 'createPlant/request/body/name/required' })
    expect(await shown(rule)).toContain('not seen yet')
    const taken = page.getByRole('listitem').filter({ hasText: 'createPlant/request/body/id/int64-max' })
    expect(await shown(taken)).toContain(', seen')
    await page.getByLabel('Only what is not seen yet').check()
    expect(await taken.count()).toBe(0)
    await rule.getByRole('button').click()
    await page.getByText('breaks createPlant/request/body/name/required').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => shown(page.locator('.result'))).toContain('/name is missing')
    await page.getByRole('link', { name: 'Coverage' }).click()
    await page.getByText('✓ 400').waitFor()
  },
  wait,
)

describe('everywhere', () => {
  const hashes = ['#traffic', '#request/2', '#scenarios', '#contract', '#coverage'] as const

  test.each(['light', 'dark'] as const)(
    'axe finds nothing to complain of on any panel, %s',
    async colorScheme => {
      const mock = await withTraffic()
      // axe itself needs what the page's policy forbids.
      const { page } = await openConsole(browser, mock, '', {
        colorScheme,
        bypassCSP: true,
        reducedMotion: 'reduce',
      })
      for (const hash of hashes) {
        await page.goto(`${mock.url}/__plantstore/${hash}`)
        await page.locator(':is(.told, .rows):visible').first().waitFor()
        if (hash === '#coverage') await page.getByText('refuse', { exact: true }).click()
        if (hash === '#contract') await page.getByRole('button', { name: 'Send' }).click()
        if (hash === '#request/2') await page.getByRole('button', { name: 'Copy as curl' }).click()
        const axe = new AxeBuilder({ page })
        // All but the colours is the same in the dark.
        const { violations } = await (colorScheme === 'dark'
          ? axe.withRules('color-contrast')
          : axe
        ).analyze()
        expect(
          violations.map(
            ({ id, nodes }) => `${hash} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
          ),
        ).toEqual([])
      }
    },
    wait,
  )

  test(
    'nothing is wider than a phone, or than a window at 200 %',
    async () => {
      const mock = await withTraffic()
      await ask(mock, { method: 'GET', path: `/${'long'.repeat(200)}` })
      for (const width of [320, 390, 640]) {
        const { page } = await openConsole(browser, mock, '', { viewport: { width, height: 700 } })
        for (const hash of [...hashes, '#request/4']) {
          await page.goto(`${mock.url}/__plantstore/${hash}`)
          await page.locator(':is(.told, .rows):visible').first().waitFor()
          expect({ hash, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
            hash,
            width,
          })
        }
        await page.getByRole('button', { name: '← All requests' }).click()
        await rows(page).first().waitFor()
      }
    },
    wait,
  )

  test(
    'light and dark follow the system until a reader chooses, and the choice is kept',
    async () => {
      const mock = await startMock()
      const { page } = await openConsole(browser, mock, '', { colorScheme: 'dark' })
      const background = (): Promise<string> =>
        page.evaluate('getComputedStyle(document.body).backgroundColor')
      const dark = await background()
      await page.getByRole('button', { name: 'Theme: auto' }).click()
      await expect.poll(background).not.toBe(dark)
      await page.reload()
      await page.getByRole('button', { name: 'Theme: light' }).click()
      await expect.poll(background).toBe(dark)
    },
    wait,
  )

  test(
    'the page can reach nothing but the mock, even if something in it tried',
    async () => {
      const mock = await startMock()
      const { page, troubles } = await openConsole(browser, mock)
      await page.evaluate(`fetch('http://127.0.0.1:9/').catch(() => {})`)
      await expect.poll(() => troubles.join()).toContain('Content Security Policy')
    },
    wait,
  )
})
