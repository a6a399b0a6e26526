/** Things that clients may name and need not, on the mock that keeps them under the names that were sent. */
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { loadContract } from '../../spec/index.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const shown = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })

const verifyOrders = async (limits: object) => {
  const id = { type: 'integer', ...limits }
  const order = { type: 'object', properties: { id: { type: 'integer' }, note: { type: 'string' } } }
  const document = documentWith({
    '/orders': {
      post: {
        operationId: 'placeOrder',
        requestBody: { required: true, content: { 'application/json': { schema: order } } },
        responses: { 200: shown(order) },
      },
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

test('where too few names are allowed, what needs one is not tested', async () => {
  expect(await verifyOrders({ minimum: 1, maximum: 10 })).toMatchObject({
    'placeOrder/state/apart': 'untested',
    'getOrder/state/unknown': 'untested',
  })
})
