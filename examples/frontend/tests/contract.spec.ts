/** The same app with its own mock in each test, which fails if the app violates the contract. */
import { test as base, expect } from 'playwright/test'
import { withMock } from '../../../mock/mounts/playwright.ts'

const store = `http://127.0.0.1:${process.env.MOCK_PORT ?? '4010'}`
const test = withMock(base, { server: store })

test('the app conforms to the contract', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByLabel('Number').fill('1')
  await page.getByLabel('Name').fill('Fern')
  await page.getByRole('button', { name: 'Add plant' }).click()
  await expect(page.getByRole('listitem')).toHaveText('Fern1')
  expect(mock.requests.map(({ operation }) => operation)).toEqual(['createPlant'])
})

test('a number that is not an int64 is rejected, which this test allows', async ({ page, mock }) => {
  mock.allow('createPlant/request/body/id')
  await page.goto('/')
  await page.getByLabel('Number').fill('-9223372036854775809')
  await page.getByRole('button', { name: 'Add plant' }).click()
  await expect(page.getByRole('alert')).toContainText('/id must be an int64')
})
