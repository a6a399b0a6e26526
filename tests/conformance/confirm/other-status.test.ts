/** What is wrong with a response of one status does not show in one of another, which is no chance. */
import { expect, test } from 'vitest'
import type { RequestSpec, TestCase } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { confirmIncidents, shownPlainly } from '../../../conformance/confirm/confirm-incident.ts'
import type { ConfirmOptions } from '../../../conformance/confirm/resend-options.ts'
import { judgeCase } from '../../../conformance/judge/judge-case.ts'
import type { Incident } from '../../../conformance/judge/run-stats.ts'
import { type Outcome, obligationsOf } from '../../../spec/index.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'
import { casesOf } from './cases-of.ts'

const contract = contracts.plantStore
const model = createOperationModel(contract, operationOf(contract, 'createPlant'))
const all = obligationsOf(contract, 'declared')
const obligationWith = (id: string) => all.find(obligation => obligation.id === id)

const answer = (status: number, body: string): Outcome => ({
  kind: 'response',
  response: { status, headers: [['Content-Type', 'application/json']], body: Buffer.from(body) },
  ms: 1,
})

const incidentOf = (id: string, expectation: 'accept' | 'reject', body: string): Incident =>
  ({
    testCase: {
      number: 1,
      obligation: obligationWith(expectation === 'accept' ? 'createPlant/request/valid' : id),
      expectation,
      cause: expectation === 'accept' ? null : 'body',
      spec: { ...requestSpec, body: { id: 7, name: 'Fern' } },
      request: { method: 'POST', target: '/plants', headers: [], body: Buffer.from('{}') },
    },
    outcome: answer(200, body),
    violation: { id, subject: obligationWith(id)?.subject },
  }) as unknown as Incident

const confirmedAs = async (incident: Incident, status: number, body = '{}') => {
  const sender = {
    exactly: (testCase: object) => testCase,
    varied: (testCase: object) => testCase,
    variantOf: (testCase: object) => testCase,
    send: async (testCase: object) => ({ testCase, outcome: answer(status, body) }),
  }
  const options = {
    ...{ model, sender, policy: { unauthenticated: 'declared', undeclaredFailures: 'gap' } },
    ...{ budget: { left: 9, isOver: () => false }, isAlone: true, shareOf: () => 1 },
  } as unknown as ConfirmOptions
  return (await confirmIncidents(incident.violation.id, [incident], options))?.repeat
}

test('a property that is missing in a 200, which is no 200 when it comes again', async () => {
  const incident = incidentOf('createPlant/response/200/body/name/required', 'accept', '{"id":7}')
  expect(await confirmedAs(incident, 400)).toBe('unrepeated')
  expect(await confirmedAs(incident, 401)).toBe('unrepeated')
  expect(await confirmedAs(incident, 200, '{"id":7,"name":"Fern"}')).toBe('flaky')
})

test('an invalid body that was carried out, and is a conflict when it comes again', async () => {
  const incident = incidentOf('createPlant/request/body/json/trailing-garbage', 'reject', '{}')
  expect(await confirmedAs(incident, 409)).toBe('unrepeated')
  expect(await confirmedAs(incident, 400)).toBe('flaky')
})

test('a status that comes with the right credentials as well is that of any valid request, another one is not', async () => {
  const [testCase] = casesOf(contract, 1).flatMap(({ cases }) =>
    cases.filter(({ obligation }) => obligation.id === 'createPlant/auth/absent'),
  )
  const policy = { unauthenticated: 'declared', undeclaredFailures: 'gap' } as const
  const expectedFrom = async (statusOfValid: number) => {
    const sender = {
      validVariant: (_: object, spec: RequestSpec) => ({ ...testCase, spec, expectation: 'accept' }),
      send: async (sent: TestCase) => ({
        testCase: sent,
        outcome: answer(sent.spec.credentials === null ? statusOfValid : 418, '{}'),
      }),
    }
    const outcome = answer(418, '{}')
    const { violation } = judgeCase(model, testCase as TestCase, outcome, policy)
    const options = {
      ...{ model, sender, policy, budget: { left: 9, isOver: () => false } },
      any: obligationWith('createPlant/request/valid'),
    } as unknown as ConfirmOptions
    const incident = { testCase, outcome, violation } as Incident
    const confirmed = { incident, repeat: 'steady', key: '' } as const
    const { incident: shown } = await shownPlainly('createPlant/response/declared', confirmed, options)
    return shown.testCase.expectation
  }
  expect(await expectedFrom(418)).toBe('accept')
  expect(await expectedFrom(200)).toBe('reject')
})
