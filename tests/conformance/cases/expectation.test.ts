import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { expectationOf } from '../../../conformance/cases/expectation.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import {
  type Json,
  loadContract,
  type Operation,
  obligationsOf,
  plantStoreDocument,
} from '../../../spec/index.ts'

const contract = await loadContract({ from: plantStoreDocument.pathname })
const model = createOperationModel(contract, contract.operations[0] as Operation)
const obligation = obligationsOf(contract, 'declared').find(({ id }) =>
  id.endsWith('/request/body/name/type/number'),
)
if (obligation === undefined) throw new Error('there is no such obligation')

const spec: Omit<RequestSpec, 'body'> = {
  method: 'POST',
  path: '/plants',
  parameters: {},
  encoding: { kind: 'json' },
  contentType: 'application/json',
  chunked: false,
  queryEscapes: false,
  credentials: null,
  extra: [],
  renewable: false,
  derivedFrom: null,
  malformedHttp: null,
}

/** What the contract expects of a request with this body, as a case of the obligation. */
const expected = (body: Json) =>
  expectationOf(model, obligation, { ...spec, body }, 'secret')?.expectation ?? null

test('a request tests that a violation is rejected only if it violates nothing else', () => {
  expect(expected({ id: 1, name: 5 })).toBe('reject')
  expect(expected({ id: 1, name: 'Fern' })).toBeNull()
  expect(expected({ id: '1', name: 5 })).toBeNull()
  expect(expected({ name: 5 })).toBeNull()
})
