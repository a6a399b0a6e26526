import { expect, type Page, test } from 'playwright/test'

const add = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  await page.goto('/')
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: 'Add plant' }).click()
}

test('a plant is added, and its number keeps every digit', async ({ page }) => {
  const sent = page.waitForRequest(request => request.method() === 'POST')
  await add(page, { Name: 'Fern', Number: '9223372036854775807', Tag: 'shade' })
  await expect(page.getByRole('listitem')).toHaveText('Fern9223372036854775807shade')
  expect((await sent).postData()).toBe('{"id":9223372036854775807,"name":"Fern","tag":"shade"}')
  await expect(page.getByRole('alert')).toBeHidden()
})

test('a rejection by the store is shown with its reason', async ({ page }) => {
  await add(page, { Name: 'Fern', Number: '9223372036854775808' })
  await expect(page.getByRole('alert')).toHaveText('The store rejected it (code 22)/id must be an int64')
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('nothing is added without a token', async ({ page }) => {
  await add(page, { Name: 'Fern', Number: '1', Token: '' })
  await expect(page.getByRole('alert')).toHaveText('The store rejected it (code 1)credentials are missing')
})
