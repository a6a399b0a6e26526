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
import { refuse } from './refusal.ts'

// Exact arithmetic beyond comparing; powers of ten past this are not worth their digits.
const widest = 5000

export const zero: Decimal = { coefficient: 0n, exponent: 0 }
export const one: Decimal = { coefficient: 1n, exponent: 0 }

const fromBigint = (value: bigint): Decimal => decimal(value.toString())

/** The number that a schema or a value gives; undefined where it is none. */
export const decimalOf = (value: unknown): Decimal | undefined => {
  if (!isNumber(value as Json)) return undefined
  return decimal(numberText(value as number))
}

const scaledTo = ({ coefficient, exponent }: Decimal, to: number): bigint => {
  if (exponent - to > widest) return refuse('a number of the schema has too many digits')
  return coefficient * 10n ** BigInt(exponent - to)
}

/** The largest whole number of steps that is not above `value`. */
export const stepsBelow = (value: Decimal, step: Decimal): bigint => {
  const exponent = Math.min(value.exponent, step.exponent)
  const over = scaledTo(value, exponent)
  const by = scaledTo(step, exponent)
  const whole = over / by
  return over % by !== 0n && over < 0n ? whole - 1n : whole
}

export const times = (step: Decimal, count: bigint): Decimal => {
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

/** Digits and a point for numbers of ordinary size, an exponent for the others. */
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
  // 1e-7 and 1e+21 are how JavaScript itself writes a double: the same number, so a plain one.
  return Number.isFinite(near) && compare(decimal(String(near)), value) === 0 ? near : rawNumber(text)
}

export const isWhole = (value: Json): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value)
    : isNumber(value) && isInteger(decimal(numberText(value)))
