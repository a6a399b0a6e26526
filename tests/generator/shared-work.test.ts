/** What the schemas of a document share is worked out once, and changes no value. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDistinct } from '../../generator/draw/string-plan.ts'
import { compileGenerator, createSampler } from '../../generator/index.ts'
import { canonical, type Json } from '../../spec/index.ts'
import { contracts } from '../spec/contracts.ts'

const valuesOf = (schema: string, document: object) => {
  const { valid, boundaries } = compileGenerator({ $ref: `#${encodeURI(schema)}` }, document)
  if ('unsupported' in valid) return valid
  const sample = createSampler(valid, 1, schema)
  return { boundaries, samples: Array.from({ length: 8 }, (_, index) => sample(index)) }
}

test.each(Object.keys(contracts) as (keyof typeof contracts)[])(
  'the schemas of %s have the same values together as each alone, in any order',
  name => {
    const { operations, requests } = contracts[name]
    const schemas = operations.flatMap(({ body }) => body?.media.flatMap(({ schema }) => schema ?? []) ?? [])
    const alone = schemas.map(schema => valuesOf(schema, structuredClone(requests.document)))
    const document = structuredClone(requests.document)
    expect(schemas.map(schema => valuesOf(schema, document))).toEqual(alone)
    const other = structuredClone(requests.document)
    expect(
      schemas
        .toReversed()
        .map(schema => valuesOf(schema, other))
        .reverse(),
    ).toEqual(alone)
  },
)

const alternatives = {
  $defs: {
    leaf: { oneOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }, { $ref: '#/$defs/tree' }] },
    tree: {
      type: 'object',
      properties: {
        left: { $ref: '#/$defs/leaf' },
        right: { $ref: '#/$defs/leaf' },
        kind: { enum: ['a', 'b'] },
      },
      anyOf: [{ required: ['left'] }, { required: ['kind'] }],
    },
  },
}

test('alternatives that refer to themselves have the same values together as each alone', () => {
  const names = ['/$defs/leaf', '/$defs/tree']
  const alone = names.map(name => valuesOf(name, structuredClone(alternatives)))
  const together = structuredClone(alternatives)
  expect(names.map(name => valuesOf(name, together))).toEqual(alone)
  expect(names.map(name => valuesOf(name, together))).toEqual(alone)
})

test('values that come again are left out, whatever they share', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
  fc.assert(
    fc.property(fc.array(json), fc.array(fc.nat()), (values, again) => {
      const all = [...values, ...again.map(index => values[index % Math.max(1, values.length)] ?? null)]
      const texts = [...createDistinct()(all)].map(canonical)
      expect(texts).toEqual([...new Set(all.map(canonical))])
    }),
  )
})
