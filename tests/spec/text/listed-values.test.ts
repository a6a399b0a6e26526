import { expect, test } from 'vitest'
import { describedValues } from '../../../spec/index.ts'

test.each([
  ['Supports `RS256`, `ES256`, and `HS256`.', ['RS256', 'ES256', 'HS256']],
  ['The use of the key. Valid values are "enc" and "sig".', ['enc', 'sig']],
  [
    "The following types are supported: 'confidential', 'public'. Defaults to 'public'.",
    ['confidential', 'public'],
  ],
  ['Valid values are:\n * sha2-224\n * sha2-256\n\nDefaults to "sha2-256".', ['sha2-224', 'sha2-256']],
  ['A date, e.g. `2013-01-23T14:42:45.000+0200`.', ['2013-01-23T14:42:45.000+0200']],
  ['Should be set to "webauthn" when adding.', ['webauthn']],
  ['Can be `null` if it belongs to nobody.', []],
  ["The owner's name, and what it's called.", []],
  ['Restrict to a date.', []],
  ['', []],
])('%s: %j', (description, values) => {
  expect(describedValues(description)).toEqual(values)
})

test('a long description takes no time', () => {
  const began = performance.now()
  for (const text of ['is "', 'e.g. ', "one of '", '`a` or ', '* a\n']) describedValues(text.repeat(100_000))
  expect(performance.now() - began).toBeLessThan(2000)
})
