import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { countExamples, withExamples } from '../../../conformance/cases/declared-examples.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

test('the examples of each place take turns, also of those that are deep in a body', async () => {
  const text = { type: 'string', examples: ['error', 'error -debug', '"timed out"'] }
  const contract = await loadContract({
    from: writeDocument(
      'examples.json',
      documentWith({
        '/search': {
          post: {
            operationId: 'search',
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      filter: { type: 'object', properties: { text } },
                      order: { type: 'string', example: 'up' },
                    },
                  },
                },
              },
            },
            responses: { 200: { description: 'found' } },
          },
        },
      }),
    ),
  })
  const [operation] = contract.operations
  const model = createOperationModel(contract, operation as (typeof contract.operations)[0])
  const plain = { parameters: {}, body: {}, renewable: true, derivedFrom: null } as unknown as RequestSpec
  const bodies = Array.from(
    { length: countExamples(model) },
    (_, index) => withExamples(model, plain, index, index).body,
  )
  expect(bodies).toEqual(
    ['error', 'error -debug', '"timed out"'].map(value => ({ filter: { text: value }, order: 'up' })),
  )
})
