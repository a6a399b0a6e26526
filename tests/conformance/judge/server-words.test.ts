/** The words of a rejection tell its reason, whatever was sent. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameAnswer, serverWords } from '../../../conformance/judge/server-words.ts'
import type { Json, Outcome } from '../../../spec/index.ts'
import { cpuTime } from '../../cpu-time.ts'
import { requestSpec } from '../request-spec.ts'

const rejection = (
  body: Json,
  text: string,
  status = 400,
  parameters: Readonly<Record<string, Json>> = {},
) => ({
  testCase: { spec: { ...requestSpec, body, parameters } },
  outcome: {
    kind: 'response',
    response: { status, headers: [], body: new TextEncoder().encode(text) },
    ms: 1,
  } as unknown as Outcome,
})

const message = (text: string): string => JSON.stringify({ error: 'Invalid', message: text })

test.each([
  ['a value', 'Got: Łąka (large)', 'Got: fern', 'Łąka (large)', 'fern'],
  ['a short value that is a word of the message', 'not a String', 'not a String', 'a', 'Fern'],
  ['a number', 'at line 1 column 41', 'at line 2 column 7', 'x', 'y'],
  [
    'an id',
    'Collection 1afde47a-6038-4b46-93b7-a61d2037819c is gone',
    'Collection 66f3502f is gone',
    'x',
    'y',
  ],
  ['a quoted value', 'unknown variant `x y`, see "1 b"', 'unknown variant ``, see ""', 'x', 'y'],
  ['a time', 'too late: 2026-11-26T06:40:07Z', 'too late: 2026-11-27T10:00:00Z', 'x', 'y'],
])('%s makes no other reason', (_what, left, right, leftSent, rightSent) => {
  expect(
    isSameAnswer(
      rejection({ name: leftSent }, message(left)),
      rejection({ name: rightSent }, message(right)),
    ),
  ).toBe(true)
})

test.each([
  ['another name', "Key 'nameserver' not present", "Key 'name' not present"],
  ['other words', 'expected a longer name', 'expected a name of letters'],
])('%s is another reason', (_what, left, right) => {
  expect(isSameAnswer(rejection({}, message(left)), rejection({}, message(right)))).toBe(false)
})

test('another status is another reason', () => {
  expect(isSameAnswer(rejection({}, message('no')), rejection({}, message('no'), 422))).toBe(false)
})

test('a message about a value has the same words whatever the value is, wherever it was sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.boolean(), (one, other, isInBody) => {
      const of = (value: string) => {
        const text = message(`The value of the property has to be shorter. Got: ${value}`)
        return isInBody ? rejection({ name: value }, text) : rejection(null, text, 400, { name: value })
      }
      expect(isSameAnswer(of(one), of(other))).toBe(true)
    }),
  )
})

test('no part of a word is taken for a value', () => {
  expect(serverWords(rejection({ name: 'or' }, message('wrong color')))).toBe('Invalid color wrong')
})

test('the words of a page are those of its text, in no order', () => {
  expect(serverWords(rejection({}, '<html><h1 class="x">Not Found</h1></html>'))).toBe('Found Not')
})

test('what is quoted ends at the mark that belongs to the one that opens it, and else nowhere', () => {
  const of = (text: string) => serverWords(rejection({}, text))
  expect(of('bad “a "b c” value "d e" of «f')).toBe('bad of value')
  expect(of("it's „Fern“ not 'a b' or `c d`")).toBe('Fern it not or')
})

test.each(['<', '“', '«', "'a", '"', '“«', 'a1', 'a ', ' 7'])('a long text of %s is read at once', part => {
  const began = cpuTime()
  serverWords(rejection({ name: 'fern' }, part.repeat(100_000 / part.length)))
  expect(cpuTime() - began).toBeLessThan(500)
})

test('a reason is the same in another content coding', () => {
  const plain = rejection('x', message('there is no file'))
  const body = gzipSync(message('there is no file'))
  const response = { status: 400, headers: [['Content-Encoding', 'gzip']], body }
  const coded = { ...plain, outcome: { kind: 'response', response, ms: 1 } as unknown as Outcome }
  expect(isSameAnswer(plain, coded)).toBe(true)
  expect(serverWords(coded)).toContain('file')
})
