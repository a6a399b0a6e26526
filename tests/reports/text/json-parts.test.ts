import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonParts } from '../../../reports/text/json-parts.ts'

const anyValue = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constant(undefined),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value

test('the parts are what JSON.stringify writes, at any indent', () => {
  fc.assert(
    fc.property(
      anyValue.filter(value => value !== undefined),
      fc.constantFrom(0, 1, 2),
      (value, indent) => {
        expect([...jsonParts(value, indent)].join('')).toBe(JSON.stringify(value, null, indent))
      },
    ),
  )
})

test('a list may be an iterable, which is asked for its items one by one', () => {
  let asked = 0
  function* items() {
    for (; asked < 1000; asked++) yield { asked }
  }
  const parts = jsonParts({ results: { items: items() } })[Symbol.iterator]()
  while (!String(parts.next().value).includes('"asked":3'));
  expect(asked).toBe(3)
})
