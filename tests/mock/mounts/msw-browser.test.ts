/** Handlers in a real browser, as the pages of docs/mounts.md use them: bundled by Vite, without any plugin. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { build, createServer, type InlineConfig, type Plugin, preview } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createResponseJudge, loadContract, plantStoreDocument } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { emptyFolder } from '../../folder.ts'
import { documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
}, 600_000)

afterAll(async () => {
  await browser?.close()
})

const product = {
  type: 'object',
  required: ['id', 'name', 'sku', 'payment'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string', minLength: 3 },
    sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{4}$' },
    brand: { type: 'string', example: 'Greenhouse' },
    payment: {
      oneOf: [
        { type: 'object', required: ['card'], properties: { card: { type: 'string' } } },
        { type: 'integer' },
      ],
    },
  },
}
const answering = (schema: object) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
const shop = documentWith({
  '/products': { get: { operationId: 'list', ...answering({ type: 'array', minItems: 1, items: product }) } },
  // Nothing here knows a value for this, and no value is better than one that breaks the contract.
  '/unmakeable': {
    get: { operationId: 'unmakeable', ...answering({ type: 'integer', minimum: 2, maximum: 1 }) },
  },
  '/riddle': {
    get: { operationId: 'riddle', ...answering({ type: 'string', pattern: '^(?=.*z)(?!.*a).{9}$' }) },
  },
})

const fileOf = (name: string): string => fileURLToPath(import.meta.resolve(name))
const plant = {
  method: 'POST',
  headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
  body: '{"id":9223372036854775807,"name":"Fern"}',
}

const entry = 'plantstore-contract/mock/msw'

const main = `
import { setupWorker } from 'msw/browser'
import { createHandlers } from '${entry}'

const contract = name => new URL(name, location.href).href
const plants = await createHandlers({ contract: contract('/plants.yaml'), server: '/api' })
const shop = await createHandlers({ contract: contract('/shop.json'), server: '/shop' })
await setupWorker(...plants, ...shop).start({ quiet: true })
const send = async (path, init) => {
  const response = await fetch(path, init)
  return [response.status, await response.text()]
}
globalThis.results = {
  plants: [
    await send('/api/plants', ${JSON.stringify(plant)}),
    await send('/api/plants', ${JSON.stringify({ ...plant, body: '{"id":"1","name":"Fern"}' })}),
    await send('/api/nowhere'),
    plants.journal.entries().map(({ operation, violations }) => [operation, ...violations.map(({ id }) => id)]),
  ],
  products: await send('/shop/products'),
  riddle: await send('/shop/riddle'),
  unmakeable: await send('/shop/unmakeable'),
}
`

/** What \`browser\` of package.json does for those who install the package. */
const withoutPrism: Plugin = {
  name: 'without Prism',
  enforce: 'pre',
  load: id => (/prism-library\.ts(?:\?|$)/.test(id) ? 'export default {}' : null),
}

const pageFolder = (): string => {
  const root = emptyFolder()
  mkdirSync(join(root, 'public'))
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(root, 'node_modules'))
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  )
  writeFileSync(join(root, 'main.js'), main)
  writeFileSync(join(root, 'public/plants.yaml'), readFileSync(plantStoreDocument))
  writeFileSync(join(root, 'public/shop.json'), shop)
  copyFileSync(fileOf('msw/mockServiceWorker.js'), join(root, 'public/mockServiceWorker.js'))
  return root
}

const configOf = (root: string): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'silent',
  cacheDir: join(root, 'cache'),
  plugins: [withoutPrism],
  resolve: { alias: { [entry]: fileOf('../../../mock/mounts/msw.ts') } },
  // Installed, the package is one of these by itself.
  optimizeDeps: { include: [entry], rolldownOptions: { plugins: [withoutPrism] } },
  server: { host: '127.0.0.1', port: 0, fs: { strict: false }, hmr: false },
  preview: { host: '127.0.0.1', port: 0 },
  build: { target: 'esnext', minify: false },
})

const resultsAt = async (url: string) => {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(String(error)))
  await page.goto(url)
  await page
    .waitForFunction('globalThis.results', undefined, { timeout: 30_000 })
    .catch(error => troubles.push(String(error)))
  expect(troubles).toEqual([])
  return page.evaluate<{
    plants: unknown
    products: [number, string]
    riddle: [number, string]
    unmakeable: [number, string]
  }>('results')
}

const check = async (url: string): Promise<void> => {
  const { plants, products, riddle, unmakeable } = await resultsAt(url)
  expect(plants).toEqual([
    [200, '{"name":"Fern"}'],
    [400, '{"error":21,"message":"/id must be an integer"}'],
    [404, '{"error":40,"message":"this path is not declared"}'],
    [['createPlant'], ['createPlant', 'createPlant/request/body/id/type/numeral'], [null]],
  ])
  const contract = await loadContract({ from: writeDocument('shop.json', shop) })
  const [status, text] = products
  const headers = [['Content-Type', 'application/json']] as const
  const response = { status, headers, body: new TextEncoder().encode(text) }
  expect(createResponseJudge(contract, operationOf(contract, 'list'))(response, undefined)).toEqual([])
  expect(status).toBe(200)
  const brands = (JSON.parse(text) as readonly { brand: string }[]).map(({ brand }) => brand)
  expect([...new Set(brands)]).toEqual(['Greenhouse'])
  // What the simple values do not fit, the generator makes.
  expect(riddle[0]).toBe(200)
  expect(JSON.parse(riddle[1])).toMatch(/^(?=.*z)(?!.*a).{9}$/)
  expect(unmakeable[0]).toBe(500)
  expect(JSON.parse(unmakeable[1])).toMatchObject({
    status: 500,
    detail:
      'the mock cannot make up a conforming response for unmakeable 200 here, as Prism does not run in a browser: add an example to the document, or use the server',
  })
}

test('served by vite dev, handlers respond from a service worker', async () => {
  const server = await createServer(configOf(pageFolder()))
  onTestFinished(() => server.close())
  await server.listen()
  await check(server.resolvedUrls?.local[0] ?? '')
}, 120_000)

test('built by vite, they do so too', async () => {
  const config = configOf(pageFolder())
  await build(config)
  const server = await preview(config)
  onTestFinished(() => server.close())
  await check(server.resolvedUrls?.local[0] ?? '')
}, 120_000)
