/** A server that hides what exists answers 403 to a name that nothing has, and some answer 400: that shows nothing, unless another such name is answered otherwise. */
import { expect, test } from 'vitest'
import type { Confirmed } from '../../../conformance/confirm/confirm-incident.ts'
import { excusesOf } from '../../../conformance/diagnose/of-load.ts'
import { deriveObligations, type Repeat } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const obligations = [...deriveObligations(contracts.library, 'declared')].flat()
const named = (id: string) => obligations.find(each => each.id === id)
const ofName = named('getBook/request/path/bookId/zero')
const ofQuery = named('listBooks/request/query/limit/at-minimum')

const confirmed = (status: number, repeat: Repeat, obligation = ofName): Confirmed =>
  ({
    repeat,
    key: 'a',
    incident: {
      testCase: { number: 1, obligation, expectation: 'accept', spec: requestSpec },
      outcome: { kind: 'response', response: { status, headers: [], body: Buffer.from('') }, ms: 1 },
      violation: { id: obligation?.id, subject: obligation?.subject },
    },
  }) as unknown as Confirmed

const excuse = excusesOf(new Map())

test.each<readonly [status: number, repeat: Repeat, isExcused: boolean]>([
  [404, 'steady', true],
  [404, 'unrepeated', true],
  [403, 'unrepeated', true],
  [403, 'flaky', true],
  // Another made-up name was answered in another way, or it would be excused already.
  [403, 'steady', false],
  // Nothing may have a name of that form, as `-0`.
  [400, 'unrepeated', true],
  [422, 'flaky', true],
  [400, 'steady', false],
  [409, 'unrepeated', false],
])('%i to a made-up name, %s: excused %s', (status, repeat, isExcused) => {
  expect(excuse(confirmed(status, repeat)) !== null).toBe(isExcused)
})

test('what is no name in a path is not hidden', () => {
  expect(excuse(confirmed(403, 'unrepeated', ofQuery))).toBeNull()
  expect(excuse(confirmed(404, 'unrepeated', ofQuery))).toBeNull()
})
