import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beyondPlan, caseId, type TestCase } from '../../../conformance/cases/case.ts'
import { createExchangeLog } from '../../../conformance/execute/exchange-log.ts'
import type { ExchangeEvent, Obligation, Outcome } from '../../../spec/index.ts'

const caseOf = (number: number): TestCase => ({
  number,
  obligation: { id: 'addPlant/request/valid', subject: { kind: 'valid' } } as unknown as Obligation,
  expectation: 'accept',
  cause: null,
  spec: {} as TestCase['spec'],
  request: { method: 'POST', target: '/plants', headers: [], body: null, chunked: false },
  precondition: 'none',
})

const outcome: Outcome = { kind: 'failure', failure: 'timeout', status: null, detail: 'no response', ms: 1 }

const end = fc.record({ isSent: fc.boolean(), isPostponed: fc.boolean(), isBeyond: fc.boolean() })

test('the log has the cases of the plan alone, however they end', () => {
  fc.assert(
    fc.property(fc.array(end, { maxLength: 20 }), ends => {
      const events: ExchangeEvent[] = []
      const log = createExchangeLog(event => events.push(event), [])
      const all = ends.map((each, index) => ({
        ...each,
        testCase: caseOf(
          each.isBeyond ? beyondPlan + index : ends.slice(0, index).filter(e => !e.isBeyond).length,
        ),
      }))
      for (const { isPostponed, testCase } of all) if (isPostponed) log.postpone(testCase)
      for (const { isSent, testCase } of all)
        if (isSent) log.add(testCase, outcome, [testCase.obligation.id])
        else log.skip(testCase)
      const sent = all.filter(({ isSent, isBeyond }) => isSent && !isBeyond)
      expect(events.map(({ id }) => id).sort()).toEqual(
        sent.map(({ testCase }) => caseId(testCase.number)).sort(),
      )
    }),
  )
})
