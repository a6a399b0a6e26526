import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canonical,
  duplicateNames,
  isNumber,
  type Json,
  numberText,
  parseJson,
  readJson,
  sameJson,
  writeJson,
} from '../../../spec/index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const numberTexts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 25n }),
    fc.option(fc.stringMatching(/^[0-9]{1,20}$/)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(400))),
  )
  .map(
    ([sign, whole, fraction, power]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power?.join('') ?? ''}`,
  )

test('a number keeps its text, however it is written', () => {
  fc.assert(
    fc.property(numberTexts, text => {
      expect(writeJson(parseJson(`[${text}]`))).toBe(`[${text}]`)
      expect(writeJson(parseJson(text))).toBe(text)
    }),
  )
})

const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)

/** Where a JSON value may stand, each as the text before and after it. */
const places = fc.constantFrom(
  ['', ''],
  ['[', ',0]'],
  ['["a, b",', ']'],
  ['[[1],', ',2]'],
  ['{"a":', '}'],
  ['{"a\\"b":"c","d":', ',"e":null}'],
)

test('a number keeps its text wherever it stands, also if it is the only one that a double would change', () => {
  const texts = fc.oneof(numberTexts, fc.constantFrom('-0', '1.0', '0e0', '9007199254740993'))
  fc.assert(
    fc.property(texts, places, space, space, (text, [before, after], left, right) => {
      const written = writeJson(parseJson(`${before}${left}${text}${right}${after}`))
      expect(written).toBe(`${before}${text}${after}`)
    }),
  )
})

test('reading and writing any JSON of JavaScript gives the same text', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), text => {
      const compact = JSON.stringify(JSON.parse(text))
      const reading = readJson(bytes(compact))
      expect(reading.ok && writeJson(reading.value)).toBe(compact)
    }),
  )
})

test.each([
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '1.0',
  '-0',
  '1e3',
  '0.1e-400',
  '123456789012345678901234567890',
])('the number %s is not rounded', text => {
  const value = parseJson(`{"id":${text}}`) as { id: Json }
  expect(isNumber(value.id) && numberText(value.id)).toBe(text)
})

test('numbers are compared by value, objects without regard to order', () => {
  expect(sameJson(parseJson('{"a":1.0,"b":[1e2]}'), parseJson('{"b":[100],"a":1}'))).toBe(true)
  expect(sameJson(parseJson('9007199254740993'), parseJson('9007199254740992'))).toBe(false)
  expect(sameJson(parseJson('-0'), parseJson('0'))).toBe(true)
  expect(canonical(parseJson('{"b":1,"a":[]}'))).toBe('{"a":[],"b":1}')
})

test('duplicate names are found after unescaping, in nested objects too, but not across objects', () => {
  expect(duplicateNames('{"a":1,"\\u0061":2}')).toEqual(['a'])
  expect(duplicateNames('[{"a":{"b":1,"b":2}},{"a":1}]')).toEqual(['b'])
  expect(duplicateNames('{"a":"a","b":["b","b"],"c":{"a":1}}')).toEqual([])
  expect(duplicateNames('{"a\\\\":1,"a\\"":2,"a\\\\":3}')).toEqual(['a\\'])
})

test('a written object has no duplicate names', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
      expect(duplicateNames(JSON.stringify(value))).toEqual([])
    }),
  )
})

test('very long strings and names do not overflow the stack', () => {
  const long = 'x\\"'.repeat(500_000)
  expect(duplicateNames(`{"a":"${long}","a":1}`)).toEqual(['a'])
})

test('a byte order mark is skipped and noted', () => {
  expect(readJson(bytes('\ufeff{}'))).toMatchObject({ ok: true, bom: true })
  expect(readJson(bytes('{}'))).toMatchObject({ ok: true, bom: false })
})

test.each([
  [Uint8Array.from([0x22, 0xff, 0x22]), 'the body is not valid UTF-8'],
  [Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'the body is not valid UTF-8'],
  [bytes(' \n'), 'the body is empty'],
  [bytes('{"id":1,'), 'the body is not JSON: it ends too early, after 8 characters'],
  [bytes("{'a':1}"), 'the body is not JSON: unexpected "\'" at character 2'],
  [bytes('01'), 'the body is not JSON: unexpected "1" at character 2'],
  [
    bytes(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    'the JSON is nested too deeply: more than 500 levels',
  ],
  [
    bytes(`${'[1.0,'.repeat(100_000)}1${']'.repeat(100_000)}`),
    'the JSON is nested too deeply: more than 500 levels',
  ],
])('the error for %j names the problem', (body, problem) => {
  expect(readJson(body)).toMatchObject({ ok: false, problem })
})

test('five hundred levels are not too deep', () => {
  expect(readJson(bytes(`${'['.repeat(500)}${']'.repeat(500)}`)).ok).toBe(true)
})

test('reading never throws, and agrees with JSON.parse', () => {
  const nearJson = fc
    .tuple(fc.json(), fc.nat(40), fc.constantFrom('', '\\', '"', '{', '0', '\u0000', '.', '-'))
    .map(([text, at, insert]) => bytes(text.slice(0, at) + insert + text.slice(at)))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), nearJson), body => {
      const reading = readJson(body)
      const accepted = ((): boolean => {
        try {
          JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
          return true
        } catch {
          return false
        }
      })()
      expect(reading.ok).toBe(accepted)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['levels', 500, (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`],
  ['values', 250_000, (count: number) => `[${Array(count).fill(0).join(',')}]`],
  ['digits', 10_000, (count: number) => `[${'1'.repeat(count)}]`],
])('JSON with more %s than %i is not read', (name, most, textOf) => {
  const read = (count: number) => readJson(Buffer.from(textOf(count)))
  expect(read(most)).toMatchObject({ ok: true })
  expect(read(most + 1)).toEqual({
    ok: false,
    isBeyondLimits: true,
    problem: expect.stringContaining(`more than ${most}${name === 'values' ? '' : ` ${name}`}`),
  })
})

test('what stands in strings, or in several numbers, exceeds no limit', () => {
  for (const text of [
    JSON.stringify(['['.repeat(5000), '1'.repeat(50_000), '"\\'.repeat(5000), ','.repeat(300_000)]),
    `[${Array(5000).fill('12345.678e9').join(',')}]`,
  ])
    expect(readJson(Buffer.from(text))).toMatchObject({ ok: true })
})
