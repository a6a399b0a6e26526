/** Tests of pages as a front-end team writes them; the last two have to fail. */
import { expect, type Page, test } from 'playwright/test'
import { withMock } from '../../../mock/mounts/playwright.ts'

const server = 'https://store.example.test'
const { USAGE_FOLDER } = process.env
const usage = USAGE_FOLDER === undefined ? {} : { usage: USAGE_FOLDER }
const mocked = withMock(test, { server, tokens: ['right'], ...usage })

const page = '<!doctype html><title>Plants</title><link rel="icon" href="data:,"><img src="/plants">'

/** Opens a page of the server's origin. Loading its resources is not a call of the API. */
const open = async (page: Page, html: string): Promise<void> => {
  await page
    .context()
    .route(`${server}/start`, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.route(`${server}/plants`, route =>
    route.request().resourceType() === 'image' ? route.fulfill({ body: 'no picture' }) : route.fallback(),
  )
  await page.goto(`${server}/start`)
}

/** Lets the page send a request, with a right token and a JSON body by default. */
const send = (page: Page, path: string, init: object = {}): Promise<number> =>
  page.evaluate(
    `fetch(${JSON.stringify(server + path)}, ${JSON.stringify({
      method: 'POST',
      headers: { Authorization: 'Bearer right', 'Content-Type': 'application/json' },
      body: '{"id":1,"name":"Fern"}',
      ...init,
    })}).then(response => response.status)`,
  )

mocked.beforeEach(async ({ page: at }) => open(at, page))

mocked('a page that conforms to the contract', async ({ page, mock }) => {
  expect(await send(page, '/plants')).toBe(200)
  expect(mock.requests.map(({ method, target, operation }) => [method, target, operation])).toEqual([
    ['POST', '/plants', 'createPlant'],
  ])
  expect(mock.requests[0]?.json()).toEqual({ id: 1, name: 'Fern' })
  expect(mock.broken()).toEqual([])
})

mocked('an invalid body that is allowed', async ({ page, mock }) => {
  mock.allow('createPlant/request/body/id')
  expect(await send(page, '/plants', { body: '{"id":"1","name":"Fern"}' })).toBe(400)
  expect(mock.requests).toHaveLength(1)
  mock.check()
  expect(await send(page, '/plants', { body: '{"id":"2","name":"Fern"}' })).toBe(400)
})

mocked('a scenario of one test', async ({ page, mock }) => {
  await mock.scenarios.set('createPlant', { status: 400 })
  expect(await send(page, '/plants')).toBe(400)
})

mocked('an answer of one test', async ({ page, mock }) => {
  const answer = await mock.answer('createPlant', ({ body }) => ({
    name: `${(body as { name: string }).name}!`,
  }))
  expect(await send(page, '/plants')).toBe(200)
  expect(answer.requests.map(({ body }) => body)).toEqual([{ id: 1, name: 'Fern' }])
  await expect(mock.answer('createPlant', { name: 5 })).rejects.toThrow('/name must be a string, not 5')
  const [request] = mock.requests
  expect(new TextDecoder().decode(request?.responseBody)).toBe('{"name":"Fern!"}')
})

const elsewhere = withMock(test, { server: '/api' })

elsewhere.describe('below a base URL', () => {
  elsewhere.use({ baseURL: server })
  elsewhere('a server below a path of the base URL', async ({ page: at, mock }) => {
    await open(at, page)
    expect(await send(at, '/api/plants')).toBe(200)
    expect(mock.requests.map(({ target }) => target)).toEqual(['/plants'])
  })
})

// The last ones, because Playwright starts another worker after a failed test.
mocked('a page that breaks the contract in every way', async ({ page, context, mock }) => {
  mock.allow('createPlant/request/body/name', 'POST /allowed')
  expect(await send(page, '/plants', { body: '{"id":"1","name":null}' })).toBe(400)
  expect(await send(page, '/plants', { headers: { 'Content-Type': 'application/json' } })).toBe(400)
  expect(await send(page, '/plant')).toBe(404)
  expect(await send(page, '/allowed')).toBe(404)
  const other = await context.newPage()
  await other.goto(`${server}/start`)
  expect(await send(other, '/plants?all', { method: 'DELETE', body: 'x'.repeat(500) })).toBe(405)
})

mocked('an answer that breaks the contract', async ({ page, mock }) => {
  await mock.answer('createPlant', () => ({ name: 5 }))
  expect(await send(page, '/plants')).toBe(500)
})
