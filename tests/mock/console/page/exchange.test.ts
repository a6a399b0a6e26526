/** The details of a request, in a real browser. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock, type Mock } from '../../../../mock/index.ts'
import { shopDocument } from '../../../documents/index.ts'
import { exchange, postPlant, send, startMock } from '../../client.ts'
import { requirementOf } from '../call-console.ts'
import { eventually, rowsOf, textOf, useBrowser, validRequest, withToken } from './open-console.ts'

const openConsole = useBrowser()
const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>"'\u202eevil`

// Nothing here changes what the mock has recorded, so the tests share one, and refer to its requests by number.
let mock: Mock

beforeAll(async () => {
  mock = await createMock()
  await send(mock, validRequest)
  await send(mock, postPlant('{"id":"2","tag":"indoor"}', withToken))
  await send(mock, postPlant('{"id":1}'))
  await send(mock, postPlant('{"id":1,}'))
  await send(mock, postPlant(`{"id":1,"name":"${'x'.repeat(100_000)}"}`, withToken))
  await send(mock, postPlant('{"id":1,"name":"s3cret-token"}', withToken))
  await send(mock, {
    ...postPlant(JSON.stringify({ id: '1', name: evil, [evil]: evil }), {
      'X-Evil': `<img src=x onerror=alert(3)>`,
      'Plantstore-Client': '<b>x</b>',
    }),
    path: `/plants?q=${evil.replaceAll(' ', '%20').replaceAll('\u202e', '')}`,
  })
  await exchange(mock, `GET /<script>alert(4)</script> HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await exchange(mock, `<img HTTP/1.1\r\n\r\n`)
  await send(mock, postPlant(Uint8Array.of(0, 1, 2, 255, 60, 98, 62)))
})

afterAll(async () => {
  await mock?.close()
})

describe('a request', () => {
  test('is titled by its violations, each followed by its requirement and its place in the contract', async () => {
    const { page } = await openConsole(mock, '#request/2')
    await page.getByRole('heading', { name: '2 violations' }).waitFor()
    const items = await page.locator('.violations > li').allInnerTexts()
    expect(items.map(text => text.split('\n').filter(Boolean))).toEqual(
      [
        ['/name is missing', 'createPlant/request/body/name/required', 40, 20],
        ['/id must be an integer', 'createPlant/request/body/id/type/numeral', 57, 21],
      ].map(([title, id, line, code]) => [
        title,
        `Requirement: ${requirementOf(mock, String(id)).replaceAll('`', '')}.`,
        id,
        expect.stringMatching(new RegExp(`plant-store\\.openapi\\.yaml:${line} · error code ${code}$`)),
      ]),
    )
  })

  test('with a single violation is titled by what went wrong', async () => {
    const { page } = await openConsole(mock, '#request/3')
    await page.getByRole('heading', { name: '/name is missing' }).waitFor()
    expect(await page.locator('.violation-title').count()).toBe(0)
    await page.goto(`${mock.url}/__plantstore/#request/4`)
    await page.getByRole('heading', { name: /^The body is not JSON: / }).waitFor()
  })

  test('shows its JSON body with int64 numbers unchanged', async () => {
    const { page } = await openConsole(mock, '#request/1')
    await page.getByRole('heading', { name: 'Valid request' }).waitFor()
    expect(await textOf(page.getByLabel('Request body'))).toBe(
      '{\n  "id": 9223372036854775807,\n  "name": "Monstera",\n  "tag": "indoor"\n}',
    )
  })

  test('says that a long body is truncated, and why there are no snippets', async () => {
    const { page } = await openConsole(mock, '#request/5')
    await page
      .getByText(/truncated: only the first 64.0 KiB were kept/)
      .first()
      .waitFor()
    await page.getByText(/cannot be reproduced: only 65536 of/).waitFor()
  })

  test('hides tokens everywhere until they are revealed', async () => {
    const { page } = await openConsole(mock, '#request/6')
    await page.getByText('#6 ·').waitFor()
    expect(await page.content()).not.toContain('s3cret-token')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    expect(await textOf(page.getByLabel('Code snippet'))).toContain('$PLANTSTORE_TOKEN')
    expect(await page.content()).not.toContain('s3cret-token')
    await page.getByRole('button', { name: 'Show tokens' }).click()
    await page.getByText('Request headers').click()
    expect(await textOf(page.getByLabel('Request headers'))).toContain('Bearer s3cret-token')
    expect(await textOf(page.getByLabel('Request body'))).toContain('s3cret-token')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    expect(await textOf(page.getByLabel('Code snippet'))).toContain('s3cret-token')
  })

  test('is shown as text only, whatever the client sent', async () => {
    const { page, problems, foreignRequests } = await openConsole(mock, '#request/7')
    await page.getByRole('heading', { name: '/id must be an integer' }).waitFor()
    for (const name of ['Copy as curl', 'Copy as fetch', 'Copy as Playwright test'])
      await page.getByRole('button', { name }).click()
    const text = await textOf(page.getByRole('region', { name: 'Selected request' }))
    const body = page.getByLabel('Request body')
    expect(text).toContain('<script>alert(2)</script>')
    expect(await textOf(body)).toContain('\\u202e')
    expect(text).not.toContain('\u202e')
    expect(await page.locator('main img, main script, main b:text-is("x")').count()).toBe(0)
    await page.goto(`${mock.url}/__plantstore/#request/10`)
    await eventually(() => textOf(body)).toContain('00 01 02 ff 3c 62 3e')
    await page.reload()
    await eventually(() => rowsOf(page).count()).toBe(10)
    expect(problems).toEqual([])
    expect(foreignRequests).toEqual([])
  })

  test('has an answer that can be edited and pinned, if the contract allows it', async () => {
    const { page } = await openConsole(mock, '#request/1')
    await page.getByRole('button', { name: 'Pin answer' }).click()
    const form = page.getByRole('form', { name: 'Edit and pin the answer' })
    const answer = form.getByLabel('Answer', { exact: true })
    expect(await answer.inputValue()).toContain('"name": "Monstera"')
    const alert = form.getByRole('alert')
    const pin = form.getByRole('button', { name: 'Pin', exact: true })
    await answer.fill('{"name":5')
    await pin.click()
    await alert.getByText('the answer is not JSON').waitFor()
    await answer.fill('{"name":5}')
    await pin.click()
    await alert.getByText('the answer 200 breaks the contract: /name must be a string, not 5').waitFor()
    expect(mock.scenarios.state().operations).toEqual({})
    await answer.fill('{"name":"Ivy","tag":"9223372036854775807"}')
    await pin.click()
    await form.getByText(/^Pinned: createPlant/).waitFor()
    expect(await alert.count()).toBe(0)
    expect(mock.scenarios.state().operations).toEqual({
      createPlant: { body: { name: 'Ivy', tag: '9223372036854775807' } },
    })
    await form.getByLabel('Status').fill('400')
    await answer.fill('{"error":7,"message":"sold out"}')
    await pin.click()
    await eventually(() => [mock.scenarios.state().operations.createPlant].flat()[1]).toEqual({
      status: 400,
      body: { error: 7, message: 'sold out' },
    })
    mock.scenarios.reset()
  })

  test('has an answer that can be pinned for requests like it, with every digit, for its client', async () => {
    const shop = await startMock({ contract: shopDocument })
    await send(shop, { method: 'GET', path: '/products/p7', headers: { 'Plantstore-Client': 'mine' } })
    const { page } = await openConsole(shop, '#request/1')
    await page.getByRole('button', { name: 'Pin answer' }).click()
    const form = page.getByRole('form', { name: 'Edit and pin the answer' })
    const body = '{"id":"p7","name":"Mint","category":"tea","price":3,"stock":1,"size":12345678901234567890}'
    await form.getByLabel('Answer', { exact: true }).fill(body)
    await form.getByLabel('Only for productId=p7').check()
    await form.getByRole('button', { name: 'Pin', exact: true }).click()
    await form.getByText(/^Pinned: getProduct/).waitFor()
    const get = async (path: string, client: string) =>
      Buffer.from(
        (await send(shop, { method: 'GET', path, headers: { 'Plantstore-Client': client } })).body,
      ).toString()
    expect(await get('/products/p7', 'mine')).toContain('12345678901234567890')
    expect(await get('/products/p8', 'mine')).not.toContain('12345678901234567890')
    expect(await get('/products/p7', 'other')).not.toContain('12345678901234567890')
  })

  // The last, for it sends a request once more.
  test('is copied to the clipboard as curl that works, as fetch and as a Playwright test', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await openConsole(mock, '#request/1', { permissions })
    const copy = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click()
      await page.getByText('Copied:').waitFor()
      return page.evaluate('navigator.clipboard.readText()')
    }
    const curl = await copy('Copy as curl')
    const env = { ...process.env, PLANTSTORE_TOKEN: 's3cret-token' }
    const { stdout } = await promisify(execFile)('bash', ['-c', curl], { env })
    expect(stdout).toContain('"name":"Monstera"')
    await eventually(() => rowsOf(page).count()).toBe(11)
    expect(mock.journal.entries().at(-1)).toMatchObject({ status: 200, violations: [] })
    expect(await copy('Copy as fetch')).toContain(`await fetch('${mock.url}/plants', {`)
    expect(await copy('Copy as Playwright test')).toContain('expect(response.status()).toBe(200)')
  })
})
