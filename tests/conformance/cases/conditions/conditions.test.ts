import { expect, test } from 'vitest'
import { levelOf } from '../../../../conformance/cases/conditions/levels.ts'
import { verify } from '../../../../conformance/index.ts'
import { type Json, parseJson } from '../../../../spec/index.ts'
import { during } from '../../../cli/command.ts'
import { recordingStore } from '../../../cli/servers.ts'

test.each<[Json, string]>([
  ['', 'empty'],
  ['Fern', 'short, plain'],
  ['a"b', 'short, escaped'],
  ['a\nb', 'short, escaped'],
  ['né', 'short, beyond ASCII'],
  ['"🌱', 'short, astral'],
  ['a'.repeat(64), 'long, plain'],
  [`${'a'.repeat(64)}é`, 'long, beyond ASCII'],
  [0, 'zero'],
  [-0.5, 'fraction'],
  [-7, 'negative'],
  [2 ** 31 - 1, 'small'],
  [2 ** 31, 'beyond int32'],
  [parseJson('9007199254740993'), 'beyond 2^53'],
  [null, 'null'],
  [true, 'true'],
  [[], 'no item'],
  [[1], 'one item'],
  [[1, 2], 'several items'],
  [{}, 'object'],
])('%j is of the class “%s”', (value, level) => {
  expect(levelOf(value, false)).toBe(level)
})

test('a value that the schema lists is a class by itself', () => {
  expect(levelOf('low', true)).toBe('"low"')
})

/** A body as JSON.stringify writes it, however it was written. Empty if it is no JSON. */
const readPlain = (text: string): readonly string[] => {
  try {
    return [JSON.stringify(JSON.parse(text))]
  } catch {
    return []
  }
}

test('in a default run every pair of conditions meets, and the report says so', () =>
  during(recordingStore(), async ({ url, token, bodies }) => {
    const { end, findings } = await verify({ target: url, token, seed: 7, sustained: 0 })
    expect(findings).toEqual([])
    expect(end?.pairs).toEqual({ covered: 427, total: 427 })
    const sent = bodies.flatMap(readPlain)
    const isSent = (...parts: readonly RegExp[]): boolean =>
      sent.some(body => parts.every(part => part.test(body)))
    for (const parts of [
      [/"id":-\d{5}/, /"tag"/],
      [/"id":9\d{17}/, /"name":""/],
      [/"name":"[^"]{64,}\ud83c\udf31"/, /"tag":""/],
      [/"name":"[^"]{64,}\\"/, /"tag":"[^"]{1,20}\u00e9"/],
    ])
      expect([parts, isSent(...parts)]).toEqual([parts, true])
  }))

test('a short run covers a part of the pairs', () =>
  during(recordingStore(), async ({ url, token }) => {
    const { end } = await verify({ target: url, token, seed: 7, cases: 300, sustained: 0 })
    expect(end?.pairs.total).toBe(427)
    expect(end?.pairs.covered).toBeGreaterThan(60)
    expect(end?.pairs.covered).toBeLessThan(400)
  }))
