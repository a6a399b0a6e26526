import { expect, test } from 'vitest'
import { fc } from '../../generator/draw/fast-check.ts'
import { compileGenerator, type Schema } from '../../generator/index.ts'
import { isUnsupported } from '../../generator/read/unsupported.ts'
import type { Json } from '../../spec/json/json.ts'
import { compileSchema } from '../../spec/schema/validator.ts'

type Shape = {
  readonly shared: readonly string[]
  readonly optional: readonly string[]
  readonly alternatives: number
  /** What tells the alternatives apart: a constant, a reference to one, or a required property of their own. */
  readonly by: 'const' | 'reference' | 'property'
  readonly nested: boolean
}

const nullable = { anyOf: [{ type: 'number' }, { type: 'null' }] }
const name = (index: number): string => `Alternative${index}`

/** A union as frameworks write it, with a discriminator that was read as `required`. */
const documentOf = ({ shared, optional, alternatives, by, nested }: Shape) => {
  const own = (index: number): string => (by === 'property' ? `own${index}` : 'kind')
  const mark = (index: number): Schema =>
    by === 'const'
      ? { const: name(index) }
      : by === 'reference'
        ? { $ref: `#/components/schemas/Kind${index}` }
        : { type: 'string' }
  const indexes = Array.from({ length: alternatives }, (_, index) => index)
  const oneOf = indexes.map(index => ({
    allOf: [{ $ref: `#/components/schemas/${name(index)}` }, { required: [own(index)] }],
  }))
  const schemas: Record<string, Schema> = {
    Union: nested ? { type: 'object', required: ['in'], properties: { in: { oneOf } } } : { oneOf },
  }
  for (const index of indexes) {
    schemas[`Kind${index}`] = { type: 'string', enum: [name(index)] }
    schemas[name(index)] = {
      type: 'object',
      properties: {
        ...Object.fromEntries(shared.map(key => [key, { type: 'string' }])),
        ...Object.fromEntries(optional.map(key => [key, nullable])),
        [own(index)]: mark(index),
      },
      required: [...shared, own(index)],
    }
  }
  return { root: { openapi: '3.1.0', components: { schemas } }, required: [...shared, own(0)] }
}

const properties = (prefix: string) =>
  fc.nat({ max: 6 }).map(count => Array.from({ length: count }, (_, index) => `${prefix}${index}`))

test('for all unions of objects: the simplest value is the first alternative with its required properties only', () => {
  fc.assert(
    fc.property(
      fc.record<Shape>({
        shared: properties('shared'),
        optional: properties('optional'),
        alternatives: fc.integer({ min: 2, max: 7 }),
        by: fc.constantFrom('const', 'reference', 'property'),
        nested: fc.boolean(),
      }),
      shape => {
        const { root, required } = documentOf(shape)
        const reference = { $ref: '#/components/schemas/Union' }
        const { valid, boundaries } = compileGenerator(reference, root)
        expect(isUnsupported(valid)).toBe(false)
        const [first] = boundaries as readonly (Json & { readonly in?: object })[]
        expect(Object.keys((shape.nested ? first?.in : first) ?? {})).toEqual(required)
        const problems = compileSchema({ ...root, ...reference })
        if (!isUnsupported(valid))
          for (const value of fc.sample(valid, { seed: 1, numRuns: 5 })) expect(problems(value)).toEqual([])
      },
    ),
    { numRuns: 25 },
  )
})

test('if it is too much to work out what rules out the other alternatives, values are guessed and checked', () => {
  const texts = { type: 'array', items: { type: 'string' } }
  const shared = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`shared${index}`, texts]))
  const schema = {
    oneOf: ['string', 'integer', 'boolean', 'null'].map(type => ({
      type: 'object',
      required: [...Object.keys(shared), 'own'],
      properties: { ...shared, own: { type: 'array', items: { type } } },
    })),
  }
  const { valid } = compileGenerator(schema)
  if (isUnsupported(valid)) throw new Error(valid.unsupported)
  const problems = compileSchema(schema)
  for (const value of fc.sample(valid, { seed: 1, numRuns: 20 })) expect(problems(value)).toEqual([])
})

test('what was not worked out inside a required property is not called impossible', () => {
  const schema = {
    type: 'object',
    required: ['in'],
    properties: { in: { minLength: 3_000_000, type: 'string' } },
  }
  expect(compileGenerator(schema).valid).toEqual({
    unsupported: 'no value was found: the schema is too complex',
  })
})

test('every alternative has values, even if some are easier to tell from the others', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`shared${index}`, { type: 'string' }]),
  )
  const alternative = (own: string, schema: Schema) => ({
    type: 'object',
    required: [...Object.keys(texts), own],
    properties: { ...texts, optional: nullable, [own]: schema },
  })
  const oneOf = [
    ...['string', 'integer', 'boolean', 'object', 'array', 'null'].map(type => alternative('own', { type })),
    alternative('kind', { const: 'easy' }),
  ]
  const { valid } = compileGenerator({ oneOf })
  if (isUnsupported(valid)) throw new Error(valid.unsupported)
  const values = fc.sample(valid, { seed: 1, numRuns: 200 })
  expect(oneOf.map(schema => values.some(value => compileSchema(schema)(value).length === 0))).toEqual(
    oneOf.map(() => true),
  )
})
