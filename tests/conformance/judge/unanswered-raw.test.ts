/** A valid request in unusual HTTP that gets no response is a failure of what it tests, also if it is sent again for a finding. */
import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { judgeCase, violationsIn } from '../../../conformance/judge/judge-case.ts'
import {
  loadContract,
  type Obligation,
  type Operation,
  type Outcome,
  obligationsOf,
  plantStoreDocument,
} from '../../../spec/index.ts'

const contract = await loadContract({ from: plantStoreDocument.pathname })
const [operation] = contract.operations as readonly [Operation]
const model = createOperationModel(contract, operation)
const obligations = obligationsOf(contract, 'declared')
const silence: Outcome = {
  kind: 'failure',
  failure: 'timeout',
  status: null,
  detail: 'no response in time',
  ms: 5000,
}

const policy = { unauthenticated: 'declared', undeclaredFailures: 'gap' } as const

test('it is told as one that got no response', () => {
  const id = 'createPlant/request/valid'
  const obligation = obligations.find(each => each.id === id) as Obligation
  const request = {
    method: 'POST',
    target: '/plants',
    headers: [],
    body: null,
    raw: { pieces: ['POST /plants HTTP/1.1'] },
  }
  const testCase = { obligation, request, expectation: 'accept', precondition: 'none' } as unknown as TestCase
  expect(violationsIn(judgeCase(model, testCase, silence, policy)).map(violation => violation.id)).toEqual([
    id,
  ])
})
