import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, decimal, isInteger, isMultiple } from '../../spec/index.ts'

const wholes = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })
const powers = fc.integer({ min: 0, max: 30 })

test('whole numbers compare as BigInt does, however many zeros are written as an exponent', () => {
  fc.assert(
    fc.property(wholes, wholes, powers, (left, right, power) => {
      const zeros = 10n ** BigInt(power)
      const wanted = left * zeros < right ? -1 : left * zeros > right ? 1 : 0
      expect(Math.sign(compare(decimal(`${left}e${power}`), decimal(`${right}`)))).toBe(wanted)
    }),
  )
})

test('fractions compare as whole numbers of the same unit do', () => {
  fc.assert(
    fc.property(wholes, wholes, powers, (left, right, power) => {
      const wanted = left < right ? -1 : left > right ? 1 : 0
      expect(Math.sign(compare(decimal(`${left}e-${power}`), decimal(`${right}e-${power}`)))).toBe(wanted)
    }),
  )
})

test('every spelling of a number is the same number', () => {
  fc.assert(
    fc.property(wholes, powers, (whole, power) => {
      expect(decimal(`${whole}${'0'.repeat(power)}e-${power}`)).toEqual(decimal(`${whole}`))
      expect(decimal(`${whole}.${'0'.repeat(power + 1)}E+0`)).toEqual(decimal(`${whole}`))
    }),
  )
})

test('multiples are told as the remainder of BigInt tells them', () => {
  const steps = fc.bigInt({ min: 1n, max: 10n ** 12n })
  fc.assert(
    fc.property(wholes, steps, powers, powers, (whole, step, up, down) => {
      // whole·10^up in units of step·10^-down
      const wanted = (whole * 10n ** BigInt(up + down)) % step === 0n
      expect(isMultiple(decimal(`${whole}e${up}`), decimal(`${step}e-${down}`))).toBe(wanted)
      const wantedUp = (whole * 10n ** BigInt(down)) % (step * 10n ** BigInt(up)) === 0n
      expect(isMultiple(decimal(`${whole}e${down}`), decimal(`${step}e${up}`))).toBe(wantedUp)
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
])('whether %s is a whole number: %s', (text, whole) => {
  expect(isInteger(decimal(text))).toBe(whole)
})

test('powers with more digits than there is memory for are judged at once', () => {
  expect(compare(decimal('1e999999999'), decimal('9223372036854775807'))).toBeGreaterThan(0)
  expect(compare(decimal('-1e999999999'), decimal('1e-999999999'))).toBeLessThan(0)
  expect(isMultiple(decimal('1e999999999'), decimal('5'))).toBe(true)
  expect(isMultiple(decimal('1e999999999'), decimal('3'))).toBe(false)
  expect(isMultiple(decimal('1e-999999999'), decimal('1'))).toBe(false)
})

test.each(['', '+1', '0x1', '1_0', 'NaN', '1e', '.5'])('%j is no number', text => {
  expect(() => decimal(text)).toThrow(SyntaxError)
})
