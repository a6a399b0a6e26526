import {
  compare,
  type Decimal,
  decimal,
  isInteger,
  isNumber,
  type Json,
  numberText,
  rawNumber,
} from '../../spec/index.ts'
import { throwUnsupported } from '../read/unsupported.ts'

// Exact arithmetic beyond comparison. Numbers that would need more digits than this are not supported.
const mostDigits = 5000

export const zero: Decimal = { coefficient: 0n, exponent: 0 }
export const one: Decimal = { coefficient: 1n, exponent: 0 }

const fromBigint = (value: bigint): Decimal => decimal(value.toString())

/** The exact value of a number in a schema or an instance; undefined for anything else. */
export const decimalOf = (value: unknown): Decimal | undefined => {
  if (!isNumber(value as Json)) return undefined
  return decimal(numberText(value as number))
}

const scaledTo = ({ coefficient, exponent }: Decimal, to: number): bigint => {
  if (exponent - to > mostDigits) return throwUnsupported('a number in the schema has too many digits')
  return coefficient * 10n ** BigInt(exponent - to)
}

/** How many whole steps fit below `value`: the floor of `value / step`. */
export const stepsBelow = (value: Decimal, step: Decimal): bigint => {
  const exponent = Math.min(value.exponent, step.exponent)
  const over = scaledTo(value, exponent)
  const by = scaledTo(step, exponent)
  const whole = over / by
  return over % by !== 0n && over < 0n ? whole - 1n : whole
}

export const multiple = (step: Decimal, count: bigint): Decimal => {
  const product = fromBigint(step.coefficient * count)
  return product.coefficient === 0n ? zero : { ...product, exponent: product.exponent + step.exponent }
}

const gcd = (left: bigint, right: bigint): bigint => (right === 0n ? left : gcd(right, left % right))

/** The smallest number above zero that is a multiple of both. */
export const commonMultiple = (left: Decimal, right: Decimal): Decimal => {
  const exponent = Math.min(left.exponent, right.exponent)
  const [first, second] = [scaledTo(left, exponent), scaledTo(right, exponent)]
  const product = fromBigint((first / gcd(first, second)) * second)
  return { ...product, exponent: product.exponent + exponent }
}

/** Plain decimal notation for numbers of ordinary size, exponent notation for others. */
const decimalText = ({ coefficient, exponent }: Decimal): string => {
  if (exponent > 40 || exponent < -400) return `${coefficient}e${exponent}`
  if (exponent >= 0) return `${coefficient}${'0'.repeat(coefficient === 0n ? 0 : exponent)}`
  const sign = coefficient < 0n ? '-' : ''
  const digits = `${coefficient < 0n ? -coefficient : coefficient}`.padStart(1 - exponent, '0')
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

export const jsonNumber = (value: Decimal): Json => {
  const text = decimalText(value)
  const near = Number(text)
  // JavaScript writes some doubles as 1e-7 or 1e+21: the same number in other notation, so a plain number does.
  return Number.isFinite(near) && compare(decimal(String(near)), value) === 0 ? near : rawNumber(text)
}

export const isWhole = (value: Json): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value)
    : isNumber(value) && isInteger(decimal(numberText(value)))
