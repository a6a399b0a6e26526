import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import type { MockResponse } from '../../../mock/engine/mock-response.ts'
import { createWatch, ServerError } from '../../../mock/index.ts'
import { respondWith } from '../../../mock/mounts/fetch-handler.ts'
import { createHandlers } from '../../../mock/mounts/msw.ts'
import { plantStoreDocument } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { emptyFolder } from '../../folder.ts'
import { contracts } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'

const plant = {
  method: 'POST',
  headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
  body: '{"id":9223372036854775807,"name":"Fern"}',
}

test('handlers respond below the servers of the contract', async () => {
  const handlers = await createHandlers({ contract: contracts.library })
  const network = setupServer(...handlers)
  network.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => network.close())
  const watch = createWatch(handlers)
  expect((await fetch('https://library.example.test/v2/nowhere')).status).toBe(404)
  expect((await fetch('https://library.example.test/v2?a')).status).toBe(404)
  expect(watch.broken().map(({ name }) => name)).toEqual(['GET /nowhere', 'GET /'])
})

test('requests below another path or to another origin go where they went before', async () => {
  const real = await startMock({ contract: contracts.plantStore })
  const handlers = await createHandlers({ contract: contracts.library, server: `${real.url}/v2/` })
  const network = setupServer(...handlers)
  network.listen({ onUnhandledFrame: 'bypass' })
  onTestFinished(() => network.close())
  const { port } = new URL(real.url)
  for (const url of [
    `${real.url}/v2/books`,
    `${real.url}/v2x/books`,
    `http://localhost:${port}/v2/books`,
    `${real.url}/`,
  ])
    await (await fetch(url)).bytes()
  expect(handlers.journal.entries().map(({ target }) => target)).toEqual(['/books'])
  expect(real.journal.entries().map(({ target }) => target)).toEqual(['/v2x/books', '/v2/books', '/'])
})

async function* letters(): AsyncGenerator<Uint8Array> {
  for (const letter of 'abc') yield new TextEncoder().encode(letter)
}

test.each([
  [null, {}, 'whole'],
  [null, { stream: letters() }, 'wholeabc'],
  ['reset', {}, 'TypeError, without a response'],
  ['truncate', {}, 'TypeError, after 200'],
  ['hang', {}, 'TimeoutError, without a response'],
] as const)('a response with the fault %s and %j ends as %s', async (fault, ending, seen) => {
  const response: MockResponse = {
    status: 200,
    headers: [],
    body: new TextEncoder().encode('whole'),
    ...ending,
  }
  const respond = respondWith(context => {
    context.fault = fault
    return response
  }, 10)
  const network = setupServer(http.all('*', ({ request }) => respond(request, '')))
  network.listen()
  onTestFinished(() => network.close())
  const signal = AbortSignal.timeout(fault === 'hang' ? 500 : 20_000)
  const outcome = await fetch('https://store.example.test/', { signal }).then(
    response => response.text().catch((error: Error) => `${error.name}, after ${response.status}`),
    (error: Error) => `${error.name}, without a response`,
  )
  expect(outcome).toBe(seen)
})

test('without an origin, the error says which option to set', async () => {
  await expect(createHandlers({ contract: contracts.plantStore })).rejects.toThrow(
    new ServerError(
      'Plant Store is served below /, but on which origin? Give the option server an absolute URL',
    ),
  )
})

const fileOf = (name: string): string => JSON.stringify(fileURLToPath(import.meta.resolve(name)))

const entry = `
import { Buffer } from ${fileOf('buffer/')}
import { setupWorker } from 'msw/browser'
import { createHandlers } from ${fileOf('../../../mock/mounts/msw.ts')}

Object.assign(globalThis, { Buffer })
const handlers = await createHandlers({ contract: new URL('/openapi.yaml', location.href).href, server: '/api' })
await setupWorker(...handlers).start({ quiet: true })
const send = async (path, init) => {
  const response = await fetch(path, init)
  return [response.status, await response.text()]
}
globalThis.results = [
  await send('/api/plants', ${JSON.stringify(plant)}),
  await send('/api/plants', ${JSON.stringify({ ...plant, body: '{"id":"1","name":"Fern"}' })}),
  await send('/api/nowhere'),
  handlers.journal.entries().map(({ operation, violations }) => [operation, ...violations.map(({ id }) => id)]),
]
`

const name = 'virtual:entry'
// The loader of documents imports this from Node; a plugin with polyfills would provide more.
const modules: Readonly<Record<string, string>> = {
  [name]: entry,
  util: 'export const format = String, inspect = {}; export default { format, inspect }',
}

type Chunk = { readonly fileName: string; readonly code?: string; readonly isEntry?: boolean }

/** A server of a page with the engine bundled for a browser, and of all that the page loads. */
const servePage = async (): Promise<string> => {
  const built = await build({
    root: emptyFolder(),
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name,
        enforce: 'pre',
        resolveId: id => (id in modules ? `\0${id}` : null),
        load: id => modules[id.slice(1)] ?? null,
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: { input: name, external: ['@faker-js/faker', '@stoplight/prism-http'] },
    },
  })
  const { output } = built as { readonly output: readonly Chunk[] }
  const main = output.find(({ isEntry }) => isEntry)?.fileName
  const files: Record<string, readonly [type: string, text: string]> = {
    '/': ['text/html', `<!doctype html><script type="module" src="/${main}"></script>`],
    '/openapi.yaml': ['text/yaml', readFileSync(plantStoreDocument, 'utf8')],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8'),
    ],
    ...Object.fromEntries(
      output.map(({ fileName, code = '' }) => [join('/', fileName), ['text/javascript', code]]),
    ),
  }
  const http = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', '']
    response.writeHead(url in files ? 200 : 404, { 'Content-Type': type }).end(text)
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
}

test('bundled for a browser, handlers respond from a service worker', async () => {
  const [url, browser] = await Promise.all([servePage(), launchBrowser()])
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const troubles: string[] = []
  page.on('pageerror', error => troubles.push(String(error)))
  await page.goto(url)
  await page
    .waitForFunction('globalThis.results', undefined, { timeout: 10_000 })
    .catch(error => troubles.push(String(error)))
  expect(troubles).toEqual([])
  expect(await page.evaluate('results')).toEqual([
    [200, '{"name":"Fern"}'],
    [400, '{"error":21,"message":"/id must be an integer"}'],
    [404, '{"error":40,"message":"this path is not declared"}'],
    [['createPlant'], ['createPlant', 'createPlant/request/body/id/type/numeral'], [null]],
  ])
}, 120_000)
