/** If the time may not do for all that failed, one failure of each cause is sent again before the second of any. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderRequest } from '../../../conformance/cases/render.ts'
import { confirmOperation, type Turn } from '../../../conformance/confirm/confirm.ts'
import { judgeCase, violationsIn } from '../../../conformance/judge/judge-case.ts'
import { findingCause } from '../../../conformance/judge/mechanism.ts'
import { addIncident, createRunStats, type Incident, statsOf } from '../../../conformance/judge/run-stats.ts'
import type { CaseSender } from '../../../conformance/send/case-sender.ts'
import { createBudget } from '../../../conformance/session/run-clock.ts'
import type { Outcome } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { casesOf } from './cases-of.ts'

const policy = { unauthenticated: 'declared', undeclaredFailures: 'gap' } as const

const accepted: Outcome = {
  kind: 'response',
  response: {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{"id":1,"name":"Fern"}'),
  },
  ms: 1,
}
const rejected: Outcome = {
  ...accepted,
  response: { ...accepted.response, status: 400, body: Buffer.from('{"code":400,"message":"no"}') },
}
const crashed: Outcome = {
  ...accepted,
  response: { status: 500, headers: [['Content-Type', 'text/plain']], body: Buffer.from('oops') },
}

const [{ model, cases }] = casesOf(contracts.plantStore, 1) as [ReturnType<typeof casesOf>[number]]
const toReject = cases
  .filter(({ expectation, cause }) => expectation === 'reject' && cause !== 'credentials')
  .map(each => ({ ...each, request: renderRequest(model.operation, each.spec) }))
const obligations = [...new Set(toReject.map(({ obligation }) => obligation))]

/** Sends again what a server did to these requests; gives the obligations that were asked about. */
const sentAgain = async (
  outcomes: ReadonlyMap<string, Outcome>,
  { turn, causes }: { turn: Turn; causes: Set<string> | null },
) => {
  const stats = createRunStats()
  const incidents: Incident[] = []
  for (const testCase of toReject) {
    const outcome = outcomes.get(testCase.obligation.id) as Outcome
    for (const violation of violationsIn(judgeCase(model, testCase, outcome, policy)))
      if (violation.id === testCase.obligation.id) incidents.push({ testCase, outcome, violation })
  }
  for (const { obligation } of toReject) statsOf(stats, obligation.id).cases += 1
  for (const incident of incidents) addIncident(stats, incident)
  const asked = new Set<string>()
  const same = (testCase: object) => testCase
  const sender = {
    ...{ exactly: same, varied: same, validVariant: () => null },
    variantOf: (testCase: object, spec: object) => ({ ...testCase, spec }),
    send: async (testCase: (typeof toReject)[number]) => {
      asked.add(testCase.obligation.id)
      return { testCase, outcome: outcomes.get(testCase.obligation.id) }
    },
  } as unknown as CaseSender
  await confirmOperation(obligations, stats, {
    ...{ model, sender, policy, stateless: false, budget: createBudget(10_000, null), isAlone: true },
    ...{ hasDrifted: false, accepted: null, known: new Map(), turn, causes },
  })
  return { asked, incidents }
}

const outcomesOf = fc
  .array(fc.boolean(), { minLength: obligations.length, maxLength: obligations.length })
  .map(
    crashes =>
      new Map(obligations.map(({ id }, index) => [id, crashes[index] === true ? crashed : accepted])),
  )

test('each cause is asked about, and most that failed are not', async () => {
  const some = new Map(obligations.map(({ id }, index) => [id, index % 3 === 0 ? rejected : accepted]))
  const { asked, incidents } = await sentAgain(some, { turn: 'all', causes: new Set() })
  const causeOf = ({ testCase, violation }: Incident) =>
    findingCause(testCase.obligation, { ...accepted, testCase, outcome: accepted, violation }, 'steady', [])
      .key
  const told = new Set(incidents.filter(({ violation }) => asked.has(violation.id)).map(causeOf))
  expect(told).toEqual(new Set(incidents.map(causeOf)))
  expect(asked.size).toBe(told.size)
  expect(asked.size).toBeLessThan(incidents.length / 2)
})

test('what hangs is asked about when everything else was', async () => {
  const hanging: Outcome = {
    kind: 'failure',
    failure: 'timeout',
    detail: 'no response',
    status: null,
    ms: 5000,
  }
  const some = new Map(obligations.map(({ id }, index) => [id, index % 2 === 0 ? hanging : accepted]))
  const first = await sentAgain(some, { turn: 'all', causes: new Set() })
  const every = await sentAgain(some, { turn: 'all', causes: null })
  const hung = (asked: ReadonlySet<string>) => [...asked].filter(id => some.get(id) === hanging)
  expect(first.asked.size).toBeGreaterThan(0)
  expect(hung(first.asked)).toEqual([])
  expect(hung(every.asked).length).toBeGreaterThan(0)
})

test('a cause that came again elsewhere is not asked about, and without causes everything is', async () => {
  await fc.assert(
    fc.asyncProperty(
      outcomesOf,
      fc.constantFrom<Turn>('all', 'crashes', 'others'),
      async (outcomes, turn) => {
        const causes = new Set<string>()
        const first = await sentAgain(outcomes, { turn, causes })
        const again = await sentAgain(outcomes, { turn, causes })
        const every = await sentAgain(outcomes, { turn, causes: null })
        expect(again.asked.size).toBe(0)
        expect([...first.asked].every(id => every.asked.has(id))).toBe(true)
      },
    ),
    { numRuns: 30 },
  )
})

test('a share of a budget has its part of the time, and the requests of all', () => {
  const now = performance.now()
  const budget = createBudget(10, now + 3_600_000)
  const share = budget.share(1 / 4)
  share.left -= 3
  expect(budget.left).toBe(7)
  expect(share.isOver()).toBe(false)
  expect(budget.share(0).isOver()).toBe(true)
  expect(
    createBudget(10, now - 1)
      .share(1)
      .isOver(),
  ).toBe(true)
  expect(createBudget(10, null).share(0).isOver()).toBe(false)
})
