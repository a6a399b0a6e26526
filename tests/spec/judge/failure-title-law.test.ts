import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createResponseJudge,
  type Expectation,
  type Failure,
  failureTitle,
  type Json,
  judgeChallenge,
  type Obligation,
  type Outcome,
  parseJson,
  pinned,
  type ResponseViolation,
  type Values,
  violationOf,
} from '../../../spec/index.ts'
import { contracts } from '../contracts.ts'
import { answered, failed, obligations, response } from './outcomes.ts'

const secret = 'tok-3f9a2c'
const expectations: readonly Expectation[] = ['accept', 'reject', 'either']
const statuses = [200, 201, 204, 299, 302, 400, 401, 404, 415, 422, 500, 503]
const failures: readonly Failure[] = ['refused', 'unreachable', 'reset', 'timeout', 'malformed', 'too-large']

/** All obligations, and once more those that pins turn into requirements; by operation. */
const byOperation = Map.groupBy(
  [...obligations.values()].flatMap((obligation, _, all) =>
    obligation.level === 'OBSERVE'
      ? [
          obligation,
          ...pinned(all, [{ obligation: obligation.id, answers: ['accepted'] }]).filter(
            ({ id, pin }) => id === obligation.id && pin !== undefined,
          ),
        ]
      : [obligation],
  ),
  ({ operation }) => operation,
)

const judges = new Map(
  Object.values(contracts).flatMap(contract =>
    contract.operations.map(
      operation => [operation.id, { operation, judge: createResponseJudge(contract, operation) }] as const,
    ),
  ),
)

/** What the judges of an operation find in an outcome, and the plain case: another outcome was expected. */
const violationsOf = (id: string, outcome: Outcome, sent: Json | undefined): readonly ResponseViolation[] => {
  const plain = violationOf({ operation: id, subject: { kind: 'valid' } }, { expected: '', actual: '' })
  const found = judges.get(id)
  if (outcome.kind === 'failure' || found === undefined) return [plain]
  const { operation, judge } = found
  return [
    plain,
    ...judge(outcome.response, sent),
    ...(outcome.response.status === 401 ? judgeChallenge(operation, outcome.response, 'none') : []),
  ]
}

const isGood = (title: string, { requirement }: Obligation): boolean =>
  /^[a-z][^\p{C}\p{Zl}\p{Zp}]*[^.]$/u.test(title) &&
  title.length <= 140 &&
  title !== requirement &&
  !title.includes(secret) &&
  !/undefined|\[object| {2}/.test(title)

/** The titles that break the law, of all obligations for one outcome. `pick` chooses the obligation of the test case. */
const badTitles = (outcome: Outcome, values: Values, pick: number): readonly string[] =>
  [...byOperation].flatMap(([id, siblings]) => {
    const violations = violationsOf(id, outcome, values.body)
    return siblings.flatMap((obligation, index) => {
      const by = pick === 0 ? obligation : (siblings[(index + pick) % siblings.length] as Obligation)
      const testCase = {
        obligation: by,
        expectation: expectations[(index + pick) % 3] as Expectation,
        values,
      }
      return violations
        .map(violation => failureTitle({ obligation, testCase, outcome, violation }, [secret]))
        .filter(title => !isGood(title, obligation))
    })
  })

describe('a title is one short line without secrets, and never the requirement', () => {
  const values = { body: { id: secret, name: 'a' }, parameters: { limit: 'x'.repeat(500) } }
  const outcomes = [
    ...statuses.map(status => answered(status)),
    ...failures.flatMap(failure => [null, 200, 500].map(status => failed(failure, status))),
  ]

  test.each(outcomes)('for every obligation, and the outcome %j', outcome => {
    for (const pick of [0, 1, 2]) expect(badTitles(outcome, values, pick)).toEqual([])
  })

  test('whatever was sent and came back', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.constantFrom(
        `{"name":"${secret}"}`,
        `{"error":"${secret}\\n","message":[]}`,
        `{"${'x'.repeat(300)}":1,"name":"${'\\u2028'.repeat(99)}"}`,
      ),
    )
    const outcome: fc.Arbitrary<Outcome> = fc
      .record({
        status: fc.constantFrom(...statuses),
        text: texts,
        type: fc.constantFrom('application/json', 'text/html', null, `text/${secret}`),
        trace: fc.record({
          statuses: fc.subarray([200, 400]),
          interim: fc.subarray([100, 103]),
          early: fc.boolean(),
          closed: fc.boolean(),
        }),
      })
      .map(({ status, text, type, trace }) => ({
        kind: 'response',
        response: response(status, text, type),
        ms: 1,
        trace,
      }))
    const sent = fc.record({
      body: fc.oneof(fc.json().map(parseJson), fc.constantFrom(undefined, { name: secret, id: 1 })),
      parameters: fc.constant({ bookId: `${secret}\r\n` }),
    })
    fc.assert(
      fc.property(outcome, sent, fc.nat(), (came, given, pick) => {
        expect(badTitles(came, given, pick)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})
