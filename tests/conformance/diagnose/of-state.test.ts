/** The token is rejected from some time on, or the server goes out of service: operations that were not asked again tell nothing else by it. */
import { expect, test } from 'vitest'
import { isRefusal, refusalsIn } from '../../../conformance/diagnose/of-state.ts'
import type { Incident } from '../../../conformance/judge/run-stats.ts'
import { requestSpec } from '../request-spec.ts'

const incident = (status: number, message: string, expectation = 'accept'): Incident =>
  ({
    testCase: { expectation, spec: requestSpec },
    outcome: {
      kind: 'response',
      response: {
        status,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from(JSON.stringify({ message })),
      },
      ms: 1,
    },
  }) as unknown as Incident

const refusals = refusalsIn(
  new Map([
    ['getNotes', incident(401, 'The token is no longer valid')],
    ['getBeds', incident(400, 'The bed is too small')],
    ['getPots', incident(503, 'The shop is closed for maintenance')],
  ]),
)

test.each([
  ['the same answer', incident(401, 'The token is no longer valid'), true],
  ['another answer', incident(401, 'This user may not do that'), false],
  ['another status that changed', incident(400, 'The bed is too small'), false],
  ['being out of service', incident(503, 'The shop is closed for maintenance'), true],
  [
    'being out of service, to an invalid request',
    incident(503, 'The shop is closed for maintenance', 'reject'),
    true,
  ],
  ['being busy', incident(503, 'Too many requests at once'), false],
  ['a request that has to be rejected', incident(401, 'The token is no longer valid', 'reject'), false],
])('%s', (_name, other, isOne) => {
  expect(isRefusal(other, refusals)).toBe(isOne)
})
