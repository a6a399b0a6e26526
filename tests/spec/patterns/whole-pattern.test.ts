import { expect, test } from 'vitest'
import { wholePattern } from '../../../spec/index.ts'

test.each([
  '[a-f0-9]{16,32}',
  'on|off',
  '\\$\\d',
  '[$^]x',
  '[^ ]+',
  '\\\\b',
  '(?:a)',
  '(?<year>\\d{4})',
  'a[\\]^]',
])('%s has no anchor: it is the whole text for many servers', pattern =>
  expect(wholePattern(pattern)).toBe(`^(?:${pattern})$`),
)

test.each(['^a', 'a$', '^a|b', 'a\\b', '\\Ba', '(?=a)b', 'a(?!b)', '(?<=a)b', '(?<!a)b', '\\\\^'])(
  '%s says where it matches',
  pattern => expect(wholePattern(pattern)).toBe(pattern),
)

test.each(['.', '\\S', '\\D', '\\W', '[^ ]', '[^\\]]'])('%s asks for some character anywhere', pattern =>
  expect(wholePattern(pattern)).toBe(pattern),
)
