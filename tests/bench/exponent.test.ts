import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exponentOf } from '../../bench/scaling/exponent.ts'

const amounts = [1, 10, 100, 1000, 10_000]

test('the exponent of a power is found, whatever has to be paid for any amount', () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 1.5, 2, 3), fc.integer({ min: 0, max: 20 }), (exponent, fixed) => {
      const points = amounts.map(amount => ({ amount, cost: fixed + amount ** exponent }))
      expect(exponentOf(points)).toBeCloseTo(exponent, 1)
    }),
  )
})

test('a cost that hardly grows has no exponent', () => {
  expect(exponentOf(amounts.map(amount => ({ amount, cost: 100 + amount / 1000 })))).toBeNaN()
})
