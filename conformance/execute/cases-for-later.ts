import type { TestCase } from '../cases/case.ts'

/** Cases of an obligation that are kept for later: a plan that only time ends has any number of them. */
const mostKept = 5

/** Keeps a case of an obligation for later, if there are not enough of them. */
export const keepForLater = (kept: Map<string, TestCase[]>, testCase: TestCase): boolean => {
  const ofObligation = kept.get(testCase.obligation.id) ?? []
  kept.set(testCase.obligation.id, ofObligation)
  const isKept = ofObligation.length < mostKept
  if (isKept) ofObligation.push(testCase)
  return isKept
}
