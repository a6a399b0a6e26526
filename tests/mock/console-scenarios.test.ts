/** The scenario switches of the console, in a real browser. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { Scenario as Shown } from '../../mock/console/shape.ts'
import type { Scenario } from '../../mock/scenario/scenario.ts'
import { launchBrowser } from '../browser.ts'
import { ask, postPlant, startMock } from './ask.ts'
import { openConsole } from './open-console.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

const valid = postPlant('{"id":1,"name":"Fern"}')

test('the page knows every part of a scenario', () => {
  expectTypeOf<Scenario>().toExtend<Shown>()
  expectTypeOf<keyof Scenario>().toEqualTypeOf<keyof Shown>()
})

describe('scenarios', () => {
  test('are switched on by one press, show in the traffic, and are switched off', async () => {
    const mock = await startMock()
    const { page, troubles } = await openConsole(browser, mock, '#scenarios')
    await page.getByText('as the contract has it').waitFor()
    await page.getByRole('button', { name: 'Fail with 400' }).click()
    await page.getByText('answers 400').waitFor()
    expect(await page.getByRole('button', { name: 'Fail with 400', pressed: true }).count()).toBe(1)
    expect((await ask(mock, valid)).status).toBe(400)
    await page.getByRole('link', { name: /^Traffic/ }).click()
    const row = page.locator('li[role=option]').first()
    await row.waitFor()
    expect((await row.allInnerTexts()).join()).toMatch(/valid.*400/s)
    expect(await row.locator('.tag').count()).toBe(1)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('as the contract has it').waitFor()
    expect((await ask(mock, valid)).status).toBe(200)
    expect(troubles).toEqual([])
  })

  test('are written in full in the form, and what makes no sense is told', async () => {
    const mock = await startMock()
    const { page } = await openConsole(browser, mock, '#scenarios')
    await page.getByRole('button', { name: 'More…' }).click()
    await page.getByLabel('Status').fill('400')
    await page.getByLabel('Code in the body').fill('77')
    await page.getByLabel('Text in the body').fill('out of soil')
    await page.getByLabel('Delay, ms').fill('5')
    await page.getByLabel('up to, ms').fill('10')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('answers 400, code 77, “out of soil”, after 5–10 ms').waitFor()
    const answer = await ask(mock, valid)
    expect(Buffer.from(answer.body).toString()).toContain('out of soil')
    await page.getByLabel('Status').fill('299')
    await page.getByRole('button', { name: 'Switch on' }).click()
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([expect.stringContaining('299')])
    await page.getByRole('button', { name: 'Switch all off' }).click()
    await page.getByText('as the contract has it').waitFor()
  })

  test('concern one client where one is named', async () => {
    const mock = await startMock()
    const { page } = await openConsole(browser, mock, '#scenarios')
    await page.getByLabel('For').fill('mine')
    await page.getByLabel('For').blur()
    await page.getByText('Plantstore-Client: mine').waitFor()
    await page.getByRole('button', { name: 'Fail with 400' }).click()
    await page.getByText('answers 400').waitFor()
    expect((await ask(mock, valid)).status).toBe(200)
    expect(
      (await ask(mock, postPlant('{"id":1,"name":"Fern"}', { 'Plantstore-Client': 'mine' }))).status,
    ).toBe(400)
  })

  test('that break the connection or the body show as what they are in the form of the contract', async () => {
    const mock = await startMock()
    const { page } = await openConsole(browser, mock, '#scenarios')
    for (const [name, told] of [
      ['Half an answer', /no answer/],
      ['Malformed', /200/],
    ] as const) {
      await page.getByRole('link', { name: 'Scenarios' }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
      await page.getByRole('link', { name: 'Contract' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await expect.poll(async () => (await page.locator('.result').allInnerTexts()).join()).toMatch(told)
    }
  })
})
