/** Values of the user's own: `x-faker` in the document, and functions. */
import { de, en, Faker } from '@faker-js/faker'
import { expect, test } from 'vitest'
import type { MockOptions } from '../../../mock/index.ts'
import { header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const text = { type: 'string' }
const shop = {
  '/products/{id}': {
    get: {
      operationId: 'getProduct',
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      responses: {
        200: {
          description: 'ok',
          headers: {
            ETag: { required: true, schema: text },
            'Set-Cookie': { schema: text },
            'Last-Modified': { schema: text },
            Link: { schema: text, example: '</a>; rel="next"' },
            'Content-Language': { schema: { ...text, enum: ['fr'] } },
          },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } },
        },
      },
    },
  },
}
const schemas = {
  Product: {
    allOf: [
      {
        type: 'object',
        required: ['id', 'sku', 'maker', 'size', 'city', 'odd'],
        properties: { id: text, sku: { ...text, pattern: '^P-[0-9]+$' }, maker: text, odd: text },
      },
      {
        type: 'object',
        properties: {
          size: { type: 'integer', 'x-faker': { 'number.int': { min: 40, max: 42 } } },
          city: { ...text, 'x-faker': 'location.city' },
          odd: { ...text, 'x-faker': 'nothing.atAll' },
        },
      },
    ],
  },
}

const start = async (options: MockOptions = {}) => {
  const warnings: string[] = []
  const from = writeDocument('shop.json', documentWith(shop, { components: { schemas } }))
  const contract = await loadContract({ from })
  const mock = await startMock({ contract, warn: message => warnings.push(message), ...options })
  const get = async (id: string) => {
    const response = await send(mock, { method: 'GET', path: `/products/${id}` })
    return { ...response, product: jsonOf(response) as Readonly<Record<string, string | number>> }
  }
  return { mock, warnings, get }
}

test('x-faker names the method of faker, with its arguments', async () => {
  const { get, warnings } = await start()
  const all = await Promise.all(['a', 'b', 'c', 'd'].map(async id => (await get(id)).product))
  const cities = Object.values(
    (await import('@faker-js/faker/locale/en')).faker.rawDefinitions.location?.city_name ?? {},
  )
  expect(cities.length).toBeGreaterThan(100)
  for (const { size, city } of all) {
    expect([40, 41, 42]).toContain(size)
    expect(city).toMatch(/^\p{Lu}/u)
  }
  expect(new Set(all.map(({ city }) => city)).size).toBeGreaterThan(1)
  expect(warnings).toEqual([
    expect.stringMatching(
      /^x-faker at .*shop\.json:\d+: faker has no nothing\.atAll; the mock does not use it$/,
    ),
  ])
})

test('functions give the values of schemas and of properties, and the contract judges them', async () => {
  const { get, warnings } = await start({
    values: {
      'Product.sku': ({ seed }) => `P-${seed % 1000}`,
      'Product.city': () => 7,
      Product: ({ value }) => ({ ...(value as object), maker: 'Ours' }),
    },
  })
  const { product } = await get('x1')
  expect(product).toMatchObject({ id: 'x1', sku: expect.stringMatching(/^P-\d{1,3}$/), maker: 'Ours' })
  expect(product.city).toBeTypeOf('string')
  expect((await get('x1')).product).toEqual(product)
  expect(warnings).toContainEqual(
    'the value of Product.city gives 7: it must be a string; the mock does not use it',
  )
})

test('a function with the name of an operation answers it', async () => {
  const { get } = await start({
    values: {
      getProduct: ({ path }: { path: { id: string } }) => ({
        id: path.id,
        sku: 'P-1',
        maker: 'm',
        odd: 'o',
        size: 1,
        city: 'c',
      }),
    } as never,
  })
  expect((await get('x9')).product).toMatchObject({ id: 'x9', maker: 'm' })
})

test('a faker of another locale takes the place of the English one', async () => {
  const { get } = await start({ values: { faker: new Faker({ locale: [de, en] }) } })
  const cities = await Promise.all([...Array(12).keys()].map(async id => (await get(`${id}`)).product.city))
  const german = new Set(de.location?.city_name)
  expect(cities.filter(city => german.has(String(city))).length).toBeGreaterThan(0)
})

test.each([
  [
    { Produkt: () => 1 },
    'no document has a schema, a property of one or an operation Produkt (did you mean Product?)',
  ],
  [{ Product: 'x' as never }, 'the value of Product must be a function'],
])('%j is refused', async (values, message) => {
  await expect(start({ values })).rejects.toThrow(message)
})

test('well-known headers follow their grammar, and examples come first', async () => {
  const { get } = await start()
  const { headers } = await get('a')
  expect(header(headers, 'etag')).toMatch(/^"[0-9a-f]{16}"$/)
  expect(header(headers, 'set-cookie') ?? 'session=1; Path=/').toMatch(/^session=[0-9a-f]+; Path=\//)
  expect(header(headers, 'last-modified')).toMatch(/^\w{3}, \d\d \w{3} 2024 \d\d:\d\d:\d\d GMT$/)
  expect(header(headers, 'link')).toBe('</a>; rel="next"')
  expect(header(headers, 'content-language')).toBe('fr')
})
