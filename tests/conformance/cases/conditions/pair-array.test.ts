import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { pairArray } from '../../../../conformance/cases/conditions/pair-array.ts'

const pairsIn = (rows: readonly (readonly number[])[]): Set<string> =>
  new Set(
    rows.flatMap(row =>
      row.flatMap((level, one) =>
        row.slice(one + 1).map((second, rest) => `${one}:${level} ${one + 1 + rest}:${second}`),
      ),
    ),
  )

test('every two levels of different factors come together', () => {
  assert(
    property(array(integer({ min: 1, max: 7 }), { maxLength: 7 }), sizes => {
      const rows = pairArray(sizes)
      const pairs = sizes.flatMap((size, one) => sizes.slice(one + 1).map(other => size * other))
      expect(pairsIn(rows).size).toBe(pairs.reduce((sum, count) => sum + count, 0))
      for (const row of rows) {
        expect(row).toHaveLength(sizes.length)
        for (const [factor, level] of row.entries()) expect(level).toBeLessThan(sizes[factor] ?? 0)
      }
      // Two factors alone need a row for each pair; more factors fit in with few rows more.
      const largest = [...sizes].sort((left, right) => right - left)
      const least = (largest[0] ?? 0) * (largest[1] ?? 0)
      expect(rows.length).toBeGreaterThanOrEqual(least)
      expect(rows.length).toBeLessThanOrEqual(least * 2 + 8)
    }),
  )
})
