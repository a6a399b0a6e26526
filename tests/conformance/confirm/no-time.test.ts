/** What there is no time to ask about is not known, and no case is blamed for it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestSpec, TestCase } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createBlame } from '../../../conformance/confirm/blame.ts'
import { confirmIncidents } from '../../../conformance/confirm/confirm-incident.ts'
import type { ConfirmOptions } from '../../../conformance/confirm/resend-options.ts'
import type { Incident } from '../../../conformance/judge/run-stats.ts'
import { deriveObligations } from '../../../spec/index.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const model = createOperationModel(contracts.plantStore, operationOf(contracts.plantStore, 'createPlant'))
const obligations = [...deriveObligations(contracts.plantStore, 'declared')].flat()
const withId = (id: string) => obligations.find(each => each.id === `createPlant/request/${id}`)

/** A server that answers each request with the status that `statusOf` gives, asked until `most` requests are sent. */
const optionsWith = (statusOf: (spec: RequestSpec) => number, most: number): ConfirmOptions => {
  const budget = { left: 99, isOver: () => budget.left <= 99 - most }
  const same = (testCase: object) => testCase
  const sender = {
    ...{ exactly: same, varied: same },
    validVariant: (testCase: object, spec: RequestSpec) => ({ ...testCase, spec, expectation: 'accept' }),
    variantOf: (testCase: object, spec: RequestSpec) => ({ ...testCase, spec }),
    send: async (testCase: TestCase) => ({ testCase, outcome: answer(statusOf(testCase.spec)) }),
  }
  return {
    ...{ model, sender, budget, isAlone: true, shareOf: () => 1, failedKindsOf: () => [], any: null },
    policy: { unauthenticated: 'declared', undeclaredFailures: 'gap' },
    ...{ hasAccepted: true, stateless: false },
    blameOf: createBlame(null, [], () => false),
  } as unknown as ConfirmOptions
}

const answer = (status: number) => ({
  kind: 'response',
  response: {
    ...{ status, headers: [['Content-Type', 'application/json']] },
    body: Buffer.from('{"error":422,"message":"no"}'),
  },
  ms: 1,
})

const plain = { ...requestSpec, path: '/plants', body: { id: 7, name: 'Fern' } }

const rejected = (id: string, spec: object): Incident => {
  const obligation = withId(id)
  return {
    testCase: {
      ...{
        number: 1,
        obligation,
        expectation: 'accept',
        cause: null,
        spec: { ...plain, ...spec },
      },
      request: { method: 'POST', target: '/plants', headers: [], body: Buffer.from('{}') },
    },
    outcome: answer(422),
    violation: { id: obligation?.id, subject: obligation?.subject },
  } as unknown as Incident
}

const layout = rejected('layout/whitespace', { encoding: { kind: 'layout', layout: 'whitespace' } })
const long = rejected('body/tag/long-255', { body: { id: 7, name: 'Fern', tag: 'x'.repeat(255) } })

test('a layout is to blame only if the same request is taken in the usual one', async () => {
  const blameWith = (most: number, status: number) => {
    const options = optionsWith(() => status, most)
    return options.blameOf(layout, options)
  }
  expect(await blameWith(9, 200)).toEqual({ kind: 'case' })
  expect(await blameWith(9, 422)).toMatchObject({ kind: 'any' })
  expect(await blameWith(0, 200)).toEqual({ kind: 'unknown' })
})

test('whenever time is up, the blame is what it is without a limit, or unknown', async () => {
  const accepted = { spec: plain } as unknown as TestCase
  const bodies = fc.array(
    fc.constantFrom('tag', 'name', 'id', 'tag is long', 'name is plain', 'layout', 'everything'),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(layout, long), bodies, fc.nat(12), async (incident, rejects, most) => {
      const statusOf = ({ body, encoding }: RequestSpec): number => {
        const value = (body ?? {}) as Record<string, unknown>
        const is: Readonly<Record<string, boolean>> = {
          'tag is long': String(value.tag).length > 40,
          'name is plain': value.name === 'Fern',
          layout: encoding.kind !== 'json',
          everything: true,
        }
        return rejects.some(each => is[each] ?? each in value) ? 422 : 200
      }
      const blameOf = createBlame(accepted, [], () => false)
      const cut = await blameOf(incident, optionsWith(statusOf, most))
      const whole = await createBlame(accepted, [], () => false)(incident, optionsWith(statusOf, 99))
      if (cut.kind !== 'unknown') expect(cut).toEqual(whole)
    }),
  )
})

test('what was sent again and failed again is not told as if it had not been, if there was no time to ask why', async () => {
  const confirmedBy = (most: number) => {
    const options = optionsWith(() => 422, most)
    return confirmIncidents(layout.violation.id, [layout], options)
  }
  expect(await confirmedBy(0)).toMatchObject({ repeat: 'unrepeated' })
  expect(await confirmedBy(2)).toMatchObject({ repeat: 'steady', isBlameOpen: true })
  expect(await confirmedBy(9)).toMatchObject({ repeat: 'steady', excuse: expect.any(String) })
})

test('a value that the accepted request had is to blame if it is not accepted any more, and not the case', async () => {
  const options = optionsWith(({ body }) => ((body as { tag?: string }).tag === undefined ? 200 : 422), 99)
  const accepted = { spec: { ...plain, body: { ...plain.body, tag: 'gone' } } } as unknown as TestCase
  const long = rejected('body/name/long-255', { body: { id: 7, name: 'x'.repeat(255), tag: 'other' } })
  const blame = await createBlame(accepted, [], () => false)(long, options)
  expect(blame).toMatchObject({ kind: 'rule', rule: { title: expect.stringContaining('`tag`') } })
})
