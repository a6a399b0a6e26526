import {
  canonical,
  compare,
  type Decimal,
  decimal,
  isInteger,
  isMultiple,
  isRawNumber,
  type Json,
  numberText,
} from '../../spec/index.ts'
import type { NormalForm } from '../constraints/normal-form.ts'
import { oneIn, pick, type RandomSource } from '../domains/language.ts'
import { commonMultiple, jsonNumber, multiple, one, stepsBelow } from '../domains/numbers.ts'
import type { ValuePlan } from './value-plan.ts'

/** The multiples of `step` from `low` to `high` steps; null for no bound. */
type Grid = { readonly step: Decimal; readonly low: bigint | null; readonly high: bigint | null }

const few = 200n
const safe = decimal('9007199254740991')
const ordinary = decimal('1000000')
const widths = [
  '0',
  '1',
  '-1',
  '2147483647',
  '-2147483648',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
].map(text => decimal(text))

/** Builds whole numbers, or numbers with a fraction, in exact arithmetic: each is a whole count of steps on a grid. */
export const createNumberPlan = (form: NormalForm, kind: 'integer' | 'fraction'): ValuePlan | null => {
  const { multiples, notMultiples, low, high } = form.number
  const grid = gridOf(form, kind)
  if (grid === null || (grid.low !== null && grid.high !== null && grid.low > grid.high)) return null
  // If every step is a multiple of what values must not be a multiple of, there is no value.
  if (notMultiples.some(step => isMultiple(grid.step, step))) return null

  const fits = (value: Decimal): boolean =>
    isInteger(value) === (kind === 'integer') &&
    (low === null || compare(value, low.value) > (low.exclusive ? 0 : -1)) &&
    (high === null || compare(value, high.value) < (high.exclusive ? 0 : 1)) &&
    multiples.every(step => isMultiple(value, step)) &&
    !notMultiples.some(step => isMultiple(value, step)) &&
    !(form.excluded.size > 0 && form.excluded.has(canonical(jsonNumber(value))))

  const at = (count: bigint): Json | undefined => {
    const value = multiple(grid.step, count)
    return fits(value) ? jsonNumber(value) : undefined
  }

  const allValues =
    grid.low !== null && grid.high !== null && grid.high - grid.low < few
      ? Array.from({ length: Number(grid.high - grid.low) + 1 }, (_, index) =>
          at((grid.low as bigint) + BigInt(index)),
        )
          .filter(value => value !== undefined)
          .sort((left, right) => Math.abs(Number(canonical(left))) - Math.abs(Number(canonical(right))))
      : null
  if (allValues !== null && allValues.length === 0) return null

  const [from, to] = span(grid, kind)
  const simplest = from > 0n ? from : to < 0n ? to : 0n
  const bits = (to - from).toString(2).length
  const bounds = [grid.low, grid.high].filter(bound => bound === from || bound === to)
  // In binary floating point 19.99 / 0.01 is not whole, and 0.3 % 0.1 is not 0. A value is plain if every validator sees the
  // multiple in it.
  const steps = multiples.map(step => Number(jsonNumber(step))).filter(step => !Number.isInteger(step))
  const isPlain = (value: Json): boolean =>
    steps.every(step => {
      const number = Number(numberText(value as number))
      const rest = Math.abs(number % step)
      const near = Math.min(step / 1e3, 1e-7)
      return Number.isInteger(number / step) && (rest < near || (number > 0 && step - rest < near))
    })
  const plainValues = allValues?.filter(isPlain) ?? []

  const draw = (source: RandomSource): Json | undefined => {
    if (allValues !== null) return pick(source, plainValues.length > 0 ? plainValues : allValues)
    let fallback: Json | undefined
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const drawn = at(drawCount(source, from, to, simplest, bounds, bits))
      const value = drawn === undefined || bounds.length === 2 || oneIn(source, 4) ? drawn : asDouble(drawn)
      if (value !== undefined && isPlain(value)) return value
      fallback ??= value
    }
    return fallback
  }

  // Beyond the safe integers few numbers are doubles. The nearest double reads the same for every validator.
  const asDouble = (value: Json): Json => {
    const near = Number(numberText(value as number))
    return isRawNumber(value) && Number.isFinite(near) && fits(decimal(String(near))) ? near : value
  }

  const boundaries = (depth: number): readonly Json[] => {
    const near = (count: bigint): bigint[] => [0n, 1n, -1n, 2n, -2n, 3n, -3n].map(offset => count + offset)
    const nearest = near(simplest)
      .map(at)
      .filter(value => value !== undefined)
    const first = nearest.find(isPlain) ?? nearest[0]
    if (depth === 0) return first === undefined ? [] : [first]
    const atBounds = [grid.low, grid.high].flatMap(bound => (bound === null ? [] : near(bound).slice(0, 3)))
    const wide = grid.low === null && grid.high === null ? [] : widths
    const counts = [
      ...atBounds,
      ...wide.map(width => stepsBelow(width, grid.step)),
      ...near(simplest).slice(0, 3),
    ]
    return [first, ...counts.map(at)].filter(value => value !== undefined)
  }
  return { draw, boundaries, fitsIn: depth => depth >= 0, allValues, isUncertain: () => false }
}

