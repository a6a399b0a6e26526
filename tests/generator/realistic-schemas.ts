import { fc } from '../../generator/draw/fast-check.ts'
import type { SchemaObject } from '../../generator/index.ts'

const names = fc.constantFrom('id', 'name', 'kind', 'x_1', 'a/b', '', 'ünï', '$ref', 'toString')
const patterns = fc.constantFrom(
  ...['^[a-z]+$', '^\\d{3}-\\d{4}$', '^\\S+$', '[aeiou]{2}', '^.{2,5}$', '^\\p{L}+$', '^x-', '^(?!test).*$'],
  ...['^\\w+(?=\\d)', '^$|^a', '(?<=-)\\d$'],
)
const formats = fc.constantFrom(
  ...[
    'date',
    'time',
    'date-time',
    'email',
    'uri',
    'uuid',
    'ipv4',
    'ipv6',
    'hostname',
    'duration',
    'json-pointer',
  ],
  'unheard-of',
)
const number = (limits: readonly number[], steps: readonly number[]) =>
  some({ minimum: fc.constantFrom(...limits), multipleOf: fc.constantFrom(...steps) })
const some = (keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(keywords, { requiredKeys: [], noNullPrototype: true })
const typed = (type: string, keywords: fc.Arbitrary<object> = fc.constant({})) =>
  keywords.map((more): SchemaObject => ({ type, ...more }))
const list = (item: fc.Arbitrary<SchemaObject>) => fc.array(item, { minLength: 2, maxLength: 3 })

const leaves: fc.Arbitrary<SchemaObject> = fc.oneof(
  typed(
    'string',
    some({ minLength: fc.nat(4), maxLength: fc.integer({ min: 4, max: 9 }), pattern: patterns }),
  ),
  typed(
    'string',
    formats.map(format => ({ format })),
  ),
  typed('integer', number([-50, 0, 9], [2, 5, 10])),
  typed('number', number([-1.5, 0, 0.1], [0.01, 0.25, 3])),
  typed('boolean'),
  fc.constantFrom<SchemaObject>({ enum: ['oak', 2, null] }, { $ref: '#/$defs/tree' }, {}),
)

/** Schemas as people write them: records, lists, tagged unions, closed inheritance, conditions. */
export const realisticSchemas: fc.Arbitrary<SchemaObject> = fc
  .letrec<{ schema: SchemaObject; object: SchemaObject; rest: SchemaObject }>(tie => {
    const member = tie('schema')
    const object = tie('object')
    return {
      schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaves, object, tie('rest')),
      object: fc
        .tuple(
          fc.dictionary(names, member, { maxKeys: 4, noNullPrototype: true }),
          fc.nat(15),
          fc.constantFrom({}, {}, { additionalProperties: false }, { minProperties: 2 }),
        )
        .map(([properties, mask, more]) => ({
          type: 'object',
          properties,
          required: Object.keys(properties).filter((_, at) => (mask >> at) & 1),
          ...more,
        })),
      rest: fc.oneof(
        fc
          .tuple(member, some({ minItems: fc.nat(2), uniqueItems: fc.boolean(), contains: member }))
          .map(([items, more]) => ({ type: 'array', items, ...more })),
        list(member).map(anyOf => ({ anyOf })),
        list(object).map(objects => ({ oneOf: objects.map(tagged) })),
        list(object).map(objects => ({ allOf: objects.map(open), unevaluatedProperties: false })),
        fc
          .tuple(object, names, object, object)
          .map(([base, name, then, other]) => ({ ...base, if: { required: [name] }, then, else: other })),
        fc.tuple(member, member).map(([base, not]) => ({ ...base, not })),
      ),
    }
  })
  .schema.map(schema => ({ ...schema, $defs: { tree } }))

const tree = {
  type: 'object',
  required: ['v'],
  properties: { v: { type: 'integer' }, near: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  additionalProperties: false,
}

const tagged = (schema: SchemaObject, tag: number): SchemaObject => ({
  ...schema,
  properties: { ...(schema.properties as object), tag: { const: tag } },
  required: [...(schema.required as readonly string[]), 'tag'],
})

const open = ({ type, properties, required }: SchemaObject): SchemaObject => ({ type, properties, required })
