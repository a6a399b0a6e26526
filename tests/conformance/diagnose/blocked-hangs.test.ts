/** One of several processes of a server may be busy with a request, and others hang that wait for it. */
import { expect, test } from 'vitest'
import type { Confirmed } from '../../../conformance/confirm/confirm-incident.ts'
import { excusesOf } from '../../../conformance/diagnose/of-load.ts'
import type { Outcome } from '../../../spec/index.ts'

const hung: Outcome = { kind: 'failure', failure: 'timeout', status: null, detail: 'no response', ms: 5000 }
const lost: Outcome = { ...hung, failure: 'reset' }
const blocking: Outcome = { ...hung, blockedMs: 20_000 }

const confirmed = (outcome: Outcome, repeat: Confirmed['repeat']): Confirmed =>
  ({
    incident: { testCase: { expectation: 'accept' }, outcome, violation: { subject: { kind: 'valid' } } },
    repeat,
    key: '',
  }) as unknown as Confirmed

const known = (...all: readonly Confirmed[]) =>
  excusesOf(new Map(all.map((each, index) => [String(index), each])))

test('what hung now and then beside a request that blocks the server shows nothing; that request does', () => {
  const excuse = known(confirmed(blocking, 'steady'))
  expect(excuse(confirmed(hung, 'flaky'))).toMatch(/^it hung in a run in which another request/)
  expect(excuse(confirmed(hung, 'unrepeated'))).toMatch(/^it hung in a run in which another request/)
  expect(excuse(confirmed(hung, 'steady'))).toBeNull()
  expect(excuse(confirmed(lost, 'flaky'))).toBeNull()
  expect(excuse(confirmed(blocking, 'unrepeated'))).toBeNull()
})

test('without such a request it is a finding', () => {
  expect(known(confirmed(hung, 'steady'))(confirmed(hung, 'flaky'))).toBeNull()
})
