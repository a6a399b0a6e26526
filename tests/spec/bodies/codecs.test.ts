/** What is written is read back as it was, in every format. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Json,
  parseJson,
  type ReadableFormat,
  readBody,
  writeBody,
  writeJson,
} from '../../../spec/index.ts'
import { contractOf, formatOf } from './media.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }
const strings = { type: 'array', items: string }
const objects = { type: 'array', items: { type: 'object', properties: { n: integer } } }

const roundTrip = (format: ReadableFormat, value: Json, type: string): Json | undefined => {
  const { bytes, contentType } = writeBody(format, value, { contentType: type })
  const reading = readBody(format, bytes, contentType)
  return reading.ok ? reading.value : undefined
}

const law = (format: ReadableFormat, type: string, values: fc.Arbitrary<Json>): void =>
  fc.assert(
    fc.property(values, value => {
      const before = parseJson(writeJson(value))
      expect(roundTrip(format, before, type)).toEqual(before)
    }),
    { numRuns: 300 },
  )

const number = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }).map(String))
const exact = number.map(value => parseJson(String(value)))
const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter(value => value.isWellFormed()),
  // A byte order mark is a character of a value.
  fc.constant('\ufeffa'),
)
const some = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { minLength: 1, maxLength: 4 })
const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as unknown as fc.Arbitrary<Json>

const multipart = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        text: string,
        count: integer,
        'odd "name"; ü': string,
        file: { type: 'string', format: 'binary' },
        files: { type: 'array', items: { type: 'string', format: 'binary' } },
        words: strings,
        one: { type: 'object', properties: { a: string } },
        several: objects,
      },
    },
    encoding: { file: { contentType: 'image/*' } },
  },
}

test('multipart/form-data', async () => {
  const bytes = fc.uint8Array().map(each => Buffer.from(each).toString('latin1'))
  const member = record({ a: text, b: exact, c: fc.boolean() })
  const values = record({
    text: fc.oneof(text, fc.constant('form-data-boundary'), fc.constant('\r\n--form-data-boundary--\r\n')),
    count: exact,
    'odd "name"; ü': text,
    file: bytes,
    files: some(bytes),
    words: some(text),
    one: member,
    several: some(member),
    undeclared: text,
  })
  law(formatOf(await contractOf(multipart)), 'multipart/form-data', values)
})

describe('application/x-www-form-urlencoded', () => {
  const type = 'application/x-www-form-urlencoded'

  test('lists and objects in deep objects, and lists of JSON', async () => {
    const inner = { type: 'object', properties: { town: string, lines: strings, more: objects } }
    const properties = { place: inner, items: { type: 'array', items: inner }, lines: objects, tags: strings }
    const deep = { style: 'deepObject', explode: true }
    const content = {
      [type]: { schema: { type: 'object', properties }, encoding: { place: deep, items: deep } },
    }
    const place = record({
      town: text,
      lines: some(text),
      more: some(fc.record({ n: exact }, { noNullPrototype: true })),
    }).filter(value => Object.keys(value as object).length > 0)
    const values = record({ place, items: some(place), lines: some(record({ n: exact })), tags: some(text) })
    law(formatOf(await contractOf(content)), type, values)
  })
})

test.each<[string, object, fc.Arbitrary<Json>]>([
  ['text/plain', string, text],
  ['text/csv', { type: ['integer', 'boolean'] }, fc.oneof(exact, fc.boolean())],
  [
    'application/octet-stream',
    { type: 'string', format: 'binary' },
    fc.uint8Array().map(bytes => Buffer.from(bytes).toString('latin1')),
  ],
  ['image/png', {}, fc.uint8Array().map(bytes => Buffer.from(bytes).toString('latin1'))],
])('%s', async (type, schema, values) =>
  law(formatOf(await contractOf({ [type]: { schema } })), type, values),
)

/** What XML 1.0 can carry. */
const xmlText = text.filter(value => /^[\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(value))

const pet = {
  type: 'object',
  xml: { name: 'pet', namespace: 'urn:pets', prefix: 'p' },
  properties: {
    id: { ...integer, xml: { attribute: true } },
    lang: { ...string, xml: { attribute: true, namespace: 'urn:lang', prefix: 'l' } },
    name: { ...string, xml: { name: 'petName', namespace: 'urn:names' } },
    photos: { type: 'array', items: { ...string, xml: { name: 'photo' } }, xml: { wrapped: true } },
    tags: { type: 'array', items: { ...string, xml: { name: 'tag' } } },
    plain: strings,
    aliens: { type: 'array', items: string, xml: { name: 'alien', wrapped: true } },
    owner: { $ref: '#/components/schemas/Owner' },
    lots: { type: 'array', items: { $ref: '#/components/schemas/Owner', xml: { name: 'lot' } } },
    maybe: { type: ['string', 'null'] },
  },
}
const components = {
  schemas: {
    Pet: pet,
    Owner: {
      type: 'object',
      xml: { name: 'holder' },
      properties: { town: string, codes: { ...strings, xml: { wrapped: true } } },
    },
  },
}
const xmlContent = { 'application/xml': { schema: { $ref: '#/components/schemas/Pet' } } }

test('application/xml', async () => {
  const owner = record({ town: xmlText, codes: fc.array(xmlText, { maxLength: 3 }) })
  const values = record({
    id: exact,
    lang: xmlText,
    name: xmlText,
    photos: fc.array(xmlText, { maxLength: 3 }),
    tags: some(xmlText),
    plain: some(xmlText),
    aliens: fc.array(xmlText, { maxLength: 3 }),
    owner,
    lots: some(owner),
    // An empty element would be null as well.
    maybe: fc.oneof(
      xmlText.filter(each => each !== ''),
      fc.constant(null),
    ),
    undeclared: xmlText,
  })
  law(formatOf(await contractOf(xmlContent, { components })), 'application/xml', values)
})

test('XML is written as its schema describes', async () => {
  const format = formatOf(await contractOf(xmlContent, { components }))
  const value = {
    id: 5,
    lang: 'en',
    name: 'a&b',
    photos: ['x'],
    tags: ['t', 'u'],
    aliens: ['m'],
    owner: { codes: [] },
  }
  const { bytes } = writeBody(format, value, { contentType: 'application/xml' })
  expect(Buffer.from(bytes).toString()).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<p:pet xmlns:p="urn:pets" id="5" xmlns:l="urn:lang" l:lang="en">' +
      '<petName xmlns="urn:names">a&amp;b</petName><photos><photo>x</photo></photos>' +
      '<tag>t</tag><tag>u</tag><alien><alien>m</alien></alien><holder><codes></codes></holder></p:pet>',
  )
})
