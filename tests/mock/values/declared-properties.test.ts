/** Made-up objects have the properties that the document declares, and no others. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const object = (properties: object, rest: object = {}): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...rest,
})
const card = object({ type: { const: 'card' }, last4: text })
const invoice = object({ type: { const: 'invoice' }, due: text }, { additionalProperties: true })
const nested = object({
  payment: { oneOf: [card, object({ type: { const: 'gift' }, to: object({ name: text }) })] },
})
const schemas = {
  Base: object({ id: text }),
  Payment: { oneOf: [card, invoice], discriminator: { propertyName: 'type' } },
  Order: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      object({ payment: { $ref: '#/components/schemas/Payment' }, hits: { type: 'array', items: nested } }),
    ],
  },
  Branched: { type: 'object', properties: { a: text }, anyOf: [object({ b: text }), object({ c: number })] },
  Counts: {
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 1, maximum: 9 },
    minProperties: 1,
  },
}

const declared = ['id', 'payment', 'hits', 'type', 'last4', 'due', 'to', 'name', 'a', 'b', 'c']

/** All names of properties in a value. */
const namesIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(namesIn)]

test('in alternatives, combined schemas and open objects as well', async () => {
  const paths = Object.fromEntries(
    Object.keys(schemas).map(name => [
      `/${name}/{n}`,
      {
        get: {
          parameters: [{ name: 'n', in: 'path', required: true, schema: text }],
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
            },
          },
        },
      },
    ]),
  )
  const contract = await loadContract({
    from: writeDocument('open.json', documentWith(paths, { components: { schemas } })),
  })
  const mock = await startMock({ contract })
  const found = new Set<string>()
  for (const name of ['Order', 'Branched', 'Payment'])
    for (let n = 0; n < 24; n++)
      for (const each of namesIn(jsonOf(await send(mock, { method: 'GET', path: `/${name}/${n}` }))))
        found.add(each)
  expect([...found].filter(name => !declared.includes(name))).toEqual([])
  expect([...found].sort()).toEqual([...declared].sort())
  // A map has names that no document declares.
  expect(Object.keys(jsonOf(await send(mock, { method: 'GET', path: '/Counts/1' })) as object)).not.toEqual(
    [],
  )
})

test('they have the order of the document, together with what was sent', async () => {
  const item = object({
    title: text,
    sent: text,
    about: object({ to: text, from: text }),
    id: { type: 'integer' },
  })
  const paths = {
    '/a': {
      get: {
        parameters: [{ name: 'sent', in: 'query', schema: text }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: item } } } },
      },
    },
  }
  const mock = await startMock({
    contract: await loadContract({ from: writeDocument('order.json', documentWith(paths)) }),
  })
  const value = jsonOf(await send(mock, { method: 'GET', path: '/a?sent=x' })) as { readonly about: object }
  expect(Object.keys(value)).toEqual(['title', 'sent', 'about', 'id'])
  expect(Object.keys(value.about)).toEqual(['to', 'from'])
})
