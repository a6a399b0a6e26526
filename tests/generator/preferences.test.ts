/** What the generator prefers among valid values, as runs find faults by it: bounds, all lengths, near misses, every pair of properties. */
import { describe, expect, test } from 'vitest'
import { fc } from '../../generator/draw/fast-check.ts'
import { compileGenerator, type Schema } from '../../generator/index.ts'
import { isUnsupported } from '../../generator/read/unsupported.ts'
import type { Json } from '../../spec/json/json.ts'

const count = 400
const drawn = (from: ReturnType<typeof compileGenerator>['valid']): readonly Json[] => {
  if (isUnsupported(from)) throw new Error(from.unsupported)
  return fc.sample(from, { seed: 3, numRuns: count })
}
const drawnOf = (schema: Schema): readonly Json[] => drawn(compileGenerator(schema).valid)
const boundariesOf = (schema: Schema): readonly Json[] => compileGenerator(schema).boundaries
const lengthsOf = (values: readonly Json[]): readonly number[] => [
  ...new Set(values.map(value => [...(value as string)].length)),
]
const shareOf = <T>(values: readonly T[], is: (value: T) => boolean): number =>
  values.filter(is).length / values.length

describe('texts', () => {
  const usual = drawnOf({ type: 'string' }) as readonly string[]

  test('are mostly different, short, and neither empty nor padded', () => {
    expect(new Set(usual).size).toBeGreaterThan(count / 2)
    for (const text of usual) {
      expect([...text].length).toBeLessThanOrEqual(25)
      expect(text).not.toBe('')
      expect(text).toBe(text.trim())
    }
  })

  test('have words, digits, spaces inside, and letters beyond ASCII', () => {
    for (const form of [/^Monstera$/, /^薔薇$/, /\d/, /\S \S/, /[^\p{ASCII}]/u, /[A-Z]/, /[-_.,]/])
      expect([form, usual.some(text => form.test(text))]).toEqual([form, true])
  })

  test('have all lengths of the usual range', () => {
    const lengths = lengthsOf(usual)
    expect(
      Array.from({ length: 24 }, (_, index) => index + 1).filter(each => !lengths.includes(each)),
    ).toEqual([])
  })

  test('reach both limits of their length, which boundaries have with their neighbours', () => {
    const schema = { type: 'string', minLength: 3, maxLength: 60 } as const
    const lengths = lengthsOf(drawnOf(schema))
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([3, 60])
    const edges = lengthsOf(boundariesOf(schema))
    expect([3, 4, 59, 60].filter(length => !edges.includes(length))).toEqual([])
  })

  test('that no limit bounds are never longer than what shows something', () => {
    expect(Math.max(...lengthsOf(drawnOf({ type: 'string', maxLength: 1_000_000 })))).toBeLessThanOrEqual(25)
  })
})

describe('texts that are no member of a format are near misses', () => {
  test.each([
    ['date', '2023-02-29'],
    ['date-time', '2023-02-29T00:00:00Z'],
    ['email', 'a@b@c.example'],
    ['ipv4', '256.0.0.1'],
    ['uuid', 'g0000000-0000-4000-a000-000000000000'],
    ['uri', '//no.scheme'],
  ])('%s', (format, nearMiss) => {
    const schema = { type: 'string', format } as const
    const invalid = compileGenerator(schema).invalid({ instance: '', keyword: 'format', detail: '' } as never)
    const texts = drawn(invalid)
    expect(texts).toContain(nearMiss)
    const few = new Set(texts).size
    expect(few).toBeGreaterThan(8)
    // Three in four come from a list of six at most.
    const counts = [...Map.groupBy(texts, String).values()].map(({ length }) => length)
    const top = counts.toSorted((left, right) => right - left).slice(0, 6)
    expect(top.reduce((sum, each) => sum + each, 0) / count).toBeGreaterThan(0.6)
  })
})

