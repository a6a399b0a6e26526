/** The contract panel with its form, and the coverage panel, in a real browser. */
import { describe, expect, test } from 'vitest'
import type { Sample } from '../../../../mock/console/messages.ts'
import { loadContract } from '../../../../spec/index.ts'
import { libraryDocument, paymentsDocument, shopDocument } from '../../../documents/index.ts'
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
    await page.getByText('Request headers').click()
    const headers = await textOf(page.getByLabel('Request headers'))
    expect(headers).toContain('application/json')
    expect(headers).not.toMatch(/mark/i)
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

  test('of several documents is grouped by document and tag, with descriptions in Markdown', async () => {
    const mock = await startMock({
      contract: shopDocument,
      documents: { '/pay': paymentsDocument },
      warn: () => {},
    })
    const { page, problems } = await openConsole(mock, '#contract/listProducts')
    await page.getByRole('heading', { name: 'List products' }).waitFor()
    const operations = page.getByRole('navigation', { name: 'Operations' })
    expect(await operations.getByRole('heading').allInnerTexts()).toEqual([
      'Shop · Products',
      'Shop · Files',
      'Shop · Live',
      'Payments',
    ])
    const details = page.getByRole('region', { name: 'Selected operation' })
    expect(await details.locator('.prose strong').first().textContent()).toBe('oldest first')
    expect(await details.locator('.prose td').count()).toBe(4)
    await page.goto(`${mock.url}/__plantstore/#contract/getProduct`)
    await details.getByText('the same body as 400').waitFor()
    expect(await page.locator('.about a').getAttribute('rel')).toBe('noopener noreferrer')
    await operations.getByText('/pay/refunds').click()
    await page.getByRole('heading', { name: 'Payments 0.9.0' }).waitFor()
    expect(problems).toEqual([])
  })

  test('with a hostile description is shown as text, and leads nowhere but to the web', async () => {
    const description = [
      '<img src=x onerror=alert(1)><script>alert(2)</script> about <id> &lt;b&gt; &amp;amp;',
      '[run](javascript:alert(3)) [data](data:text/html,x) [site](https://site.example/a) ![photo](https://site.example/p.png)',
      '[ref]: javascript:alert(4)',
      '[ref]',
    ].join('\n\n')
    const shop = await loadContract({ from: shopDocument })
    const info = { ...(shop.document.info as object), description }
    const mock = await startMock({ contract: { ...shop, document: { ...shop.document, info } } })
    const { page, problems, foreignRequests } = await openConsole(mock, '#contract')
    const about = page.locator('.about')
    await about.waitFor()
    const text = await textOf(about)
    expect(text).toContain('about <id> <b> &amp;')
    expect(text).not.toContain('javascript')
    expect(await about.locator('img, script, b').count()).toBe(0)
    const links = about.getByRole('link')
    expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual([
      'https://site.example/a',
      'https://site.example/p.png',
    ])
    for (const times of [100, 10_000]) {
      Object.assign(mock.contract.document.info as object, { description: `${'> '.repeat(times)}deep` })
      await page.reload()
      // A long description is folded.
      if (times > 1000) await about.getByText('Description').click()
      await about.getByText('deep').waitFor()
    }
    expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] })
  })

  test('has a field for each parameter, which writes the path and the headers', async () => {
    const mock = await startMock({ contract: shopDocument })
    const { page } = await openConsole(mock, '#contract/listProducts')
    const path = page.getByLabel('Path', { exact: false }).first()
    await eventually(() => page.getByRole('textbox', { name: 'per_page' }).inputValue()).toBe('10')
    await page.getByRole('combobox', { name: 'category' }).selectOption('spice')
    await page.getByRole('combobox', { name: 'in_stock' }).selectOption('')
    await page.getByRole('combobox', { name: 'sort' }).selectOption('-name')
    await page.getByRole('textbox', { name: 'per_page' }).fill('3')
    await page.getByRole('textbox', { name: 'page query · integer', exact: true }).fill('2')
    await page.getByRole('button', { name: 'Send' }).click()
    const result = page.locator('.result')
    await eventually(() => textOf(result)).toMatch(/valid\s+200/)
    expect(mock.journal.entries().at(-1)?.target).toBe(
      '/products?page=2&per_page=3&category=spice&sort=-name',
    )
    await page.getByRole('textbox', { name: 'per_page' }).fill('none')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(result)).toMatch(/1 violation\s+400/)
    expect(await path.inputValue()).toContain('per_page=none')
    await page.getByRole('link', { name: /^Request #/ }).click()
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    await eventually(() => page.getByRole('textbox', { name: 'per_page' }).inputValue()).toBe('none')
  })

  test('has a form that sends files, as a part and as the whole body', async () => {
    const mock = await startMock({ contract: shopDocument })
    const { page } = await openConsole(mock, '#contract/addPhoto')
    const result = page.locator('.result')
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 0, 255]) }
    await page.getByLabel('Choose files').check()
    await page.getByLabel('file', { exact: true }).setInputFiles(file)
    await page.getByRole('textbox', { name: 'caption' }).fill('From the left')
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(result)).toMatch(/valid\s+201/)
    const sent = Buffer.from(mock.journal.entries().at(-1)?.body ?? []).toString('latin1')
    expect(sent).toContain('filename="a.png"')
    expect(sent).toContain(file.buffer.toString('latin1'))
    expect(sent).toContain('From the left')
    await page.goto(`${mock.url}/__plantstore/#contract/putLabel`)
    await page.getByRole('heading', { name: 'Replace the label' }).waitFor()
    await page.getByLabel('File', { exact: false }).setInputFiles(file)
    await page.getByRole('button', { name: 'Send' }).click()
    await eventually(() => textOf(result)).toMatch(/valid\s+204/)
    expect(Buffer.from(mock.journal.entries().at(-1)?.body ?? [])).toEqual(file.buffer)
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
