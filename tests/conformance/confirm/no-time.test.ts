/** What there is no time to ask about is not known, and no case is blamed for it. */
import { expect, test } from 'vitest'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createBlame } from '../../../conformance/confirm/blame.ts'
import type { ResendOptions } from '../../../conformance/confirm/resend-options.ts'
import type { Incident } from '../../../conformance/judge/run-stats.ts'
import { deriveObligations } from '../../../spec/index.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const model = createOperationModel(contracts.plantStore, operationOf(contracts.plantStore, 'createPlant'))
const obligation = [...deriveObligations(contracts.plantStore, 'declared')]
  .flat()
  .find(({ id }) => id === 'createPlant/request/layout/whitespace')

const rejected = {
  testCase: {
    number: 1,
    obligation,
    expectation: 'accept',
    spec: {
      ...requestSpec,
      body: { id: 7, name: 'Fern' },
      encoding: { kind: 'layout', layout: 'whitespace' },
    },
  },
  outcome: { kind: 'response', response: { status: 400, headers: [], body: Buffer.from('{}') }, ms: 1 },
  violation: { id: obligation?.id, subject: obligation?.subject },
} as unknown as Incident

const blameWith = (isOver: boolean, answer: number) => {
  const sender = {
    validVariant: (testCase: object) => testCase,
    send: async (testCase: object) => ({
      testCase,
      outcome: {
        kind: 'response',
        response: { status: answer, headers: [], body: Buffer.from('{}') },
        ms: 1,
      },
    }),
  }
  const options = {
    model,
    sender,
    budget: { left: 9, isOver: () => isOver },
  } as unknown as ResendOptions
  return createBlame(null, [], () => false)(rejected, options)
}

test('a layout is to blame only if the same request is taken in the usual one', async () => {
  expect(await blameWith(false, 200)).toEqual({ kind: 'case' })
  expect(await blameWith(false, 400)).toMatchObject({ kind: 'any' })
  expect(await blameWith(true, 200)).toEqual({ kind: 'unknown' })
})
