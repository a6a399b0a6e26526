import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, decimal, isInteger, isMultiple } from '../../../spec/index.ts'

const wholes = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const powers = fc.integer({ min: 0, max: 30 })

test('integers compare as with BigInt, with any exponent', () => {
  fc.assert(
    fc.property(wholes, wholes, powers, (left, right, power) => {
      const zeros = 10n ** BigInt(power)
      const expected = left * zeros < right ? -1 : left * zeros > right ? 1 : 0
      expect(Math.sign(compare(decimal(`${left}e${power}`), decimal(`${right}`)))).toBe(expected)
    }),
  )
})

test('fractions compare as integers of the same unit', () => {
  fc.assert(
    fc.property(wholes, wholes, powers, (left, right, power) => {
      const expected = left < right ? -1 : left > right ? 1 : 0
      expect(Math.sign(compare(decimal(`${left}e-${power}`), decimal(`${right}e-${power}`)))).toBe(expected)
    }),
  )
})

test('all spellings of a number are equal', () => {
  fc.assert(
    fc.property(wholes, powers, (whole, power) => {
      expect(decimal(`${whole}${'0'.repeat(power)}e-${power}`)).toEqual(decimal(`${whole}`))
      expect(decimal(`${whole}.${'0'.repeat(power + 1)}E+0`)).toEqual(decimal(`${whole}`))
    }),
  )
})

test('multiples agree with the remainder of BigInt', () => {
  const steps = fc.bigInt({ min: 1n, max: 10n ** 12n })
  fc.assert(
    fc.property(wholes, steps, powers, powers, (whole, step, up, down) => {
      // whole·10^up in units of step·10^-down
      const expected = (whole * 10n ** BigInt(up + down)) % step === 0n
      expect(isMultiple(decimal(`${whole}e${up}`), decimal(`${step}e-${down}`))).toBe(expected)
      const expectedUp = (whole * 10n ** BigInt(down)) % (step * 10n ** BigInt(up)) === 0n
      expect(isMultiple(decimal(`${whole}e${down}`), decimal(`${step}e${up}`))).toBe(expectedUp)
    }),
  )
})

test.each([
  ['1e3', true],
  ['1.0', true],
  ['-0', true],
  ['0.5', false],
  ['15e-1', false],
  ['10e-1', true],
  ['1e-400', false],
])('whether %s is an integer: %s', (text, whole) => {
  expect(isInteger(decimal(text))).toBe(whole)
})

test('powers with more digits than fit into memory are compared at once', () => {
  expect(compare(decimal('1e999999999'), decimal('9223372036854775807'))).toBeGreaterThan(0)
  expect(compare(decimal('-1e999999999'), decimal('1e-999999999'))).toBeLessThan(0)
  expect(isMultiple(decimal('1e999999999'), decimal('5'))).toBe(true)
  expect(isMultiple(decimal('1e999999999'), decimal('3'))).toBe(false)
  expect(isMultiple(decimal('1e-999999999'), decimal('1'))).toBe(false)
})

test.each(['', '+1', '0x1', '1_0', 'NaN', '1e', '.5'])('%j is not a number', text => {
  expect(() => decimal(text)).toThrow(SyntaxError)
})

test('a long run of zeros inside a number takes no longer than its length', () => {
  const began = performance.now()
  expect(decimal(`1${'0'.repeat(300_000)}1`).exponent).toBe(0)
  // A scan that begins anew at every zero takes a minute.
  expect(performance.now() - began).toBeLessThan(10_000)
})
