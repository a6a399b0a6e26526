/** Resources that clients may name and need not, on the mock that keeps them under the names that were sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { loadContract } from '../../spec/index.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const shown = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })

const order = { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } }
const placeOrder = {
  operationId: 'placeOrder',
  requestBody: { required: true, content: { 'application/json': { schema: order } } },
  responses: { 200: shown(order) },
}

const verifyOrders = async (limits: object) => {
  const id = { type: 'integer', ...limits }
  const document = documentWith({
    '/orders': {
      post: placeOrder,
    },
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
        responses: { 200: shown(order), 404: { description: 'there is none' } },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('orders.json', document) })
  const mock = await createMock({ contract, stateful: true })
  onTestFinished(() => mock.close())
  const { entries } = await verify({
    contract,
    target: mock.url,
    seed: 1,
    include: ['*'],
    only: ['placeOrder/state', 'getOrder/state'],
  })
  return Object.fromEntries(
    entries
      .filter(({ obligation }) => obligation.family === 'state')
      .map(({ obligation, verdict }) => [obligation.id, verdict.kind]),
  )
}

test('each gets a name of its own, so that none takes the place of another', async () => {
  expect(await verifyOrders({ minimum: 1 })).toEqual({
    'placeOrder/state/read-back': 'passed',
    'placeOrder/state/stored': 'passed',
    'placeOrder/state/apart': 'passed',
    'getOrder/state/unchanged': 'passed',
    'getOrder/state/unknown': 'passed',
  })
})

test('what ordinary cases remove has a name of its own as well', async () => {
  const orders = (limits: object) =>
    documentWith({
      '/orders': {
        post: placeOrder,
      },
      '/orders/{id}': {
        delete: {
          operationId: 'removeOrder',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', ...limits } }],
          responses: { 204: { description: 'gone' }, 404: { description: 'there is none' } },
        },
      },
    })
  for (const [limits, isTested] of [
    [{ minimum: 1 }, true],
    [{ minimum: 1, maximum: 10 }, false],
  ] as const) {
    const contract = await loadContract({ from: writeDocument('orders.json', orders(limits)) })
    const mock = await createMock({ contract, stateful: true })
    onTestFinished(() => mock.close())
    const { entries, findings } = await verify({
      contract,
      target: mock.url,
      seed: 1,
      cases: 400,
    })
    expect(findings).toEqual([])
    const valid = entries.find(({ obligation }) => obligation.id === 'removeOrder/stability/recovery')
    expect(valid?.verdict.kind).toBe(isTested ? 'passed' : 'untested')
  }
})

test('what a list shows is below the name that the list was asked for, also if that was made up', async () => {
  const named = (name: string) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  })
  const key = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const document = documentWith({
    '/users/{user}/keys': {
      get: {
        operationId: 'listKeys',
        parameters: [named('user')],
        responses: { 200: shown({ type: 'array', items: key }) },
      },
    },
    '/users/{user}/keys/{id}': {
      get: {
        operationId: 'getKey',
        parameters: [named('user'), named('id')],
        responses: { 200: shown(key), 404: { description: 'there is none' } },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('keys.json', document) })
  // Everybody is a user, and has one key.
  const server = createServer(({ url = '' }, response) => {
    const [, , user = '', , id] = url.split('?')[0]?.split('/') ?? []
    const name = { id: `key-of-${encodeURIComponent(decodeURIComponent(user))}` }
    const exists = id === undefined || decodeURIComponent(id) === name.id
    response.writeHead(exists ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(id === undefined ? [name] : name))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.close() && undefined)
  const { port } = server.address() as AddressInfo
  const { entries } = await verify({
    contract,
    target: `http://127.0.0.1:${port}`,
    seed: 1,
    cases: 60,
    include: ['*'],
    only: ['getKey/request/valid', 'getKey/response/200'],
  })
  const kinds = entries.map(({ obligation, verdict }) => `${obligation.id} ${verdict.kind}`)
  expect(kinds).toContain('getKey/request/valid passed')
  expect(kinds).toContain('getKey/response/200/body/id/required passed')
})

test('where too few names are allowed, what needs one is not tested', async () => {
  expect(await verifyOrders({ minimum: 1, maximum: 10 })).toMatchObject({
    'placeOrder/state/apart': 'untested',
    'getOrder/state/unknown': 'untested',
  })
})