const gridOf = (form: NormalForm, kind: 'integer' | 'fraction'): Grid | null => {
  const { multiples, low, high } = form.number
  const [first, ...others] = kind === 'integer' ? [one, ...multiples] : multiples
  const step = first === undefined ? fineStep(form) : others.reduce(commonMultiple, first)
  if (kind === 'fraction' && isInteger(step)) return null
  const floor = (value: Decimal): bigint => stepsBelow(value, step)
  const exactly = (value: Decimal): boolean => isMultiple(value, step)
  return {
    step,
    low: low === null ? null : floor(low.value) + (exactly(low.value) && !low.exclusive ? 0n : 1n),
    high: high === null ? null : floor(high.value) - (exactly(high.value) && high.exclusive ? 1n : 0n),
  }
}

// Fine enough for a thousand values between the bounds, coarse enough for short numerals.
const fineStep = ({ number: { low, high, notMultiples } }: NormalForm): Decimal => {
  const bounds = [low, high].flatMap(bound => (bound === null ? [] : [bound.value]))
  const exponents = [...bounds, ...notMultiples].map(({ exponent }) => exponent)
  let exponent = Math.min(-2, ...exponents.map(value => value - 1))
  const room = (): bigint =>
    low === null || high === null
      ? 1000n
      : stepsBelow(high.value, { coefficient: 1n, exponent }) -
        stepsBelow(low.value, { coefficient: 1n, exponent })
  while (room() < 1000n && exponent > -320) exponent -= 1
  return { coefficient: 1n, exponent }
}

const span = ({ step, low, high }: Grid, kind: 'integer' | 'fraction'): readonly [bigint, bigint] => {
  const width = stepsBelow(kind === 'integer' ? safe : ordinary, step)
  const farthest = [low ?? 0n, high ?? 0n, -(low ?? 0n), -(high ?? 0n), 1000n]
  const size = farthest.reduce((most, bound) => (bound > most ? bound : most), width)
  const from = low ?? ((high ?? 0n) < 0n ? (high ?? 0n) : 0n) - size
  const to = high ?? ((low ?? 0n) > 0n ? (low ?? 0n) : 0n) + size
  // Doubles lose the fraction of a very large number: stay nearer to zero if the bounds leave room.
  return kind === 'fraction' && from < -size && to > size ? [-size, size] : [from, to]
}

const drawCount = (
  source: RandomSource,
  from: bigint,
  to: bigint,
  simplest: bigint,
  bounds: readonly (bigint | null)[],
  bits: number,
): bigint => {
  const way = source.nextInt(0, 7)
  const inside = (count: bigint): bigint => (count < from ? from : count > to ? to : count)
  if (way <= 1 && bounds.length > 0) {
    const bound = pick(source, bounds) ?? from
    const away = oneIn(source, 2) ? 0n : BigInt(source.nextInt(1, 3))
    return inside(bound === from ? bound + away : bound - away)
  }
  if (way <= 3) return source.nextBigInt(from, to)
  // As many numbers of three digits as of ten.
  const width = source.nextInt(1, bits)
  const offset =
    width < 31 ? BigInt(source.nextInt(0, 2 ** width - 1)) : source.nextBigInt(0n, (1n << BigInt(width)) - 1n)
  const count = oneIn(source, 2) ? simplest + offset : simplest - offset
  return count < from || count > to ? source.nextBigInt(from, to) : count
}
