/** Overlapping alternatives of `oneOf`: only a value that fits two of them proves it. */
import { expect, test } from 'vitest'
import { overlapsIn } from '../../generator/index.ts'
import { writeJson } from '../../spec/index.ts'
import { contractOfBody, contracts } from '../spec/contracts.ts'

const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

const overlapsOf = async (schema: object, rest: object = {}) => {
  const contract = await contractOfBody(schema, rest)
  const { found, untried } = overlapsIn(contract)
  expect(untried).toBe(0)
  for (const { pointer, value } of found) {
    const union = pointer.slice(0, -'/oneOf'.length)
    const two = [contract.requests, contract.responses].some(({ schemas }) =>
      schemas
        .validator(union)(value)
        .some(({ at, detail }) => at === '' && detail === 'two'),
    )
    expect(two, `${pointer} ${writeJson(value)}`).toBe(true)
  }
  return found
}

test.each<readonly [string, object]>([
  ['integers are numbers', { oneOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'number' }] }],
  [
    'ranges',
    {
      oneOf: [
        { type: 'integer', maximum: 10 },
        { type: 'integer', minimum: 10 },
      ],
    },
  ],
  ['objects without a property of their own', { oneOf: [object({ a: text }), object({ b: text })] }],
  [
    'patterns',
    {
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: 'z$' },
      ],
    },
  ],
  ['an enum and any text', { oneOf: [{ enum: ['a', 'b'] }, { type: 'string', maxLength: 5 }] }],
  ['inside a property', object({ p: { oneOf: [text, { minLength: 3 }] } })],
])('found: %s', async (_name, schema) => {
  expect((await overlapsOf(schema)).length).toBeGreaterThan(0)
})

test.each<readonly [string, object]>([
  ['other types', { oneOf: [text, { type: 'integer' }, { type: 'array' }, { type: 'null' }] }],
  [
    'ranges apart',
    {
      oneOf: [
        { type: 'integer', maximum: 9 },
        { type: 'integer', minimum: 10 },
      ],
    },
  ],
  [
    'a constant in each',
    { oneOf: ['a', 'b'].map(kind => object({ kind: { const: kind } }, { required: ['kind'] })) },
  ],
  [
    'closed objects with other required properties',
    {
      oneOf: ['a', 'b'].map(name =>
        object({ [name]: text }, { required: [name], additionalProperties: false }),
      ),
    },
  ],
  [
    'what stands beside rules it out',
    { type: 'string', minLength: 6, oneOf: [{ enum: ['a', 'longer'] }, { maxLength: 3 }] },
  ],
  // It has a warning of its own.
  ['the same twice', { oneOf: [text, text] }],
])('none: %s', async (_name, schema) => {
  expect(await overlapsOf(schema)).toEqual([])
})

test('a discriminator tells alternatives apart', async () => {
  const schemas = {
    Cat: object({ kind: text, a: text }, { required: ['kind'] }),
    Dog: object({ kind: text, b: text }, { required: ['kind'] }),
  }
  const oneOf = ['Cat', 'Dog'].map(name => ({ $ref: `#/components/schemas/${name}` }))
  const rest = { components: { schemas } }
  expect(await overlapsOf({ oneOf, discriminator: { propertyName: 'kind' } }, rest)).toEqual([])
  expect(await overlapsOf({ oneOf }, rest)).toMatchObject([
    { fits: ['#/components/schemas/Cat', '#/components/schemas/Dog'] },
    { fits: ['#/components/schemas/Cat', '#/components/schemas/Dog'] },
  ])
})

test('the search ends, and says how many it has not tried', async () => {
  // Each pair of 60 alternatives is apart, but nothing simple shows it.
  const oneOf = Array.from({ length: 60 }, (_, index) => ({ type: 'string', pattern: `^${index}x` }))
  const contract = await contractOfBody(object({ a: { oneOf } }))
  const began = performance.now()
  const { found, untried } = overlapsIn(contract)
  expect(found).toEqual([])
  expect(untried).toBeGreaterThan(0)
  expect(performance.now() - began).toBeLessThan(20_000)
})

test('of the other documents only one has some', () => {
  const found = Object.values(contracts).flatMap(contract => overlapsIn(contract).found)
  expect(found.map(({ pointer }) => pointer)).toEqual([
    '/components/schemas/NewPayment/properties/note/oneOf',
  ])
})
