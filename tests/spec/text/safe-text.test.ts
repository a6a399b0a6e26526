import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeLines, safeText } from '../../../spec/index.ts'
import { anyText } from '../../reports/ledgers.ts'

// Listed by hand, independently of the pattern under test.
const harmful = (char: string): boolean => {
  const code = char.codePointAt(0) ?? 0
  const within = (from: number, to: number): boolean => code >= from && code <= to
  return (
    within(0, 0x1f) ||
    within(0x7f, 0x9f) ||
    within(0x200b, 0x200f) ||
    within(0x2028, 0x202e) ||
    within(0x2060, 0x206f) ||
    within(0xd800, 0xdfff) ||
    within(0xfdd0, 0xfdef) ||
    within(0xe0000, 0xe0fff) ||
    (code & 0xfffe) === 0xfffe ||
    code === 0xfeff
  )
}

test('safe text has no character that controls a terminal or is invisible', () => {
  fc.assert(
    fc.property(anyText, text => ![...safeText(text)].some(harmful)),
    { numRuns: 1000 },
  )
})

test('ordinary text in any language is unchanged', () => {
  for (const text of ['Fern 🌿', 'Ñandú', '植物', 'नमस्ते', 'שלום', '{"name":"a\\u0000"}', 'e\u0301'])
    expect(safeText(text)).toBe(text)
})

test.each([
  ['\u001b[31m', '\\u001b[31m'],
  ['\u009b2J', '\\u009b2J'],
  ['a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
  ['\ud800!', '\\ud800!'],
  ['\u{e0041}', '\\u{e0041}'],
  ['a\u00adb', 'a\\u00adb'],
  ['\u061c', '\\u061c'],
  ['\ufff9', '\\ufff9'],
])('%j is shown as %j', (text, shown) => {
  expect(safeText(text)).toBe(shown)
})

test('safeLines preserves line breaks and tabs', () => {
  expect(safeLines('a\r\n\tb\u001b\nc')).toEqual(['a', '\tb\\u001b', 'c'])
})
