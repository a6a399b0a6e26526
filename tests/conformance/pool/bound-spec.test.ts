import { expect, test } from 'vitest'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { withName } from '../../../conformance/pool/bound-spec.ts'
import { type JsonObject, loadContract, type Operation, parseJson } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const contract = await loadContract({
  from: writeDocument(
    'lists.json',
    documentWith({
      '/lists': {
        post: {
          operationId: 'createList',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'created' } },
        },
      },
    }),
  ),
})
const model = createOperationModel(contract, contract.operations[0] as Operation)

test.each([
  ['{"id":1,"name":"a"}', '"7"', '{"id":7,"name":"a"}'],
  ['{"id":1,"name":"a"}', '"q1z9"', '{"id":1,"name":"a"}'],
  // A case about the name has to stay one about nothing else.
  ['{"id":1,"name":5}', '"7"', '{"id":7,"name":5}'],
  ['{"id":1,"name":5}', '"q1z9"', '{"id":1,"name":5}'],
])('%s with the id %s is %s', (body, id, expected) => {
  expect(withName(model, parseJson(body) as JsonObject, 'id', parseJson(id))).toEqual(parseJson(expected))
})
