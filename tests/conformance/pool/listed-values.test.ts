import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { valuesFor } from '../../../conformance/pool/known-values.ts'
import { createPool } from '../../../conformance/pool/pool.ts'
import { loadContract, type Operation } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

test('what the document lists is not taken from what the server has shown, as a rejected value of a list is a fault', async () => {
  const listed = { enum: ['low', 'high'] }
  const order = { type: 'object', properties: { priority: listed, flow_id: { type: 'string' } } }
  const contract = await loadContract({
    from: writeDocument(
      'listed.json',
      documentWith({
        '/flows': {
          get: {
            operationId: 'listFlows',
            parameters: [{ name: 'priority', in: 'query', schema: listed }],
            responses: { 200: { description: 'flows' } },
          },
        },
        '/orders': {
          post: {
            operationId: 'order',
            requestBody: { required: true, content: { 'application/json': { schema: order } } },
            responses: { 200: { description: 'done' } },
          },
        },
      }),
    ),
  })
  const [flows, orders] = contract.operations as [Operation, Operation]
  const pool = createPool(contract.operations)
  pool.learn(flows, { parameters: {} } as RequestSpec, Buffer.from('[{"id":"f1","priority":"high"}]'))
  pool.settle()
  const placesOf = (operation: Operation, spec: Pick<RequestSpec, 'parameters' | 'body'>) => [
    ...valuesFor(
      pool,
      createOperationModel(contract, operation),
      { ...spec, encoding: { kind: 'json' } } as RequestSpec,
      0,
    ).keys(),
  ]
  expect(placesOf(orders, { parameters: {}, body: { priority: 'low', flow_id: 'x' } })).toEqual(['/flow_id'])
  expect(placesOf(flows, { parameters: { priority: 'low' }, body: undefined })).toEqual([])
})
