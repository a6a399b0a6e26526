/** The contract panel with its form, and the coverage panel, in a real browser. */
import { describe, expect, test } from 'vitest'
import type { Sample } from '../../../../mock/console/messages.ts'
import { libraryDocument } from '../../../documents/index.ts'
import { send, startMock } from '../../client.ts'
import { getJson } from '../call-console.ts'
import { eventually, textOf, useBrowser, validRequest } from './open-console.ts'

const openConsole = useBrowser()

describe('the contract', () => {
  test('is readable, and its form sends valid and invalid requests and shows the outcome', async () => {
    const mock = await startMock()
    const { page, problems } = await openConsole(mock, '#contract')
    await page.getByRole('heading', { name: 'Create a plant' }).waitFor()
    const text = await textOf(page.getByRole('region', { name: 'Selected operation' }))
    for (const part of [
      'POST',
      '/plants',
      'Authorization: Bearer',
      'int64',
      'The name of the plant',
      'reject',
      'invalid requests are rejected',
    ])
      expect(text).toContain(part)
    const sendButton = page.getByRole('button', { name: 'Send' })
    const result = page.locator('.result')
    const body = page.getByRole('textbox', { name: 'Body', exact: true })
    await sendButton.click()
    await eventually(() => textOf(result)).toMatch(/✓ valid\s+200\s+Request #1/)
    const samples = await getJson<readonly Sample[]>(mock, 'samples/createPlant')
    const sample = samples.find(({ violates }) => violates === 'createPlant/request/body/name/required')
    const label = sample?.title.replaceAll('`', '') ?? ''
    expect(label).toContain('name')
    await page.getByRole('combobox', { name: 'Sample request' }).selectOption({ label })
    await sendButton.click()
    await eventually(() => textOf(result)).toMatch(/✕ 1 violation\s+400\s+Request #2\s+\/name is missing/)
    await body.fill('{"id":9223372036854775808,"name":"x"}')
    await sendButton.click()
    await eventually(() => textOf(result)).toMatch(/Request #3\s+\/id must be an int64/)
    await page.getByRole('link', { name: 'Request #3' }).click()
    await page.getByRole('heading', { name: '/id must be an int64' }).waitFor()
    expect(await textOf(page.getByLabel('Request headers'))).not.toMatch(/mark/i)
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    await eventually(() => body.inputValue()).toContain('9223372036854775808')
    await page.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: application/json')
    await sendButton.click()
    await eventually(() => textOf(result)).toContain('credentials are missing')
    expect(problems).toEqual([])
  })

  test('with many operations is searched, and requests without a content type can be sent', async () => {
    const mock = await startMock({ contract: libraryDocument, warn: () => {} })
    const { page } = await openConsole(mock, '#contract/createLoan')
    await page.getByRole('heading', { name: 'createLoan' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('shelves')
    const operations = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
    await eventually(() => operations.count()).toBe(1)
    await page.getByRole('textbox', { name: 'Headers' }).fill('X-Library-Key: k')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(page.locator('.result'))).toContain('the content type is missing')
  })

  test('has a form that asks for the token if the mock accepts only certain ones', async () => {
    const mock = await startMock({ tokens: ['right-one'] })
    const { page } = await openConsole(mock, '#contract')
    await page.getByLabel(/^Token/).fill('right-one')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(page.locator('.result'))).toMatch(/valid\s+200/)
  })
})

test('coverage shows what has been exercised, and a missing requirement is one click from being tried', async () => {
  const mock = await startMock()
  const { page } = await openConsole(mock, '#coverage')
  await page.getByText('no requests yet').waitFor()
  await send(mock, validRequest)
  await send(mock, { method: 'GET', path: '/nowhere' })
  await page.getByText('✓ 200').waitFor()
  expect(await page.getByText('○ 400').count()).toBe(1)
  expect(await page.getByLabel('operations: 1 of 1').count()).toBe(1)
  expect(await page.getByLabel('declared responses: 1 of 2').count()).toBe(1)
  await page.getByText('reject', { exact: true }).click()
  await page.getByText('accept', { exact: true }).click()
  const missing = page.getByRole('listitem').filter({ hasText: 'createPlant/request/body/name/required' })
  expect(await textOf(missing)).toContain('not exercised')
  const exercised = page.getByRole('listitem').filter({ hasText: 'createPlant/request/body/id/int64-max' })
  expect(await textOf(exercised)).toContain(', exercised')
  await page.getByLabel('Hide exercised requirements').check()
  expect(await exercised.count()).toBe(0)
  await missing.getByRole('button').click()
  await page.getByText('violates createPlant/request/body/name/required').waitFor()
  await page.getByRole('button', { name: 'Send' }).click()
  await eventually(() => textOf(page.locator('.result'))).toContain('/name is missing')
  await page.getByRole('link', { name: 'Coverage' }).click()
  await page.getByText('✓ 400').waitFor()
})