describe('numbers', () => {
  const bounded = { type: 'integer', minimum: -1_000_000, maximum: 5_000_000 } as const

  test('are often at a bound, or next to it', () => {
    const numbers = drawnOf(bounded) as readonly number[]
    for (const at of [-1_000_000, 5_000_000]) expect(numbers).toContain(at)
    const isNear = (number: number): boolean => number <= -999_997 || number >= 4_999_997
    expect(shareOf(numbers, isNear)).toBeGreaterThan(0.12)
    expect(shareOf(numbers, isNear)).toBeLessThan(0.6)
  })

  test('have as boundaries the bounds, their neighbours, and those of zero', () => {
    const numbers = boundariesOf(bounded)
    const expected = [-1_000_000, -999_999, 4_999_999, 5_000_000, -1, 0, 1]
    expect(expected.filter(each => !numbers.includes(each))).toEqual([])
  })

  test('without bounds have any number of digits, on both sides of zero', () => {
    const numbers = (drawnOf({ type: 'integer' }) as readonly Json[]).map(Number)
    const digits = new Set(numbers.map(number => String(Math.abs(number)).length))
    expect(Array.from({ length: 15 }, (_, index) => index + 1).filter(each => !digits.has(each))).toEqual([])
    expect(shareOf(numbers, number => number < 0)).toBeGreaterThan(0.25)
    expect(shareOf(numbers, number => number > 0)).toBeGreaterThan(0.25)
  })

  test('with a bound have as boundaries those of 32 and 53 bits that it allows', () => {
    const numbers = boundariesOf({ type: 'integer', minimum: -3_000_000_000 })
    const expected = [0, 1, -1, 2147483647, -2147483648, 2147483648, 9007199254740991]
    expect(expected.filter(each => !numbers.includes(each))).toEqual([])
  })

  test('of a few are drawn all', () => {
    const numbers = drawnOf({ type: 'integer', minimum: 1, maximum: 9 })
    expect([...new Set(numbers)].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('lists', () => {
  const lengths = (schema: object): readonly number[] =>
    [...new Set(drawnOf(schema as Schema).map(value => (value as readonly Json[]).length))].toSorted(
      (a, b) => a - b,
    )
  const items = { type: 'integer' }

  test('have up to five items usually, and as few and as many as allowed', () => {
    expect(lengths({ type: 'array', items })).toEqual([0, 1, 2, 3, 4, 5])
    expect(lengths({ type: 'array', items, minItems: 2, maxItems: 20 })).toEqual([2, 3, 4, 5, 6, 20])
    expect(Math.max(...lengths({ type: 'array', items, maxItems: 1000 }))).toBe(5)
  })

  test('have as boundaries both limits and their neighbours', () => {
    const all = boundariesOf({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 20 })
    const found = new Set(all.map(value => (value as readonly Json[]).length))
    expect([2, 3, 19, 20].filter(each => !found.has(each))).toEqual([])
  })
})

describe('objects', () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'integer' }])),
    additionalProperties: false,
  } as Schema

  test.each([
    ['boundaries', boundariesOf(schema)],
    ['drawn', drawnOf(schema)],
  ])('%s: of any two optional properties both, one, the other, or none is there', (_name, values) => {
    const objects = values as readonly object[]
    const pairs = names.flatMap((left, at) => names.slice(at + 1).map(right => [left, right] as const))
    const missing = pairs.filter(
      ([left, right]) => new Set(objects.map(each => `${left in each} ${right in each}`)).size < 4,
    )
    expect(missing).toEqual([])
  })

  test('have none and all of them as well', () => {
    for (const objects of [boundariesOf(schema), drawnOf(schema)] as readonly (readonly object[])[]) {
      expect(objects).toContainEqual({})
      expect(objects.some(each => Object.keys(each).length === names.length)).toBe(true)
    }
  })

  test('have values at the bounds of each property', () => {
    const bounded = {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'integer', minimum: 2, maximum: 900 },
        b: { type: 'string', minLength: 1, maxLength: 7 },
      },
    } as const
    const objects = boundariesOf(bounded) as readonly { a: number; b: string }[]
    expect([2, 3, 899, 900].filter(a => !objects.some(each => each.a === a))).toEqual([])
    expect([1, 2, 6, 7].filter(length => !objects.some(each => each.b.length === length))).toEqual([])
  })
})
