import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { suspectsText, unansweredAfter } from '../../../conformance/judge/observation-text.ts'

const lost = (number: number, sentAt: number, lostAt: number) => {
  const obligation = { id: `case-${number}` }
  const request = { method: 'GET', target: '/plants', body: null }
  const outcome = { kind: 'failure', failure: 'reset', status: null, detail: '', ms: 1 } as const
  return { testCase: { number, obligation, request } as unknown as TestCase, outcome, sentAt, lostAt }
}

test('the requests that may have ended a server are named in the order in which they were sent', () => {
  // The last was sent after the others were lost.
  const text = suspectsText([lost(12, 5, 9), lost(3, 4, 10), lost(7, 2, 8), lost(20, 9, 11)])
  expect([...text.matchAll(/case-(\d+)/g)].map(([, number]) => number)).toEqual(['3', '7', '12'])
  expect(suspectsText([])).toBe('')
})

test('a response that was on its way does not show that the server is still there', () => {
  const now = performance.now()
  const [before, meanwhile] = [lost(1, now - 900, now - 800), lost(2, now - 300, now - 100)]
  const answer = {
    kind: 'response',
    ms: 500,
    response: { status: 200, headers: [], body: Buffer.of() },
  } as const
  const { testCase } = lost(3, now - 500, now)
  expect(unansweredAfter([before, meanwhile], testCase, answer)).toEqual([meanwhile])
})
