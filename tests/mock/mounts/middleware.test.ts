/** The mock beside the routes of another server, as Connect and Express hand requests on. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createMiddleware, type MiddlewareOptions } from '../../../mock/index.ts'
import { contracts } from '../../spec/contracts.ts'

type Layer = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

const after: Layer = ({ url }, response) => response.end(`the application has ${url}`)
const plant = {
  method: 'POST',
  headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
  body: '{"id":9223372036854775807,"name":"Fern"}',
}

/** A server of layers, each of which responds or calls the next; an error becomes a 500 with its message. */
const listener =
  (layers: readonly Layer[]) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const run = (index: number, error?: unknown): void => {
      if (error === undefined) layers[index]?.(request, response, reason => run(index + 1, reason))
      else response.writeHead(500).end((error as Error).message)
    }
    run(0)
  }

const serve = async (...layers: readonly Layer[]): Promise<string> => {
  const server = createServer(listener(layers)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mockOf = async (options: MiddlewareOptions = {}) => {
  const mock = await createMiddleware({ contract: contracts.plantStore, ...options })
  onTestFinished(mock.close)
  return mock
}

const bodyOf = async (response: Response): Promise<readonly [number, string]> => [
  response.status,
  await response.text(),
]

test('requests below the prefix are for the mock, all others for what comes next', async () => {
  const mock = await mockOf({ prefix: '/api' })
  const url = await serve(mock, after)
  expect(await bodyOf(await fetch(`${url}/api/plants`, plant))).toEqual([200, '{"name":"Fern"}'])
  expect((await fetch(`${url}/api/nowhere`)).status).toBe(404)
  for (const path of ['/plants', '/', '/apiary', '/src/main.ts?t=1'])
    expect(await bodyOf(await fetch(url + path))).toEqual([200, `the application has ${path}`])
  expect(mock.journal.entries().map(({ target, status }) => [target, status])).toEqual([
    ['/api/plants', 200],
    ['/api/nowhere', 404],
  ])
})

test('with fallthrough, undeclared paths go on, and undeclared methods of declared paths do not', async () => {
  const url = await serve(await mockOf({ fallthrough: true }), after)
  expect((await fetch(`${url}/plants`, plant)).status).toBe(200)
  expect((await fetch(`${url}/plants`, { method: 'DELETE' })).status).toBe(405)
  expect(await bodyOf(await fetch(`${url}/nowhere`))).toEqual([200, 'the application has /nowhere'])
})

test('a body that was read before the mock is what the parser left of it; without that, the error says so', async () => {
  const mock = await mockOf()
  const small = { ...plant, body: '{"id":1,"name":"Fern"}' }
  const parse =
    (keep: (body: string) => object): Layer =>
    (request, _response, next) =>
      void text(request).then(body => {
        Object.assign(request, keep(body))
        next()
      })
  for (const keep of [
    (body: string) => ({ body: JSON.parse(body) }),
    (body: string) => ({ body }),
    (body: string) => ({ body: Buffer.from(body) }),
    (body: string) => ({ rawBody: Buffer.from(body), body: {} }),
  ])
    expect(await bodyOf(await fetch(`${await serve(parse(keep), mock)}/plants`, small))).toEqual([
      200,
      '{"name":"Fern"}',
    ])
  const lost = await serve(
    parse(() => ({})),
    mock,
  )
  expect(await bodyOf(await fetch(`${lost}/plants`, plant))).toEqual([
    500,
    'the body was read before it came to the mock: put the mock before what reads it, such as express.json()',
  ])
})

test('a body that is too large is rejected before its end', async () => {
  const url = await serve(await mockOf({ maxBodyBytes: 100 }))
  const body = `{"id":1,"name":"${'x'.repeat(100_000)}"}`
  const response = await fetch(`${url}/plants`, { ...plant, body })
  expect([response.status, await response.json()]).toMatchObject([400, { error: 13 }])
})

test('headers that layers before the mock have set stay, except those that the mock sets', async () => {
  const poweredBy: Layer = (_request, response, next) => {
    response.setHeader('X-Powered-By', 'layers')
    response.setHeader('Content-Type', 'text/html')
    next()
  }
  const url = await serve(poweredBy, await mockOf())
  const { headers } = await fetch(`${url}/plants`, plant)
  expect([headers.get('x-powered-by'), headers.get('content-type')]).toEqual(['layers', 'application/json'])
})

test('scenarios fail a delivery as they do on the mock’s own server', async () => {
  const mock = await mockOf()
  const url = await serve(mock)
  for (const fault of ['reset', 'truncate'] as const) {
    await mock.scenarios.set('createPlant', { fault })
    await expect(fetch(`${url}/plants`, plant).then(response => response.text())).rejects.toThrow(TypeError)
  }
  await mock.scenarios.set('createPlant', { fault: 'hang' })
  const { signal, abort } = aborting()
  const hanging = fetch(`${url}/plants`, { ...plant, signal })
  const recorded = new Promise(resolve => mock.journal.listen(resolve))
  await recorded
  abort()
  await expect(hanging).rejects.toThrow('aborted')
})

const aborting = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

test('the console is there, with its stream, and only under a name of this machine', async () => {
  const mock = await mockOf({ prefix: '/api', host: 'dev.shop.example' })
  const url = await serve(mock, after)
  expect(await (await fetch(`${url}/__plantstore/`)).text()).toContain('<title>')
  const { signal, abort } = aborting()
  const events = await fetch(`${url}/__plantstore/events`, { signal })
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('event: run')
  await fetch(`${url}/api/plants`, plant)
  expect((await reader.read()).value).toContain('createPlant')
  abort()
  const statusFor = (host: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(url)
      import('node:http').then(({ get }) =>
        get({ port, host: '127.0.0.1', path: '/__plantstore/requests', headers: { host } }, response =>
          resolve(response.resume().statusCode ?? 0),
        ).on('error', reject),
      )
    })
  expect([await statusFor('dev.shop.example'), await statusFor('evil.example')]).toEqual([200, 403])
})

test('HTTP/2 works as well', async () => {
  const mock = await mockOf()
  const server = createHttp2Server((request, response) =>
    listener([mock])(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  ).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    session.close()
    server.close()
  })
  const stream = session.request({ ':method': 'POST', ':path': '/plants', ...plant.headers })
  const status = new Promise(resolve => stream.once('response', headers => resolve(headers[':status'])))
  stream.end(plant.body)
  expect([await status, await text(stream)]).toEqual([200, '{"name":"Fern"}'])
  expect(mock.journal.entries()[0]?.headers.map(([name]) => name)).toContain('host')
})
