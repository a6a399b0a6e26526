import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Json,
  type Parameter,
  parseJson,
  placesOf,
  readParameter,
  writeJson,
  writeParameter,
} from '../../../spec/index.ts'
import { cookiePairs, queryPairs } from '../../../spec/serialization/parse-parameter.ts'

type Shape = 'scalar' | 'array' | 'object'

const parameter = (style: string, explode: boolean, location: Parameter['in']): Parameter => ({
  name: 'p.q',
  in: location,
  required: true,
  style,
  explode,
  content: null,
  allowEmpty: null,
  schema: '',
  pointer: '',
})

const schemas: Readonly<Record<string, object>> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  string: { type: 'string' },
  array: { type: 'array', items: { type: 'string' } },
  numbers: { type: 'array', items: { type: ['number', 'boolean'] } },
  object: {
    type: 'object',
    properties: { a: { type: 'string' }, 'b c': { type: 'integer' }, d: { type: 'boolean' } },
  },
}

type Written = ReturnType<typeof writeParameter>

const read = (declared: Parameter, schema: object, written: Written): Json | undefined =>
  readParameter(declared, placesOf({ schema }, '/schema'), {
    path: written.path === null ? {} : { [declared.name]: written.path },
    query: queryPairs(written.query ?? ''),
    header: () => written.header,
    cookie: cookiePairs(written.cookie ?? ''),
    names: new Set([declared.name]),
  })

// The shapes that each style can represent (OpenAPI 3.1, style examples).
const styles: readonly (readonly [Parameter['in'], string, boolean, readonly Shape[]])[] = [
  ['path', 'simple', false, ['scalar', 'array', 'object']],
  ['path', 'simple', true, ['scalar', 'array', 'object']],
  ['path', 'label', false, ['scalar', 'array', 'object']],
  ['path', 'label', true, ['scalar', 'array', 'object']],
  ['path', 'matrix', false, ['scalar', 'array', 'object']],
  ['path', 'matrix', true, ['scalar', 'array', 'object']],
  ['query', 'form', true, ['scalar', 'array', 'object']],
  ['query', 'form', false, ['scalar', 'array', 'object']],
  ['query', 'spaceDelimited', false, ['array']],
  ['query', 'pipeDelimited', false, ['array', 'object']],
  ['query', 'deepObject', true, ['object']],
  ['header', 'simple', false, ['scalar', 'array', 'object']],
  ['header', 'simple', true, ['scalar', 'array', 'object']],
  ['cookie', 'form', true, ['scalar', 'array', 'object']],
  ['cookie', 'form', false, ['scalar', 'array', 'object']],
]

const shapeOf = (kind: string): Shape =>
  kind === 'array' || kind === 'numbers' ? 'array' : kind === 'object' ? 'object' : 'scalar'

const numberJson = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  )
  .filter(text => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text))
  .map(parseJson)
const integerJson = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map(value => parseJson(String(value)))

// A header does not escape its text, so a comma, an equals sign or an outer space would be read as a delimiter. No style
// distinguishes an empty text, list or object from a missing one.
const textsOf = (declared: Parameter): fc.Arbitrary<string> =>
  declared.in === 'header'
    ? fc.stringMatching(/^[!-+\-./0-9:;<>?@A-Za-z]{1,8}$/)
    : fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
        .filter(text => declared.in !== 'query' || !/[|]/.test(text) || declared.style !== 'pipeDelimited')
        .filter(text => declared.style !== 'spaceDelimited' || !/ /.test(text))

const valuesOf = (kind: string, declared: Parameter): fc.Arbitrary<Json> => {
  const text = textsOf(declared)
  switch (kind) {
    case 'integer':
      return integerJson
    case 'number':
      return numberJson
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(text, { minLength: 1, maxLength: 4 })
    case 'numbers':
      return fc.array(fc.oneof(numberJson, fc.boolean()), { minLength: 1, maxLength: 4 })
    case 'object':
      return fc
        .record({ a: text, 'b c': integerJson, d: fc.boolean() }, { requiredKeys: [], noNullPrototype: true })
        .filter(value => Object.keys(value).length > 0)
    default:
      return text
  }
}

const rows = styles.flatMap(([location, style, explode, shapes]) =>
  Object.keys(schemas)
    .filter(kind => shapes.includes(shapeOf(kind)))
    .map(kind => [location, style, explode ? 'exploded' : 'in one', kind] as const),
)

