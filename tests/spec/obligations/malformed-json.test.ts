import { expect, test } from 'vitest'
import { malformedKinds } from '../../../spec/index.ts'
import type { ShownInJson } from '../../../spec/obligations/inputs/shown-in-json.ts'

const valid = [
  '{"id":1000001,"name":"q1z9"}',
  '{"id":1000001,"name":"a","tag":"b"}',
  '{"label":"q1z9"}',
  '{"lines":[{"sku":"a","quantity":7}],"priority":"low"}',
  '{"copies":[7],"borrower":{"card":"abc"}}',
  '{"note":null}',
  '{"at":"https://a.test/b","in":[{"b":true}]}',
]

/** Values in which not every kind can be shown. */
const others: readonly (readonly [string, readonly ShownInJson[]])[] = [
  ['[]', ['brackets', 'items']],
  ['[7]', ['brackets', 'items']],
  ['["a"]', ['brackets', 'items', 'quote']],
  ['["a","b"]', ['brackets', 'items', 'quote']],
  ['[{"a-b":7}]', ['brackets', 'items', 'member', 'quote']],
  ['{}', ['brackets']],
  ['{"a-b":"c"}', ['brackets', 'items', 'member', 'quote']],
  ['"abc"', ['quote']],
  ['7', []],
  ['12', []],
  ['true', []],
]

test('malformed JSON is recognised as the kind that made it, and as no other', () => {
  for (const { name, make, needs } of malformedKinds)
    for (const text of [
      ...valid,
      ...others.flatMap(([value, has]) =>
        needs === undefined || needs === 'no list' || has.includes(needs) ? [value] : [],
      ),
    ]) {
      // Most kinds make the same bytes for many picks: each is recognised once.
      const made = Array.from({ length: 40 }, (_, pick) => make(text, pick))
      for (const bytes of new Map(made.map(each => [Buffer.from(each).toString('latin1'), each])).values()) {
        const found = malformedKinds.filter(kind => kind.is(bytes)).map(kind => kind.name)
        expect([new TextDecoder().decode(bytes).slice(0, 80), ...found]).toEqual([expect.anything(), name])
      }
    }
})

test('JSON is not recognised as malformed', () => {
  const encoder = new TextEncoder()
  for (const text of valid)
    expect(malformedKinds.filter(kind => kind.is(encoder.encode(text))).map(({ name }) => name)).toEqual([])
})
