import { expect, test } from 'vitest'
import { changesSince } from '../../bench/compare.ts'

const of = (...rounds: readonly number[]) => [{ name: 'mock · bare node:http', rounds }]

test.each([
  ['the same', [0.8, 0.8, 0.8], [0.8, 0.8, 0.8], false],
  ['less, by no more than a machine varies', [0.8, 0.8, 0.8], [0.78, 0.78, 0.78], false],
  ['less, by more than that', [0.8, 0.8, 0.8], [0.7, 0.7, 0.7], true],
  ['less, but its rounds differ by as much', [0.7, 0.8, 0.9], [0.6, 0.7, 0.8], false],
  ['more', [0.7, 0.7, 0.7], [0.9, 0.9, 0.9], false],
])('a ratio that is %s', (_what, before, now, fell) => {
  expect(changesSince(of(...before), of(...now))).toMatchObject([{ fell }])
})

test('a ratio that the earlier result does not have is new, and did not fall', () => {
  expect(changesSince([], of(0.5, 0.6, 0.7))).toMatchObject([{ before: null, now: 0.6, fell: false }])
})
