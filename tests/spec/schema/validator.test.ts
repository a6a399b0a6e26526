import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema, type Json, loadContract, parseJson, type Schema } from '../../../spec/index.ts'
import { contractOfBody, contracts, documentWith, writeDocument } from '../contracts.ts'

const violations = (schema: Schema, text: string): readonly string[] =>
  compileSchema(schema)(parseJson(text)).map(({ at, keyword }) => `${at} ${keyword}`.trim())

test.each([
  ['int64', '9223372036854775807', []],
  ['int64', '-9223372036854775808', []],
  ['int64', '9223372036854775808', ['format']],
  ['int64', '-9223372036854775809', ['format']],
  ['int64', '9007199254740993', []],
  ['int64', '1e18', []],
  ['int64', '1e19', ['format']],
  ['int64', '9223372036854775807.0', []],
  ['int64', '9007199254740993.5', ['type']],
  ['int64', '1e-400', ['type']],
  ['int64', '1e400', ['format']],
  ['int32', '2147483647', []],
  ['int32', '2147483648', ['format']],
  ['int32', '-2147483648.0', []],
  ['int32', '-2147483649', ['format']],
  ['int32', '-0', []],
  ['int32', '0.5', ['type']],
])('an integer of format %s, given %s, violates %j', (format, text, broken) => {
  expect(violations({ type: 'integer', format }, text)).toEqual(broken)
})

test.each([
  [{ minimum: 0.1 }, '0.1', []],
  [{ minimum: 0.1 }, '0.09999999999999999999', ['minimum']],
  [{ maximum: 9007199254740992 }, '9007199254740993', ['maximum']],
  [{ exclusiveMinimum: 0 }, '1e-400', []],
  [{ exclusiveMinimum: 0 }, '-0', ['exclusiveMinimum']],
  [{ exclusiveMaximum: 1 }, '0.99999999999999999999', []],
  [{ exclusiveMaximum: 1 }, '1.0', ['exclusiveMaximum']],
  [{ multipleOf: 0.01 }, '19.99', []],
  [{ multipleOf: 0.01 }, '0.07', []],
  [{ multipleOf: 0.01 }, '0.075', ['multipleOf']],
  [{ multipleOf: 3 }, '9007199254740993', []],
  [{ multipleOf: 2 }, '9007199254740993', ['multipleOf']],
  [{ multipleOf: 5 }, '1e400', []],
])('the limits %j are exact: %s violates %j', (schema, text, broken) => {
  expect(violations(schema as Schema, text)).toEqual(broken)
})

