/** What cannot be made or judged is named, with the reason and the first place. */
import { expect, test } from 'vitest'
import { contractOf, mediaOf } from './media.ts'

const text = { type: 'string' }
const object = { type: 'object', properties: { a: text } }
const of = (schema: object, encoding?: object): object => ({
  schema,
  ...(encoding === undefined ? {} : { encoding }),
})

test.each<[string, string, object, string]>([
  ['other multipart', 'multipart/mixed', of(object), 'only multipart/form-data has named parts'],
  ['parts without names', 'multipart/form-data', of({ type: 'object' }), 'its schema names no parts'],
  [
    'parts named by a pattern',
    'multipart/form-data',
    of({ ...object, patternProperties: { '^a': {} } }),
    'the schema of a part depends on its name',
  ],
  [
    'a part of any items',
    'multipart/form-data',
    of({ properties: { a: { type: 'array' } } }),
    'the part a is a list of anything',
  ],
  [
    'a part in a style',
    'multipart/form-data',
    of({ properties: { a: { type: 'object' } } }, { a: { style: 'deepObject', explode: true } }),
    'the part a is written in a style of parameters',
  ],
  [
    'an object as a picture',
    'multipart/form-data',
    of({ properties: { a: object } }, { a: { contentType: 'image/png' } }),
    'the part a is image/png: its schema describes no bytes',
  ],
  [
    'one name for two kinds of parts',
    'multipart/form-data',
    of({ oneOf: [{ properties: { a: text } }, { properties: { a: object } }] }),
    'the part a is written in two ways',
  ],
  ['a list as text', 'text/csv', of({ type: 'array' }), 'its schema does not describe text'],
  ['an object as bytes', 'application/x-protobuf', of(object), 'its schema describes no bytes'],
  ['XML without xml', 'application/xml', of(object), 'no `xml` in its schema says how it is written'],
  [
    'XML with alternatives',
    'application/problem+xml',
    of({ xml: { name: 'a' }, oneOf: [object] }),
    'XML with alternatives (oneOf, anyOf, if) is not read',
  ],
])('%s', async (_what, type, media, reason) => {
  const contract = await contractOf({ [type]: media })
  expect(mediaOf(contract).format).toEqual({ kind: 'opaque', reason })
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    `the content of ${type} requests (${reason}) is not tested`,
    `the content of ${type} responses (${reason}) is not tested`,
  ])
  expect(contract.notTested[0]?.place?.pointer).toContain('/requestBody/content/')
})

test('what is tested is not named, nor a type without a schema', async () => {
  const xml = of({ ...object, xml: { name: 'a' } })
  const content = {
    'application/json': of(object),
    'application/xml': xml,
    'text/html': of(text),
    'application/x-www-form-urlencoded': of(object),
    'multipart/form-data': of(object),
    'image/png': {},
    'image/gif': of(text),
  }
  expect((await contractOf(content)).notTested).toEqual([])
})
