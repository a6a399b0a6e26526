import { expect, test } from 'vitest'
import { boundedSchemas } from '../../../mock/values/bounded-schemas.ts'
import { isObject, loadContract, placesOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const reference = (index: number, count: number) => ({ $ref: `#/components/schemas/T${index % count}` })

/** Schemas that all refer to each other, in every way that may be left out. */
const ring = (count: number, links: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `T${index}`,
      {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          list: { type: 'array', items: reference(index + 1, count) },
          map: { type: 'object', additionalProperties: reference(index + 2, count) },
          either: { anyOf: [reference(index + 3, count), { type: 'integer' }] },
          ...Object.fromEntries(
            Array.from({ length: links }, (_, link) => [`link${link}`, reference(index + link, count)]),
          ),
        },
      },
    ]),
  )

const answering = (schemas: object): string =>
  documentWith(
    {
      '/a': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/T0' } } },
            },
          },
        },
      },
    },
    { components: { schemas } },
  )

test('references in what is no schema leave the document as it is', async () => {
  const T0 = {
    type: 'object',
    required: ['next'],
    properties: {
      next: {
        anyOf: [{ type: 'string' }, reference(0, 1)],
        'x-more': { oneOf: [reference(0, 1)] },
        default: { $ref: '#/components/schemas/T0' },
      },
    },
    'x-all': [reference(0, 1)],
  }
  const contract = await loadContract({ from: writeDocument('extended.json', answering({ T0 })) })
  const before = JSON.stringify(contract.document)
  const mock = await startMock({ contract })
  for (const seed of ['a', 'b']) {
    const headers = { Prefer: `dynamic, seed=${seed}` }
    expect((await send(mock, { method: 'GET', path: '/a', headers })).status).toBe(200)
  }
  expect(JSON.stringify(contract.document)).toBe(before)
})

test('schemas that allow 30,000 of everything give small values', async () => {
  const most = { type: 'array', maxItems: 32_767 }
  const T0 = {
    type: 'object',
    required: ['lists', 'map', 'text'],
    properties: {
      lists: {
        ...most,
        items: { ...most, items: { ...most, items: { type: 'string', maxLength: 32_767 } } },
      },
      map: {
        type: 'object',
        minProperties: 1,
        maxProperties: 32_767,
        additionalProperties: { type: 'integer' },
      },
      text: { type: 'string', maxLength: 32_767 },
      few: { ...most, minItems: 7, items: { type: 'integer' } },
    },
  }
  const contract = await loadContract({ from: writeDocument('large.json', answering({ T0 })) })
  const mock = await startMock({ contract })
  const { status, body } = await send(mock, { method: 'GET', path: '/a' })
  expect(status).toBe(200)
  expect(body.length).toBeLessThan(100_000)
})

test.each([
  [1, 6],
  [10, 5],
  [60, 8],
])(
  '%i schemas with %i references to each other are answered at once, with a value that conforms',
  async (count, links) => {
    const contract = await loadContract({ from: writeDocument('ring.json', answering(ring(count, links))) })
    const warnings: string[] = []
    const mock = await startMock({ contract, warn: warning => void warnings.push(warning) })
    const began = performance.now()
    const value = jsonOf(await send(mock, { method: 'GET', path: '/a' }))
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(isObject(value) && typeof value.name).toBe('string')
    expect(contract.responses.schemas.validator('/components/schemas/T0')(value)).toEqual([])
    expect(warnings).toEqual([])
  },
)

test('a document whose values are small stays as it is', async () => {
  const schemas = { T0: { type: 'object', properties: { next: reference(0, 1), size: { type: 'integer' } } } }
  const document = { components: { schemas } }
  expect(boundedSchemas(document, ['/components/schemas/T0'])).toBe(document)
})

test('what is required stays, also if the values then have no end', () => {
  const schemas = {
    T0: {
      type: 'object',
      required: ['next'],
      properties: {
        next: reference(0, 1),
        ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, reference(0, 1)])),
      },
    },
  }
  const document = { components: { schemas } }
  const bounded = boundedSchemas(document, ['/components/schemas/T0'])
  expect(placesOf(bounded, '/components/schemas/T0').properties).toEqual(['next'])
})
