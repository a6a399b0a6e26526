/**
 * Exact decimal numbers, for what binary floating point cannot hold: `coefficient × 10^exponent`, the
 * coefficient without trailing zeros. Every JSON number text has exactly one.
 */
export type Decimal = { readonly coefficient: bigint; readonly exponent: number }

const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The value of a JSON number text. Throws SyntaxError on other text. */
export const decimal = (text: string): Decimal => {
  const match = grammar.exec(text)
  if (match === null) throw new SyntaxError(`not a JSON number: ${text}`)
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = digits.replace(/0+$/, '')
  if (trimmed === '') return { coefficient: 0n, exponent: 0 }
  const exponent = Number(power) - fraction.length + (digits.length - trimmed.length)
  return { coefficient: sign === '-' ? -BigInt(trimmed) : BigInt(trimmed), exponent }
}

/** Below zero, zero or above zero, as `left` is less than, equal to or greater than `right`. */
export const compare = (left: Decimal, right: Decimal): number => {
  const signs = sign(left) - sign(right)
  if (signs !== 0 || sign(left) === 0) return signs
  // Magnitudes first: no power of ten is made larger than the digits at hand ask for.
  const magnitudes = magnitude(left) - magnitude(right)
  if (magnitudes !== 0) return magnitudes * sign(left)
  const exponent = Math.min(left.exponent, right.exponent)
  const difference = scaled(left, exponent) - scaled(right, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export const isInteger = (value: Decimal): boolean => value.exponent >= 0

/** True when `value` is a whole number of `step`s; `step` is above zero. */
export const isMultiple = (value: Decimal, step: Decimal): boolean => {
  const exponent = Math.min(value.exponent, step.exponent)
  // Above these powers the division costs more than any real schema is worth; no such number is a clean multiple.
  if (value.exponent - exponent > 5000 || step.exponent - exponent > 5000) return false
  return scaled(value, exponent) % scaled(step, exponent) === 0n
}

/** One text for each number value: `1e3`, `1000` and `1000.0` give the same. */
export const canonicalNumber = (text: string): string => {
  const { coefficient, exponent } = decimal(text)
  return exponent === 0 ? `${coefficient}` : `${coefficient}e${exponent}`
}

const sign = ({ coefficient }: Decimal): number => (coefficient < 0n ? -1 : coefficient > 0n ? 1 : 0)

const magnitude = ({ coefficient, exponent }: Decimal): number =>
  exponent + (coefficient < 0n ? -coefficient : coefficient).toString().length

const scaled = ({ coefficient, exponent }: Decimal, to: number): bigint =>
  coefficient * 10n ** BigInt(exponent - to)
