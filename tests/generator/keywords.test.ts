import { describe, expect, test } from 'vitest'
import { type Schema, sampleSchema } from '../../generator/index.ts'
import { metaSchema } from '../../spec/index.ts'
import { validatorsOf } from './validators.ts'

const nested = (depth: number, around: (schema: Schema) => Schema): Schema =>
  Array.from({ length: depth }).reduce<Schema>(around, { type: 'integer' })
const thrice = (each: (tag: number) => Schema): Schema => ({ oneOf: [1, 2, 3].map(each) })
const tags = (named: Readonly<Record<string, number>>) => ({
  required: Object.keys(named),
  properties: Object.fromEntries(Object.entries(named).map(([name, tag]) => [name, { const: tag }])),
})

// Schemas with both valid and invalid values.
const satisfiable: Readonly<Record<string, readonly Schema[]>> = {
  type: [{ type: 'integer' }, { type: ['string', 'null'] }, { type: 'number' }, { type: 'array' }],
  'enum and const': [
    { enum: ['fern', 3, null, { pot: [1] }] },
    { const: { leaf: false } },
    { enum: [1, 2, 'two'], type: 'string' },
    { const: 0 },
  ],
  numbers: [
    { type: 'integer', minimum: 3, maximum: 3 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    { type: 'integer', multipleOf: 7, minimum: 100, maximum: 120 },
    { type: 'number', multipleOf: 0.5, minimum: -2 },
    { type: 'integer', exclusiveMinimum: -3, exclusiveMaximum: -1 },
    { maximum: 1e20 },
    { type: 'number', minimum: 0.1, maximum: 0.11 },
    { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 1000 },
    { type: 'number', multipleOf: 0.0001 },
    { type: 'number', minimum: 0.1, maximum: 0.3, multipleOf: 0.1 },
    { type: 'integer', multipleOf: 1e-8 },
    { type: 'integer', multipleOf: 0.123456789 },
    { exclusiveMaximum: 9.727837981879871e26 },
    { maximum: 18446744073709552000 },
    { type: 'integer', minimum: 1e300 },
  ],
  strings: [
    { type: 'string', minLength: 2, maxLength: 3 },
    { maxLength: 0 },
    { type: 'string', minLength: 300 },
    { type: 'string', minLength: 80_000, maxLength: 80_010 },
    { type: 'string', pattern: '(?<=\\$)\\d+(?:\\.\\d\\d)?$' },
    { type: 'string', pattern: '^(ab|cd)-\\1$' },
    { type: 'string', pattern: '^\\W$' },
    { type: 'string', pattern: '^(a+)+$' },
    { type: 'string', format: 'email', pattern: '@corp\\.example$' },
    { type: 'string', format: 'uri', minLength: 40, maxLength: 60 },
    { type: 'string', format: 'date', pattern: '^2024-' },
    { pattern: '^[A-Z]{2}-\\d{3,}$' },
    { type: 'string', pattern: 'leaf', maxLength: 6 },
    { type: 'string', pattern: '^(?=.*\\d)(?!0)\\w+$' },
    { allOf: [{ pattern: '^a' }, { pattern: 'z$' }, { minLength: 5 }], type: 'string' },
    { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' },
    { not: { pattern: '^a*$' }, type: 'string', maxLength: 2 },
  ],
  arrays: [
    { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 3 },
    { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, type: 'array', minItems: 1 },
    { type: 'array', uniqueItems: true, items: { enum: [1, 2, 3] }, minItems: 3 },
    { type: 'array', contains: { const: 'root' }, minContains: 2, maxContains: 3 },
    { contains: { type: 'string' }, minContains: 0, maxContains: 1, minItems: 2, type: 'array' },
    { allOf: [{ contains: { minimum: 5 } }, { contains: { maximum: 1 } }], type: 'array', maxItems: 2 },
    { uniqueItems: true, items: { type: 'boolean' }, type: 'array' },
    { prefixItems: [{ $ref: '#', uniqueItems: true }] },
    { type: 'array', minItems: 200, items: { type: 'integer' }, uniqueItems: true },
  ],
  objects: [
    { type: 'object', required: ['a', 'b'], properties: { a: { type: 'integer' }, b: { const: 1 } } },
    { type: 'object', additionalProperties: false, properties: { a: true }, minProperties: 1 },
    {
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: { type: 'null' },
    },
    { type: 'object', propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 2, maxProperties: 3 },
    { dependentRequired: { a: ['b'], b: ['c'] }, required: ['a'] },
    { dependentSchemas: { a: { required: ['b'], properties: { b: { type: 'string' } } } } },
    { properties: { a: false }, minProperties: 1, type: 'object' },
    { required: ['a/b', 'c~d', ''], type: 'object' },
    { type: 'object', propertyNames: { format: 'ipv4' }, minProperties: 1 },
    { type: 'object', minProperties: 60 },
    JSON.parse(
      '{ "type": "object", "required": ["__proto__"], "properties": { "__proto__": { "type": "integer" } } }',
    ),
  ],
  'schemas of schemas': [
    { allOf: [{ minimum: 2 }, { maximum: 4 }], type: 'integer' },
    {
      anyOf: [
        { type: 'string', maxLength: 1 },
        { type: 'integer', minimum: 9 },
      ],
    },
    { oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }], type: 'integer' },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object' },
    { not: { type: ['string', 'number'] } },
    { not: { not: { type: 'integer', minimum: 1 } } },
    { not: { required: ['a'] }, type: 'object', minProperties: 1 },
    {
      if: { properties: { kind: { const: 'tree' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['height'] },
      else: { required: ['pot'] },
      type: 'object',
    },
    { not: { items: { type: 'string' } } },
    { not: { uniqueItems: true } },
    nested(40, schema => ({ type: 'object', required: ['n'], properties: { n: schema } })),
    nested(60, schema => ({ type: 'array', minItems: 1, items: schema })),
    // Twenty-seven kinds of object, each with its own tags.
    thrice(a => thrice(b => thrice(c => ({ type: 'object', ...tags({ a, b, c }) })))),
    {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          anyOf: Array.from({ length: 12 }, (_, kind) => ({
            type: 'object',
            required: ['kind'],
            properties: {
              kind: { const: kind },
              ...Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, { $ref: '#/$defs/node' }])),
            },
            unevaluatedProperties: false,
          })),
        },
      },
    },
  ],
  unevaluated: [
    { properties: { a: { type: 'string' } }, unevaluatedProperties: false },
    {
      allOf: [{ properties: { a: true }, required: ['a'] }],
      unevaluatedProperties: { type: 'integer' },
      type: 'object',
    },
    {
      anyOf: [{ properties: { a: true }, required: ['a'] }, { properties: { b: true } }],
      unevaluatedProperties: false,
    },
    { prefixItems: [true], unevaluatedItems: false },
    { $ref: '#/$defs/base', unevaluatedProperties: false, $defs: { base: { properties: { a: true } } } },
  ],
  references: [
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'integer' } } },
    { properties: { child: { $ref: '#' }, value: { type: 'integer' } }, required: ['value'], type: 'object' },
    { $ref: '#leaf', $defs: { x: { $anchor: 'leaf', type: 'string' } } },
    {
      $id: 'https://schema.example/plants/root',
      $ref: 'leaf',
      $defs: {
        leaf: { $id: 'leaf', $ref: 'stem#cut' },
        stem: { $id: 'stem', $defs: { c: { $anchor: 'cut', type: 'null' } } },
      },
    },
    { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'boolean' } } },
    { items: { $ref: '#/prefixItems/0' }, prefixItems: [{ type: 'integer' }], type: 'array', minItems: 2 },
    {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          required: ['left'],
          properties: { left: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/tree' }] } },
        },
      },
    },
    {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { next: { $dynamicRef: '#node' } },
      required: ['id'],
    },
    { $ref: 'https://json-schema.org/draft/2020-12/schema' },
  ],
  annotations: [
    {
      type: 'string',
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      title: 'x',
      'x-y': { type: 1 },
    },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', default: 3, examples: [1] },
  ],
}

