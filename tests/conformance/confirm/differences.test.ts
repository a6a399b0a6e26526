/** What tells a rejected request from an accepted one: all differences, and the fewest that count. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Difference,
  differences,
  needed,
  simplest,
  withValues,
} from '../../../conformance/confirm/differences.ts'
import { bodyLocation, type Json, type ValueLocation } from '../../../spec/index.ts'
import { requestSpec } from '../request-spec.ts'

const inQuery = (name: string): ValueLocation => ({ in: 'query', name, place: '' })
const run = (property: fc.IAsyncProperty<unknown>) => fc.assert(property as never, { seed: 7, numRuns: 300 })

const scalar = fc.oneof(
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom('a', 'b', 'cd'),
  fc.boolean(),
  fc.constant(null),
)
const body = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd/e'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(fc.constantFrom('x', 'y'), scalar)),
)
const parameters = fc.dictionary(fc.constantFrom('q', 'r', 's'), scalar)
const spec = fc
  .record({ body, parameters })
  .map(values => ({ ...requestSpec, ...values }) as typeof requestSpec)

describe('differences', () => {
  test('make the one request out of the other, and there are none between equal ones', () => {
    fc.assert(
      fc.property(spec, spec, (rejected, accepted) => {
        const all = differences(inQuery, rejected, accepted)
        const { body: made, parameters: given } = withValues(rejected, all)
        expect({ body: made, parameters: given }).toEqual({
          body: accepted.body,
          parameters: accepted.parameters,
        })
        expect(differences(inQuery, accepted, accepted)).toEqual([])
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('have what the rejected request has not at the end', () => {
    fc.assert(
      fc.property(spec, spec, (rejected, accepted) => {
        const missing = differences(inQuery, rejected, accepted).map(({ isMissing }) => isMissing)
        expect(missing).toEqual(missing.toSorted((left, right) => Number(left) - Number(right)))
      }),
      { seed: 7 },
    )
  })
})

const numbered = (count: number): readonly Difference[] =>
  Array.from({ length: count }, (_, value) => ({ location: inQuery(`p${value}`), value, isMissing: false }))

describe('the differences that count', () => {
  test('are found exactly, in at most 25 requests, or there is no answer', async () => {
    const wanted = fc.integer({ min: 1, max: 40 }).chain(count =>
      fc.record({
        count: fc.constant(count),
        some: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 4 }),
      }),
    )
    await run(
      fc.asyncProperty(wanted, async ({ count, some }) => {
        let asked = 0
        const found = await needed(numbered(count), async each => {
          asked += 1
          return some.every(value => each.some(difference => difference.value === value))
        })
        expect(asked).toBeLessThanOrEqual(25)
        const values = found.map(({ value }) => value as number).toSorted((a, b) => a - b)
        const isFew = count <= 10
        if (isFew || values.length > 0) expect(values).toEqual(some.toSorted((a, b) => a - b))
      }),
    )
  })

  test('are none if all together are not enough, and one request shows that', async () => {
    let asked = 0
    expect(await needed(numbered(5), async () => ++asked === 0)).toEqual([])
    expect(asked).toBe(1)
    expect(await needed([], async () => true)).toEqual([])
  })

  test('are the last of several that are enough by themselves: what is missing stands there', async () => {
    expect(await needed(numbered(4), async each => each.length > 0)).toEqual(numbered(4).slice(3))
  })
})

test.each<[Json, (body: Record<string, Json>) => boolean, string, Json | undefined]>([
  [{ a: 'long', b: 7 }, sent => sent.a === 'a', '/a', 'a'],
  [{ a: 'long', b: 7 }, sent => sent.b === 1, '/b', 1],
  [{ a: 'long', b: 7 }, sent => !('b' in sent), '/b', undefined],
  [{ a: true }, sent => sent.a === false, '/a', false],
  [{ a: { c: 'x' } }, sent => !('c' in (sent.a as object)), '/a/c', undefined],
])('the one value of %j', async (sent, isAccepted, place, value) => {
  const rejected = { ...requestSpec, body: sent }
  const found = await simplest(rejected, async each =>
    isAccepted(withValues(rejected, each).body as Record<string, Json>),
  )
  expect(found).toEqual([{ location: bodyLocation(place), value, isMissing: false }])
  expect(await simplest(rejected, async () => false)).toBeNull()
})
