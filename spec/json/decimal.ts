/**
 * An exact decimal number, `coefficient × 10^exponent`, the coefficient without trailing zeros. Every JSON number has exactly
 * one, also if binary floating point cannot hold it.
 */
export type Decimal = { readonly coefficient: bigint; readonly exponent: number }

const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

let last: { readonly text: string; readonly value: Decimal } | null = null

/** The value of a JSON number text. Throws SyntaxError on other text. */
export const decimal = (text: string): Decimal => {
  if (text.length < 1000) return parse(text)
  // Several keywords judge the same number in a row: a very long one is parsed once.
  if (last?.text !== text) last = { text, value: parse(text) }
  return last.value
}

const parse = (text: string): Decimal => {
  const match = grammar.exec(text)
  if (match === null) throw new SyntaxError(`not a JSON number: ${text}`)
  const [, sign, whole = '', fraction = '', power = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const trimmed = withoutTrailingZeros(digits)
  if (trimmed === '') return { coefficient: 0n, exponent: 0 }
  const exponent = Number(power) - fraction.length + (digits.length - trimmed.length)
  return { coefficient: sign === '-' ? -BigInt(trimmed) : BigInt(trimmed), exponent }
}

// `/0+$/` would begin anew at every zero of a long run that is not at the end.
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1
  return digits.slice(0, end)
}

/** Negative, zero or positive if `left` is less than, equal to or greater than `right`. */
export const compare = (left: Decimal, right: Decimal): number => {
  const signs = sign(left) - sign(right)
  if (signs !== 0 || sign(left) === 0) return signs
  // Magnitudes first, so that no power of ten gets larger than needed.
  const magnitudes = clearlyLarger(left, right) || magnitude(left) - magnitude(right)
  if (magnitudes !== 0) return magnitudes * sign(left)
  const exponent = Math.min(left.exponent, right.exponent)
  const difference = scaled(left, exponent) - scaled(right, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export const isInteger = (value: Decimal): boolean => value.exponent >= 0

/** Whether `value` is an integer multiple of `step`, which is positive. */
export const isMultiple = (value: Decimal, step: Decimal): boolean => {
  if (value.coefficient === 0n) return true
  // A coefficient without trailing zeros cannot be a multiple of a larger power of ten.
  if (value.exponent < step.exponent) return false
  const power = powerModulo(10n, value.exponent - step.exponent, step.coefficient)
  return (value.coefficient * power) % step.coefficient === 0n
}

// The power itself may have more digits than fit into memory.
const powerModulo = (base: bigint, exponent: number, modulus: bigint): bigint => {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest >= 1; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** One text for each number: the same for `1e3`, `1000` and `1000.0`. */
export const canonicalNumber = (text: string): string => {
  const { coefficient, exponent } = decimal(text)
  return exponent === 0 ? `${coefficient}` : `${coefficient}e${exponent}`
}

const sign = ({ coefficient }: Decimal): number => (coefficient < 0n ? -1 : coefficient > 0n ? 1 : 0)

const magnitude = ({ coefficient, exponent }: Decimal): number =>
  exponent + (coefficient < 0n ? -coefficient : coefficient).toString().length

// Counting the digits of a very long number is slow; counting its bits is not, and mostly enough.
const clearlyLarger = (left: Decimal, right: Decimal): number => {
  const [leftLow, leftHigh] = roughMagnitude(left)
  const [rightLow, rightHigh] = roughMagnitude(right)
  return leftLow > rightHigh ? 1 : leftHigh < rightLow ? -1 : 0
}

const roughMagnitude = ({ coefficient, exponent }: Decimal): readonly [low: number, high: number] => {
  const nibbles = coefficient.toString(16).length
  return [exponent + (nibbles - 2) * Math.log10(16) - 1, exponent + nibbles * Math.log10(16) + 1]
}

const scaled = ({ coefficient, exponent }: Decimal, to: number): bigint =>
  coefficient * 10n ** BigInt(exponent - to)