const formats = [
  ...[
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'idn-hostname',
    'ipv4',
    'ipv6',
  ],
  ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uri-template', 'uuid', 'json-pointer'],
  ...[
    'relative-json-pointer',
    'regex',
    'byte',
    'password',
    'binary',
    'int32',
    'int64',
    'float',
    'double',
    'unheard-of',
  ],
]

const texts = async (schema: Schema, kind: 'valid' | 'invalid', count = 40): Promise<readonly string[]> => {
  const sample = await sampleSchema(schema, { kind, count, seed: 7 })
  if ('unsupported' in sample) throw new Error(sample.unsupported)
  return sample.texts
}

const mistakes = (
  validators: Awaited<ReturnType<typeof validatorsOf>>,
  kind: 'valid' | 'invalid',
  samples: readonly string[],
): readonly string[] =>
  Object.entries(validators).flatMap(([validator, isValid]) =>
    samples
      .filter(text => isValid(JSON.parse(text)) !== (kind === 'valid'))
      .map(text => `${validator}: ${text}`),
  )

describe.each(Object.entries(satisfiable))('%s', (_group, schemas) => {
  test.each(schemas.map(schema => [JSON.stringify(schema), schema] as const))('%s', async (_text, schema) => {
    const validators = await validatorsOf(schema)
    for (const kind of ['valid', 'invalid'] as const) {
      const samples = await texts(schema, kind)
      expect(samples).toHaveLength(40)
      expect(mistakes(validators, kind, samples)).toEqual([])
    }
  })
})