test.each(rows)('a %s parameter of style %s, %s, parses back to any %s', (location, style, form, kind) => {
  const declared = parameter(style, form === 'exploded', location)
  const schema = schemas[kind] as object
  fc.assert(
    fc.property(valuesOf(kind, declared), value => {
      const written = writeParameter(declared, value)
      const back = read(declared, schema, written)
      expect(back === undefined ? undefined : writeJson(back)).toBe(writeJson(value))
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['path', 'simple', false, ['a', 'b,c'], 'a,b%2Cc'],
  ['path', 'label', false, ['a', 'b'], '.a,b'],
  ['path', 'label', true, ['a', 'b.c'], '.a.b%2Ec'],
  ['path', 'label', true, { a: 'x', d: true }, '.a=x.d=true'],
  ['path', 'matrix', false, ['a', 'b'], ';p.q=a,b'],
  ['path', 'matrix', true, ['a', 'b'], ';p.q=a;p.q=b'],
  ['path', 'matrix', true, { a: 'x', d: true }, ';a=x;d=true'],
  ['query', 'form', true, ['a', 'b'], 'p.q=a&p.q=b'],
  ['query', 'form', false, { a: 'x', d: true }, 'p.q=a,x,d,true'],
  ['query', 'spaceDelimited', false, ['a', 'b'], 'p.q=a%20b'],
  ['query', 'pipeDelimited', false, ['a', 'b'], 'p.q=a%7Cb'],
  ['query', 'deepObject', true, { a: 'x&y', d: true }, 'p.q%5Ba%5D=x%26y&p.q%5Bd%5D=true'],
  ['query', 'form', true, [], null],
  ['header', 'simple', true, { a: 'x', d: true }, 'a=x,d=true'],
  ['cookie', 'form', false, ['a;', 'b'], 'p.q=a%3B,b'],
] as const)(
  'a %s parameter of style %s (exploded: %s) writes %j as %s',
  (location, style, explode, value, text) => {
    expect(writeParameter(parameter(style, explode, location), value)[location]).toBe(text)
  },
)

const query = (text: string): Written => ({ path: null, query: text, header: null, cookie: null })

test.each([
  ['p.q=1+2', { type: 'string' }, '1 2'],
  ['p.q=%zz', { type: 'string' }, '%zz'],
  ['p.q', { type: 'string' }, ''],
  ['p%2Eq=%31', { type: 'integer' }, 1],
  ['p.q=5', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 5],
  ['p.q=', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, null],
  ['p.q=5', { enum: [1, 5] }, 5],
  ['p.q=true', { const: true }, true],
  ['p.q=x', { oneOf: [{ type: 'integer' }, { minLength: 1 }] }, 'x'],
  ['p.q=01', { type: 'integer' }, '01'],
  ['p.q=0x1', { type: 'integer' }, '0x1'],
  ['other=1', { type: 'integer' }, undefined],
] as const)('the query %s, with the schema %j, parses to %j', (text, schema, value) => {
  expect(read(parameter('form', true, 'query'), schema, query(text))).toEqual(value)
})

test('a plus is a plus in a path and in a cookie', () => {
  const none = { path: null, query: null, header: null, cookie: null }
  expect(read(parameter('simple', false, 'path'), schemas.string as object, { ...none, path: 'a+b' })).toBe(
    'a+b',
  )
  expect(
    read(parameter('form', true, 'cookie'), schemas.string as object, { ...none, cookie: 'p.q=a+b' }),
  ).toBe('a+b')
})

test('lists are accepted in the ways that clients write them: literal pipes, commas in a cookie, spaces in a header', () => {
  const none = { path: null, query: null, header: null, cookie: null }
  const list = schemas.array as object
  expect(read(parameter('pipeDelimited', false, 'query'), list, query('p.q=a|b'))).toEqual(['a', 'b'])
  expect(read(parameter('spaceDelimited', false, 'query'), list, query('p.q=a+b'))).toEqual(['a', 'b'])
  expect(read(parameter('form', true, 'cookie'), list, { ...none, cookie: 'p.q=a,b' })).toEqual(['a', 'b'])
  expect(read(parameter('simple', false, 'header'), list, { ...none, header: 'a,  b' })).toEqual(['a', 'b'])
})

test('a parameter with content is JSON, or else text', () => {
  const declared = { ...parameter('form', true, 'query'), content: 'application/json' }
  const value = { a: ['x', 1] }
  expect(writeParameter(declared, value).query).toBe('p.q=%7B%22a%22%3A%5B%22x%22%2C1%5D%7D')
  expect(read(declared, schemas.object as object, writeParameter(declared, value))).toEqual(value)
  expect(read(declared, schemas.object as object, query('p.q=%7B'))).toBe('{')
})

const filter: Parameter = {
  name: 'filter',
  in: 'query',
  required: true,
  style: 'form',
  explode: true,
  content: null,
  allowEmpty: null,
  schema: '',
  pointer: '',
}

test('an object that may have any property takes what is no other parameter', () => {
  const map = { type: 'object', additionalProperties: { type: 'integer' } }
  const source = { path: {}, header: () => null, cookie: [], names: new Set(['filter', 'page']) }
  const read = (query: string) =>
    readParameter(filter, placesOf({ map }, '/map'), { ...source, query: queryPairs(query) })
  expect(read('a=1&page=2&b=3')).toEqual(
    Object.fromEntries([
      ['a', parseJson('1')],
      ['b', parseJson('3')],
    ]),
  )
  // Nothing is written of an object without members.
  expect(read('page=2')).toEqual({})
})

test('an object whose alternatives declare its properties takes those of any of them', () => {
  const choice = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] })
  const schema = {
    type: 'object',
    oneOf: [choice('user'), { $ref: '#/schema/$defs/mail' }],
    $defs: { mail: choice('mail') },
  }
  const source = { path: {}, header: () => null, cookie: [], names: new Set(['filter']) }
  const read = (query: string) =>
    readParameter(filter, placesOf({ schema }, '/schema'), { ...source, query: queryPairs(query) })
  expect(read('mail=a%40b&other=1')).toEqual({ mail: 'a@b' })
  expect(read('user=ivy')).toEqual({ user: 'ivy' })
  expect(read('other=1')).toBeUndefined()
})
