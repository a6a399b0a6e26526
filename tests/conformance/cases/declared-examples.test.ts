import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { countExamples, withExamples } from '../../../conformance/cases/declared-examples.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { loadContract } from '../../../spec/index.ts'
import { bodyOf, documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

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

test('a property has the example that the same one has elsewhere, and the required properties also come alone', async () => {
  const kind = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', example: 'plant' } },
  }
  const kinds = { type: 'array', minItems: 1, items: kind }
  const properties = { kinds, owner: { type: 'string', example: 'fern' } }
  const example = [{ name: 'document' }, { name: 'folder' }]
  const contract = await loadContract({
    from: writeDocument(
      'lent.json',
      documentWith({
        '/models': {
          post: {
            operationId: 'write',
            requestBody: bodyOf({ type: 'object', required: ['kinds'], properties }),
            responses: { 201: { description: 'written' } },
          },
          get: {
            operationId: 'read',
            responses: {
              200: {
                description: 'read',
                content: {
                  'application/json': {
                    schema: { type: 'object', properties: { kinds: { ...kinds, example } } },
                  },
                },
              },
            },
          },
        },
      }),
    ),
  })
  const model = createOperationModel(contract, operationOf(contract, 'write'))
  const plain = {
    ...{ parameters: {}, renewable: true, derivedFrom: null },
    body: { kinds: [{ name: 'w1' }] },
  } as unknown as RequestSpec
  const bodies = Array.from(
    { length: countExamples(model) },
    (_, index) => withExamples(model, plain, index, index).body,
  )
  expect(bodies).toEqual([
    { kinds: example, owner: 'fern' },
    { kinds: example },
    { kinds: [{ name: 'plant' }], owner: 'fern' },
  ])
})

test('an example that lacks what is required by now is completed', async () => {
  const schema = {
    type: 'object',
    required: ['host', 'protocol'],
    properties: { host: { type: 'string' }, protocol: { type: 'string', enum: ['http', 'https'] } },
    example: { host: 'fern.test', port: 80 },
  }
  const contract = await loadContract({
    from: writeDocument(
      'short.json',
      documentWith({
        '/computes': {
          post: {
            operationId: 'add',
            requestBody: bodyOf(schema),
            responses: { 201: { description: 'added' } },
          },
        },
      }),
    ),
  })
  const model = createOperationModel(contract, operationOf(contract, 'add'))
  const plain = { parameters: {}, body: {}, renewable: true, derivedFrom: null } as unknown as RequestSpec
  expect(countExamples(model)).toBe(1)
  expect(withExamples(model, plain, 0, 0).body).toEqual({
    host: 'fern.test',
    port: 80,
    protocol: expect.stringMatching(/^https?$/),
  })
})