test.each(formats)('every validator accepts the strings and numbers of the format %s', async format => {
  const type = /int|float|double/.test(format) ? 'number' : 'string'
  const samples = await texts({ type, format }, 'valid')
  expect(mistakes(await validatorsOf({ type, format }), 'valid', samples)).toEqual([])
})

describe('an unsupported schema is reported with the reason', () => {
  const reasons: readonly (readonly [Schema, 'valid' | 'invalid', RegExp])[] = [
    [false, 'valid', /^no value is valid/],
    [true, 'invalid', /^every value is valid/],
    [{}, 'invalid', /^every value is valid/],
    [{ type: 'integer', minimum: 3, maximum: 2 }, 'valid', /^no value is valid/],
    [{ type: 'string', pattern: '^a$', minLength: 2 }, 'valid', /^no value is valid/],
    [{ type: 'string', allOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'valid', /^no value is valid/],
    [
      { type: 'array', uniqueItems: true, items: { type: 'boolean' }, minItems: 3 },
      'valid',
      /^no value is valid/,
    ],
    [{ allOf: [{ type: 'string' }, { type: 'number' }] }, 'valid', /^no value is valid/],
    [{ enum: ['a', 'b'], type: 'integer' }, 'valid', /^no value is valid/],
    [{ oneOf: [true, true] }, 'valid', /^no value is valid/],
    [{ required: ['a'], properties: { a: false }, type: 'object' }, 'valid', /^no value is valid/],
    [{ required: ['a'], properties: { a: { $ref: '#' } }, type: 'object' }, 'valid', /^no value is valid/],
    [{ format: 'email' }, 'invalid', /^every value is valid/],
    [{ $ref: 'https://elsewhere.example/schema' }, 'valid', /points outside the schema/],
    [{ $ref: '#/$defs/none' }, 'valid', /does not point to a schema/],
    [{ $ref: '#none' }, 'invalid', /names an unknown anchor/],
    [{ $ref: '#' }, 'valid', /recurses infinitely/],
    [{ pattern: '(' }, 'valid', /regular expression/],
    [{ $schema: 'https://elsewhere.example/dialect' }, 'valid', /the dialect .* is not JSON Schema 2020-12/],
    [{ enum: [] }, 'valid', /^no value is valid/],
    [{ type: 'string', format: 'uuid', maxLength: 9 }, 'valid', /^no valid value was found/],
    [{ type: 'string', minLength: 10_000_000 }, 'valid', /^no valid value was found/],
    // Ajv finds `toString` in every object.
    [{ required: ['toString'] }, 'invalid', /contradict each other on all \d+ values/],
  ]
  test.each(reasons.map(row => [JSON.stringify(row[0]), row[1], row] as const))(
    '%s, %s',
    async (_text, _kind, row) => {
      const [schema, kind, reason] = row
      const sample = await sampleSchema(schema, { kind, count: 5, seed: 1 })
      expect('unsupported' in sample ? sample.unsupported : '').toMatch(reason)
    },
  )
})

describe('references to other documents', () => {
  const documents = {
    'https://other.example/dir/list.json': { type: 'array', items: { $ref: 'leaf.json' }, minItems: 1 },
    'https://other.example/dir/leaf.json': {
      $id: 'https://other.example/renamed',
      $ref: '#leaf',
      $defs: defs(),
    },
  }
  function defs() {
    return { l: { $anchor: 'leaf', type: 'string', minLength: 2 } }
  }
  const schema = { $id: 'https://other.example/main', $ref: 'dir/list.json' }

  test('are followed into the documents that are passed in, and never fetched', async () => {
    const values = async (kind: 'valid' | 'invalid') => {
      const sample = await sampleSchema(schema, { kind, count: 30, seed: 1, documents })
      if ('unsupported' in sample) throw new Error(sample.unsupported)
      return sample.texts.map(text => JSON.parse(text))
    }
    const isRight = (value: unknown): boolean =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every(item => typeof item === 'string' && item.length > 1)
    expect((await values('valid')).filter(value => !isRight(value))).toEqual([])
    expect((await values('invalid')).filter(isRight)).toEqual([])
    expect(await sampleSchema(schema, { kind: 'valid', count: 1, seed: 1 })).toEqual({
      unsupported: 'the reference dir/list.json points outside the schema',
    })
  })
})

describe('if a validator does not accept a schema as written', () => {
  // Ajv overflows the stack on this; with its references resolved it is a string of at most two characters.
  const scopes = {
    $id: 'https://schema.example/base',
    $ref: 'first#/$defs/stuff',
    $defs: {
      first: { $id: 'first', $defs: { stuff: { $ref: 'second#/$defs/stuff' } } },
      second: {
        $id: 'second',
        $defs: {
          stuff: { $ref: 'third#/$defs/stuff' },
          length: { $dynamicAnchor: 'length', type: 'string', maxLength: 2 },
        },
      },
      third: {
        $id: 'third',
        $defs: {
          stuff: { $dynamicRef: '#length' },
          length: { $dynamicAnchor: 'length', maxLength: 3 },
        },
      },
    },
  }
  test('it gets the schema with its references resolved', async () => {
    const isShort = (text: string): boolean => {
      const value: unknown = JSON.parse(text)
      return typeof value === 'string' && [...value].length <= 2
    }
    expect((await texts(scopes, 'valid')).every(isShort)).toBe(true)
    expect((await texts(scopes, 'invalid')).some(isShort)).toBe(false)
  })
  test('every value violates an enum without members, which Ajv does not compile', async () => {
    expect(new Set(await texts({ enum: [] }, 'invalid')).size).toBe(40)
  })
  test('the meta-schema, which both validators already know, is sampled like any other', async () => {
    const meta = metaSchema('https://json-schema.org/draft/2020-12/schema') as Schema
    expect(new Set(await texts(meta, 'valid')).size).toBe(40)
  })
})

describe('samples avoid values on which careful validators disagree', () => {
  test('numbers that share a double with a large limit', async () => {
    const samples = await texts({ maximum: 18446744073709552000 }, 'valid')
    expect(samples.filter(text => Number(text) === 2 ** 64)).toEqual([])
  })
  test('characters that only some consider letters, white space or the end of a line', async () => {
    for (const pattern of ['^\\W$', '^[^\\w\\s]{2}$', '^\\s$'])
      expect(
        (await texts({ type: 'string', pattern }, 'valid')).filter(text =>
          /[\p{L}\p{N}\ufeff]/u.test(JSON.parse(text)),
        ),
      ).toEqual([])
  })
})

test.each<readonly [Schema, 'valid' | 'invalid']>([
  [{}, 'valid'],
  [{ type: 'integer' }, 'valid'],
  [{ type: 'object' }, 'valid'],
  [{ type: 'array', items: { type: 'integer' } }, 'valid'],
  [{ type: 'string', pattern: '^[ab]{5,}$' }, 'valid'],
  [{ type: 'string', format: 'date-time' }, 'valid'],
  [{ multipleOf: 0.01, type: 'number' }, 'valid'],
  [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, 'invalid'],
  [{ const: 1 }, 'invalid'],
  [{ type: 'integer', minimum: 3, maximum: 4 }, 'invalid'],
])('%j gives as many different %s values as requested', async (schema, kind) => {
  for (const count of [1, 50, 500]) expect(new Set(await texts(schema, kind, count)).size).toBe(count)
})
