/** The traffic panel, in a real browser. */
import { describe, expect, test } from 'vitest'
import { exchange, postPlant, send, startMock } from '../../client.ts'
import { eventually, rowsOf, startMockWithTraffic, textOf, useBrowser, validRequest } from './open-console.ts'

const openConsole = useBrowser()

describe('the list of requests', () => {
  test('shows earlier and new requests, newest first, each with its validity', async () => {
    const mock = await startMockWithTraffic()
    const { page, problems, foreignRequests } = await openConsole(mock)
    const rows = rowsOf(page)
    await eventually(() => rows.count()).toBe(3)
    expect(await textOf(rows.nth(0))).toMatch(/not declared.*GET.*\/nowhere.*404/s)
    expect(await textOf(rows.nth(1))).toMatch(
      /2 violations.*POST.*\/plants.*400.*\/name is missing and 1 more/s,
    )
    expect(await textOf(rows.nth(2))).toMatch(/valid.*POST.*\/plants.*200/s)
    await send(mock, postPlant('{"id":1,}'))
    await eventually(() => textOf(rows.nth(0))).toMatch(/1 violation.*the body is not JSON/s)
    await exchange(mock, 'NONSENSE\r\n\r\n')
    await eventually(() => textOf(rows.nth(0))).toMatch(/not HTTP.*400/s)
    expect(problems).toEqual([])
    expect(foreignRequests).toEqual([])
  })

  test('is searched, and filtered by method, status, operation and violations', async () => {
    const mock = await startMockWithTraffic()
    const { page } = await openConsole(mock)
    const count = () => rowsOf(page).count()
    await page.keyboard.press('/')
    await page.keyboard.type('numeral')
    await eventually(count).toBe(1)
    expect(await page.getByText('1 of 3 requests').count()).toBe(1)
    await page.keyboard.press('Escape')
    await eventually(count).toBe(3)
    for (const [label, option, found] of [
      ['Method', 'GET', 1],
      ['Status', '4xx', 2],
      ['Operation', 'createPlant', 2],
      ['Operation', 'not declared', 1],
    ] as const) {
      await page.getByLabel(label).selectOption(option)
      await eventually(count).toBe(found)
      await page.getByLabel(label).selectOption('')
    }
    await page.getByLabel('Violations only').check()
    await eventually(count).toBe(1)
    await page.getByRole('searchbox').fill('nothing like that')
    await page.getByRole('button', { name: 'Show all' }).click()
    await eventually(count).toBe(3)
  })

  test('can be used with the keyboard alone, and each request has an address of its own', async () => {
    const mock = await startMockWithTraffic()
    const { page } = await openConsole(mock)
    await rowsOf(page).first().waitFor()
    for (let tab = 0; tab < 20; tab++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.role === 'listbox'`)) break
    }
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('ArrowDown')
    expect(new URL(page.url()).hash).toBe('#request/2')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(new URL(page.url()).hash).toBe('#request/1')
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.getByRole('heading', { name: '2 violations' }).waitFor()
    expect(await textOf(page.getByRole('option', { selected: true }))).toContain('2 violations')
    expect(await page.getByRole('listbox').getAttribute('aria-activedescendant')).toBe('row-2')
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).hash).toBe('#traffic')
  })

  test('begins with the newest request selected, which stays while others arrive', async () => {
    const mock = await startMockWithTraffic()
    const { page, problems } = await openConsole(mock)
    const selected = page.locator('.row[aria-selected=true]')
    await page.getByText('#3 ·').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await send(mock, validRequest)
    await eventually(() => rowsOf(page).count()).toBe(4)
    expect(await selected.getAttribute('id')).toBe('row-3')
    await page.getByLabel('Violations only').check()
    await page.getByText('#2 ·').waitFor()
    expect(await selected.getAttribute('id')).toBe('row-2')
    expect(problems).toEqual([])
  })

  test('can be paused and cleared', async () => {
    const mock = await startMockWithTraffic()
    const { page } = await openConsole(mock)
    const count = () => rowsOf(page).count()
    await eventually(count).toBe(3)
    await page.getByRole('button', { name: 'Pause' }).click()
    await send(mock, validRequest)
    await page.getByText('1 more since paused').waitFor()
    expect(await count()).toBe(3)
    await page.getByRole('button', { name: 'Pause' }).click()
    await eventually(count).toBe(4)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    expect(mock.journal.entries()).toEqual([])
  })

  test('holds five hundred requests, and takes less than 150 ms of CPU time for a step', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock)
    for (let round = 0; round < 6; round++)
      await Promise.all(Array.from({ length: 100 }, () => send(mock, validRequest)))
    await eventually(() => rowsOf(page).count()).toBe(500)
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0)
    await rowsOf(page).first().click()
    // CPU time of the page's thread: other programs on the machine do not count.
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const seconds = async (): Promise<number> => {
      const { metrics } = await devTools.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
    }
    const before = await seconds()
    await page.evaluate(stepDown)
    expect(((await seconds()) - before) / 50).toBeLessThan(0.15)
    expect(await page.locator('.row[aria-selected=true]').getAttribute('id')).toBe('row-550')
  })

  test('scrolls to the request that the address names', async () => {
    const mock = await startMock()
    for (let count = 0; count < 50; count++) await send(mock, validRequest)
    const { page } = await openConsole(mock, '#request/1')
    await eventually(() => page.locator('.rows').evaluate(list => list.scrollTop)).toBeGreaterThan(0)
  })

  test('shows a request that is clicked below the first screen', async () => {
    const mock = await startMock()
    for (let count = 0; count < 60; count++) await send(mock, validRequest)
    const { page } = await openConsole(mock)
    await eventually(() => rowsOf(page).count()).toBe(60)
    await page.locator('#row-3').scrollIntoViewIfNeeded()
    await page.locator('#row-3').click()
    const heading = page.locator('.exchange h2')
    await heading.waitFor()
    const { y = -1 } = (await heading.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(800)
  })

  test('says when the mock is unreachable', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock)
    await mock.close()
    await page.getByText('mock unreachable').waitFor()
  })
})

/** Runs in the browser: presses the down key 50 times, and waits for a frame each time. */
const stepDown = `(async () => {
  for (let step = 0; step < 50; step++) {
    document.querySelector('[role=listbox]').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
    await new Promise(requestAnimationFrame)
  }
})()`
