/** `servers` of a path or an operation override those of the document. */
import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { send, startMock } from '../../mock/client.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const get = { responses: { 200: { description: 'ok' } } }
const load = (paths: object, rest: object) =>
  loadContract({ from: writeDocument('servers.json', documentWith(paths, rest)) })

const variables = { base: { default: 'up/v2' } }

test.each([
  ['of the path', { servers: [{ url: '/up' }], get }, '/up'],
  ['of the operation', { get: { ...get, servers: [{ url: '/up' }] } }, '/up'],
  [
    'of both: that of the operation',
    { servers: [{ url: '/no' }], get: { ...get, servers: [{ url: '/up' }] } },
    '/up',
  ],
  ['on another host', { servers: [{ url: 'https://up.example/files' }], get }, '/files'],
  ['with variables', { servers: [{ url: '/{base}', variables }], get }, '/up/v2'],
])('a server %s', async (_, item, base) => {
  const contract = await load({ '/a': item, '/b': { get } }, { servers: [{ url: '/v1' }] })
  // Its address is not that of the document, so it is named, and nothing of it is asked there.
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    expect.stringContaining('GET /a is not tested: its own servers are'),
  ])
  expect(contract.notTested[0]?.place?.line).toBeGreaterThan(1)
  expect(new Set(obligationsOf(contract).map(({ operation }) => operation))).toEqual(new Set(['get-b']))
  // The mock serves it where it is.
  const mock = await startMock({ contract })
  for (const path of [`${base}/a`, '/a', '/v1/b', '/b'])
    expect((await send(mock, { method: 'GET', path })).status, path).toBe(200)
  expect((await send(mock, { method: 'GET', path: `${base}/b` })).status).toBe(404)
})

test.each([
  ['the server of the document', [{ url: '/v1' }], [{ url: '/v1/' }]],
  [
    'one of its servers',
    [{ url: 'https://a.example' }, { url: 'https://b.example' }],
    [{ url: 'https://b.example' }],
  ],
  ['none', [{ url: '/v1' }], []],
])('%s at a path changes nothing', async (_, servers, own) => {
  const contract = await load({ '/a': { servers: own, get }, '/b': { get } }, { servers })
  expect(contract.notTested).toEqual([])
  expect(contract.operations.map(operation => operation.servers)).toEqual([null, null])
})

test('one server that is written at each path is that of the document', async () => {
  const servers = [{ url: 'https://api.example/v3' }]
  const contract = await load({ '/a': { servers, get }, '/b': { servers, get } }, {})
  expect(contract.notTested).toEqual([])
  expect(new Set(obligationsOf(contract).map(({ operation }) => operation))).toEqual(
    new Set(['get-a', 'get-b']),
  )
})