test.each([
  [{ uniqueItems: true }, '[9007199254740992,9007199254740993]', []],
  [{ uniqueItems: true }, '[1,1.0]', ['uniqueItems']],
  [{ uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":1}]', ['uniqueItems']],
  [{ uniqueItems: true }, '[[1],[true]]', []],
  [{ enum: [9007199254740990] }, '9007199254740990.0', []],
  [{ enum: [0] }, '1e-400', ['enum']],
  [{ const: { a: [1] } }, '{"a":[1.0]}', []],
  [{ const: 1 }, '1.00000000000000000001', ['const']],
  // Beyond 2^53, the number of the document is a double.
  [{ enum: [2 ** 53] }, '9007199254740993', []],
])('%j compares by value: %s violates %j', (schema, text, broken) => {
  expect(violations(schema as Schema, text)).toEqual(broken)
})

test.each(['json', 'yaml'])('limits beyond 2^53 are read from the text of the document (%s)', async kind => {
  const text =
    kind === 'json'
      ? documentWith({
          '/a': {
            get: { parameters: [{ name: 'n', in: 'query', schema: { type: 'integer', maximum: 'MAX' } }] },
          },
        }).replace('"MAX"', '9223372036854775806')
      : 'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a:\n    get:\n      parameters: [{ name: n, in: query, schema: { type: integer, maximum: 9223372036854775806 } }]\n'
  const { requests } = await loadContract({ from: writeDocument(`limit.${kind}`, text) })
  const validate = requests.schemas.validator('/paths/~1a/get/parameters/0/schema')
  expect(validate(parseJson('9223372036854775806'))).toEqual([])
  expect(validate(parseJson('9223372036854775807'))).toHaveLength(1)
})

test.each([100, 10_000])('numbers are exact in a text of %i members, wherever they are', length => {
  const schema = { type: 'array', items: { type: 'array', items: { type: 'integer', format: 'int64' } } }
  const list = (last: string): string => `[${'[1],'.repeat(length - 1)}[${last}]]`
  const last = `/${length - 1}/0`
  expect(violations(schema, list('9223372036854775807'))).toEqual([])
  expect(violations(schema, list('9223372036854775808'))).toEqual([`${last} format`])
  expect(violations(schema, list('9007199254740993.5'))).toEqual([`${last} type`])
  expect(violations(schema, list('0.5'))).toEqual([`${last} type`])
  expect(violations(schema, list('1'))).toEqual([])
})

test('exclusive limits of a 3.0 document are exact as well', async () => {
  const text = documentWith(
    {
      '/a': {
        get: {
          parameters: [
            { name: 'n', in: 'query', schema: { type: 'integer', minimum: 'MIN', exclusiveMinimum: true } },
          ],
          responses: { 200: { description: 'ok' } },
        },
      },
    },
    { openapi: '3.0.3' },
  ).replace('"MIN"', '9007199254740993')
  const { requests } = await loadContract({ from: writeDocument('old.json', text) })
  const validate = requests.schemas.validator('/paths/~1a/get/parameters/0/schema')
  expect(validate(parseJson('9007199254740993'))).toHaveLength(1)
  expect(validate(parseJson('9007199254740994'))).toEqual([])
})

const schemas: readonly Schema[] = [
  { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 2, maximum: 5 } } },
  {
    type: 'array',
    items: { minLength: 1, maxLength: 2 },
    maxItems: 2,
    uniqueItems: true,
  },
  { oneOf: [{ type: 'number', multipleOf: 2 }, { type: 'integer', multipleOf: 3 }, { const: null }] },
  { anyOf: [{ enum: [1, 'a', [1], { a: 1 }, null] }, { type: 'boolean' }], not: { const: true } },
  { type: 'object', additionalProperties: { type: 'number', exclusiveMinimum: 0 }, minProperties: 1 },
  JSON.parse(
    '{"if":{"type":"object","required":["a"]},"then":{"required":["b"]},"else":{"not":{"type":"string"}}}',
  ),
  { $defs: { l: { type: 'array', items: { $ref: '#/$defs/l' } } }, $ref: '#/$defs/l' },
  { prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
  { type: 'object', patternProperties: { '^a': { type: 'integer' } }, unevaluatedProperties: false },
]

test('ordinary values violate the same keywords as with plain Ajv', () => {
  const scalar = fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom('', 'a', 'ab', 'abc', null, true, false, 0.5, -0),
  )
  const { value } = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }))
  const pairs = schemas.map(schema => ({
    ours: compileSchema(schema),
    theirs: new Ajv2020({ strict: false, allErrors: true }).compile(schema as object),
  }))
  fc.assert(
    fc.property(value, sample => {
      for (const { ours, theirs } of pairs) {
        theirs(sample)
        const expected = (theirs.errors ?? []).map(({ keyword }) => keyword)
        expect(ours(sample).map(({ keyword }) => keyword)).toEqual(expected)
      }
    }),
    { numRuns: 300 },
  )
})

test('a missing or undeclared property is reported at its own location', () => {
  expect(violations({ properties: { 'a/b': { required: ['c~d'] } } }, '{"a/b":{}}')).toEqual([
    '/a~1b/c~0d required',
  ])
  expect(violations({ additionalProperties: false }, '{"x":1}')).toEqual(['/x additionalProperties'])
})

test('inherited names are not properties', () => {
  expect(violations({ required: ['toString'] }, '{}')).toEqual(['/toString required'])
  expect(violations({ properties: { __proto__: { type: 'string' } } } as Schema, '{"__proto__":1}')).toEqual(
    [],
  )
  expect(violations({ required: ['__proto__'] }, '{"__proto__":1.0}')).toEqual([])
})

test('a sibling of a reference counts in 3.1', () => {
  const { document, requests } = contracts.library
  expect(document).toHaveProperty('openapi', '3.1.0')
  const validate = requests.schemas.validator('/components/schemas/Book/properties/isbn')
  expect(validate('123-1234567890')).toEqual([])
  expect(validate('x').map(({ keyword }) => keyword)).toEqual(['pattern'])
  expect(
    validate(`${'1'.repeat(15)}`)
      .map(({ keyword }) => keyword)
      .sort(),
  ).toEqual(['maxLength', 'pattern'])
})

test('anchors, identifiers and names that need escaping are found', async () => {
  const contract = await contractOfBody(
    { $ref: '#/components/schemas/A.b-c' },
    {
      components: {
        schemas: {
          'A.b-c': {
            type: 'object',
            properties: { 'per%cent/ü~': { $ref: '#/components/schemas/Other/$defs/in%20side' } },
          },
          Other: { $defs: { 'in side': { $anchor: 'inside', type: 'integer' } } },
        },
      },
    },
  )
  const validate = contract.requests.schemas.validator('/components/schemas/A.b-c')
  expect(validate({ 'per%cent/ü~': 'x' })).toMatchObject([{ at: '/per%cent~1ü~0', keyword: 'type' }])
})
