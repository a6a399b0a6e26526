import { expect, test } from 'vitest'
import { type Sensitivity, sensitivities } from '../../../reports/view/sensitivity.ts'
import { foldLedger, type Verdict } from '../../../spec/index.ts'
import { end, obligations, start, untested, verdicts } from '../fixture.ts'

/** The sentence about the family `accept`, whose obligations had these numbers of cases. */
const sentenceFor = (...cases: readonly number[]): string | undefined => {
  const ids = obligations.filter(({ family }) => family === 'accept').map(({ id }) => id)
  const chosen = ids
    .slice(0, cases.length)
    .map((id, index): [string, Verdict] => [
      id.replace('createPlant/', ''),
      { kind: 'passed', cases: cases[index] ?? 0 },
    ])
  const others = ids
    .slice(cases.length)
    .map((id): [string, Verdict] => [id.replace('createPlant/', ''), untested('budget', '')])
  return of(
    sensitivities(foldLedger([start(), ...verdicts(Object.fromEntries([...chosen, ...others]))])),
    'accept',
  )
}

const of = (all: readonly Sensitivity[], family: string): string | undefined =>
  all.find(each => each.about === family)?.sentence

test('the sentence has the sum, the median and the least of the cases', () => {
  expect(sentenceFor(9, 4, 1, 20, 6)).toBe(
    '40 cases for 5 passed requirements, typically 6 each (at least 1): a fault that shows in fewer than 1 of 6 such requests can remain unseen',
  )
})

test('a number that is the same for all is given once', () => {
  expect(sentenceFor(4, 4, 4)).toBe(
    '12 cases for 3 passed requirements, typically 4 each: a fault that shows in fewer than 1 of 4 such requests can remain unseen',
  )
  expect(sentenceFor(7)).toBe(
    '7 cases for 1 passed requirement: a fault that shows in fewer than 1 of 7 such requests can remain unseen',
  )
})

test('one case each shows no more than a fault that comes every time', () => {
  expect(sentenceFor(1, 1, 5)).toBe(
    '7 cases for 3 passed requirements, typically 1 each: a fault that does not show every time can remain unseen',
  )
})

test('there is no sentence about a family without a passed requirement, nor about observations', () => {
  expect(sentenceFor()).toBeUndefined()
  const families = sensitivities(foldLedger([start(), ...verdicts()])).map(({ about }) => about)
  expect(families).toEqual(['accept', 'reject', 'auth', 'response', 'stability'])
})

test('responses are not summed up: every requirement of the family judges the same ones', () => {
  expect(of(sensitivities(foldLedger([start(), ...verdicts()])), 'response')).toBe(
    '3 passed requirements, typically 360 responses each (at least 340): a fault that shows in fewer than 1 of 360 such responses can remain unseen',
  )
})

const pairsOf = (covered: number, total: number): string | undefined =>
  of(sensitivities(foldLedger([start(), ...verdicts(), end({ pairs: { covered, total } })])), 'pairs')

test('the share of the pairs of conditions is given, rounded down', () => {
  expect(pairsOf(427, 427)).toBe(
    '427 of 427 pairs of conditions (100 %) met in valid requests, such as a negative number beside a long text: a fault that needs three conditions at once can remain unseen',
  )
  expect(pairsOf(1999, 2000)).toBe(
    '1,999 of 2,000 pairs of conditions (99 %) met in valid requests, such as a negative number beside a long text: a fault that needs another pair, or three conditions at once, can remain unseen',
  )
  expect(pairsOf(0, 0)).toBeUndefined()
})
