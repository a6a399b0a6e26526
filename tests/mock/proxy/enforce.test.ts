/** A proxy that lets nothing through that breaks the contract, and one that answers for what the server does not have. */
import { expect, test } from 'vitest'
import { storeToken } from '../../broken-servers/store/sent.ts'
import { deadUrl, recordingStore, storeWith } from '../../cli/servers.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send } from '../client.ts'
import { exchanged, httpServer, nextEntry, plantRequest, startProxy } from './through.ts'

const post = (body: string) => ({
  method: 'POST',
  path: '/plants',
  headers: { authorization: `Bearer ${storeToken}`, 'content-type': 'application/json' },
  body,
})
const valid = '{"id":1,"name":"Fern"}'

test('an invalid request does not reach the server, a valid one does', async () => {
  const store = await recordingStore()
  try {
    const proxy = await startProxy(store.url, { mode: 'enforce', maxBodyBytes: 1000 })
    const entry = nextEntry(proxy)
    const refused = await send(proxy, post('{"id":"x"}'))
    expect(refused.status).toBe(400)
    expect(jsonOf(refused)).toMatchObject({ error: 20 })
    expect(await entry).toMatchObject({ scenario: 'not forwarded', forwarded: { response: null } })
    expect((await send(proxy, post(JSON.stringify({ id: 1, name: 'x'.repeat(1000) })))).status).toBe(400)
    expect((await send(proxy, { method: 'GET', path: '/elsewhere' })).status).toBe(404)
    expect(store.bodies).toEqual([])
    const accepted = await send(proxy, post(valid))
    expect([accepted.status, jsonOf(accepted)]).toEqual([200, { name: 'Fern' }])
    expect(store.bodies).toEqual([valid])
  } finally {
    await store.close()
  }
})

test('a valid response comes as it is, byte for byte', async () => {
  const url = await httpServer((request, response) => {
    request.resume()
    response.writeHead(200, 'Fine', ['X-b', '1', 'Content-Type', 'application/json'])
    response.end('{"name":\n"Fern"}')
  })
  const proxy = await startProxy(url, { mode: 'enforce' })
  const enough = (text: string): boolean => text.endsWith('0\r\n\r\n')
  expect(await exchanged(proxy.url, plantRequest(valid), enough)).toBe(
    await exchanged(url, plantRequest(valid), enough),
  )
})

test('an invalid response becomes a 502 with the reason', async () => {
  const store = await storeWith({ plant: ({ name }) => ({ name, tag: 7 }) })
  try {
    const proxy = await startProxy(store.url, { mode: 'enforce' })
    const entry = nextEntry(proxy)
    const replaced = await send(proxy, post(valid))
    expect(replaced.status).toBe(502)
    // In the shape of the failures that the contract declares.
    expect(jsonOf(replaced)).toEqual({ error: 23, message: expect.stringContaining('tag') })
    expect(await entry).toMatchObject({
      status: 502,
      forwarded: { replaced: true, response: { status: 200 } },
    })
  } finally {
    await store.close()
  }
})

test.each([
  [
    'breaks off',
    (): Promise<string> =>
      httpServer(({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')),
  ],
  ['is not there', deadUrl],
])('a server that %s gets a 502', async (_, server) => {
  const proxy = await startProxy(await server(), { mode: 'enforce' })
  expect((await send(proxy, post(valid))).status).toBe(502)
})

test.each([404, 405, 501])(
  'the mock answers for an operation that the server answers %i for',
  async status => {
    const url = await httpServer((request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>')
    })
    const plain = await startProxy(url)
    expect((await send(plain, post(valid))).status).toBe(status)
    const proxy = await startProxy(url, { mockMissing: true })
    const entry = nextEntry(proxy)
    const { status: answered, headers, ...response } = await send(proxy, post(valid))
    expect([answered, new Map(headers).get('plantstore-mocked')]).toEqual([200, String(status)])
    expect(jsonOf({ status: answered, headers, ...response })).toMatchObject({ name: 'Fern' })
    expect((await entry).scenario).toBe(`mocked: the server answered ${status}`)
    // What the contract does not declare stays the server's.
    expect((await send(proxy, { method: 'GET', path: '/elsewhere' })).status).toBe(status)
  },
)

test('a declared failure is the server’s own, though it is a 404', async () => {
  const contract = writeDocument(
    'things.json',
    documentWith({
      '/a/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: { description: 'ok' },
            404: { description: 'none', content: { 'application/json': { schema: { type: 'object' } } } },
          },
        },
      },
    }),
  )
  const url = await httpServer((request, response) =>
    request.url === '/a/1'
      ? response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
      : response.writeHead(404).end(),
  )
  const proxy = await startProxy(url, { mockMissing: true, contract })
  expect((await send(proxy, { method: 'GET', path: '/a/1' })).status).toBe(404)
  expect((await send(proxy, { method: 'GET', path: '/a/2' })).status).toBe(200)
})
