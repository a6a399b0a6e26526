import { fc } from '../../generator/draw/fast-check.ts'
import type { SchemaObject } from '../../generator/index.ts'

const types = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const
const name = fc.constantFrom('a', 'b', 'c', 'foo')
const small = fc.integer({ min: 0, max: 4 })
const value = fc.constantFrom<unknown>(-3, 0, 1, 2, 5, 1.5, '', 'a', 'abc', null, true, [], {}, [1], { a: 1 })
const named = <Item>(item: fc.Arbitrary<Item>, names: fc.Arbitrary<string> = name) =>
  fc.dictionary(names, item, { maxKeys: 3, noNullPrototype: true })

const keywordsOf = (schema: fc.Arbitrary<unknown>): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  type: fc.oneof(
    fc.constantFrom(...types),
    fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
  ),
  enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: item => JSON.stringify(item) }),
  const: value,
  minimum: small,
  maximum: small,
  exclusiveMinimum: small,
  exclusiveMaximum: small,
  multipleOf: fc.constantFrom(1, 2, 3, 0.5),
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom('^a', 'b$', '^[a-c]{2}$', '\\d', '^(?!x)', '.'),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  items: schema,
  prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }),
  contains: schema,
  minContains: small,
  maxContains: small,
  properties: named(schema),
  required: fc.uniqueArray(name, { maxLength: 2 }),
  additionalProperties: schema,
  patternProperties: named(schema, fc.constantFrom('^a', 'o', '.')),
  propertyNames: schema,
  minProperties: small,
  maxProperties: small,
  dependentRequired: named(fc.uniqueArray(name, { maxLength: 2 })),
  dependentSchemas: named(schema),
  allOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
  anyOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
  oneOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schema,
  else: schema,
  unevaluatedProperties: schema,
  unevaluatedItems: schema,
  $ref: fc.constantFrom('#', '#/$defs/x'),
})

/** Schemas of a few keywords each; some contradict themselves, some refer to themselves. */
export const randomSchemas = fc
  .letrec(tie => {
    const keywords = keywordsOf(tie('schema'))
    const some = fc.uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 4 }).chain(names =>
      fc.record(Object.fromEntries(names.map(key => [key, keywords[key] as fc.Arbitrary<unknown>])), {
        noNullPrototype: true,
      }),
    )
    return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), some), some }
  })
  .some.chain(main =>
    fc.constant(main).map(schema => ({ ...(schema as SchemaObject), $defs: { x: { type: 'string' } } })),
  )

export const randomValues = fc.oneof(
  value,
  fc.jsonValue({ maxDepth: 2 }),
  named(value),
  fc.array(value, { maxLength: 4 }),
)
