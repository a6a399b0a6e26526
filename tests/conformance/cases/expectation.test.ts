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
import { contractOfBody } from '../../spec/contracts.ts'

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

test('too deep lists break a schema only if it rules out lists there', async () => {
  const free = await contractOfBody({ type: 'object', properties: { extra: {}, text: { type: 'string' } } })
  const feedback = createOperationModel(free, free.operations[0] as Operation)
  const nesting = obligationsOf(free, 'declared').find(
    ({ id }) => id === 'a/request/body/json/closed-nesting',
  )
  if (nesting === undefined) throw new Error('there is no such obligation')
  const ofBody = (body: Json, pick: number) => {
    const encoding = { kind: 'malformed', name: 'closed-nesting', pick } as const
    const sent = { ...spec, path: '/a', body, encoding }
    return expectationOf(feedback, nesting, sent, 'secret')?.expectation ?? null
  }
  expect(ofBody({ extra: 'any', text: 'good' }, 0)).toBeNull()
  // Around the whole body, they make it a list.
  expect(ofBody({ extra: 'any', text: 'good' }, 1)).toBe('reject')
  expect(ofBody({ text: 'good' }, 0)).toBe('reject')
})
