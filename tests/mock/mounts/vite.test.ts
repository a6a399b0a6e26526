/** The plugin in a real dev server and a real preview of Vite. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createLogger, createServer, type Logger, preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { plantstoreMock, type ViteMockOptions } from '../../../mock/mounts/vite.ts'
import { emptyFolder } from '../../folder.ts'
import { documentWith } from '../../spec/contracts.ts'

const shop = (...names: readonly string[]): string =>
  documentWith(
    Object.fromEntries(
      names.map(name => [
        `/${name}`,
        { get: { operationId: name, responses: { 204: { description: 'ok' } } } },
      ]),
    ),
  )

const application = (...names: readonly string[]) => {
  const root = emptyFolder()
  writeFileSync(join(root, 'shop.json'), shop(...names))
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>the shop</title>')
  const lines: string[] = []
  const logger: Logger = {
    ...createLogger('silent'),
    info: line => void lines.push(line),
    warn: line => void lines.push(line),
  }
  return { root, lines, logger, write: (text: string) => writeFileSync(join(root, 'shop.json'), text) }
}

const config = ({ root, logger }: ReturnType<typeof application>, options: ViteMockOptions) => ({
  root,
  configFile: false as const,
  customLogger: logger,
  cacheDir: join(root, '.vite'),
  optimizeDeps: { noDiscovery: true },
  server: { port: 0, host: '127.0.0.1', ws: false as const },
  preview: { port: 0, host: '127.0.0.1' },
  plugins: [plantstoreMock({ spec: 'shop.json', ...options })],
})

const develop = async (app: ReturnType<typeof application>, options: ViteMockOptions = {}) => {
  const server = await createServer(config(app, options))
  onTestFinished(() => server.close())
  await server.listen()
  return { server, url: String(server.resolvedUrls?.local[0]).replace(/\/$/, '') }
}

const pageOf = async (url: string): Promise<readonly [number, boolean]> => {
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  return [response.status, (await response.text()).includes('the shop')]
}

test('a dev server has the mock below its prefix, and pages everywhere else', async () => {
  const app = application('products')
  const { server, url } = await develop(app, { prefix: '/api' })
  expect((await fetch(`${url}/api/products`)).status).toBe(204)
  expect((await fetch(`${url}/api/product`)).status).toBe(404)
  expect(await pageOf(`${url}/`)).toEqual([200, true])
  expect(await pageOf(`${url}/products`)).toEqual([200, true])
  server.printUrls()
  expect(app.lines.slice(-2)).toEqual([
    `  mock of A: ${url}/api`,
    `  console of the mock: ${url}/__plantstore/`,
  ])
  expect((await fetch(`${url}/__plantstore/`)).status).toBe(200)
})

test('without a prefix, what the document does not declare is Vite’s', async () => {
  const { url } = await develop(application('products'))
  expect((await fetch(`${url}/products`)).status).toBe(204)
  expect(await pageOf(`${url}/`)).toEqual([200, true])
})

test('the document is read again when it changes', async () => {
  const app = application('products')
  const { url } = await develop(app, { prefix: '/api' })
  app.write(shop('products', 'orders'))
  await expect.poll(async () => (await fetch(`${url}/api/orders`)).status, { timeout: 10_000 }).toBe(204)
  expect(app.lines.join('\n')).toContain('shop.json was read again: added orders')
})

test('a preview has the mock as well', async () => {
  const app = application('products')
  const settings = config(app, { prefix: '/api' })
  await build({ ...settings, logLevel: 'silent' })
  const server = await preview(settings)
  onTestFinished(() => server.close())
  const url = String(server.resolvedUrls?.local[0]).replace(/\/$/, '')
  expect((await fetch(`${url}/api/products`)).status).toBe(204)
  expect(await pageOf(`${url}/`)).toEqual([200, true])
})

test('a document that cannot be used stops the start, with its reason', async () => {
  const app = application('products')
  app.write('{"openapi":"3.1.0"')
  await expect(createServer(config(app, {}))).rejects.toThrow('shop.json')
})
