/** Responses that fit their requests, by rules that follow from the contract. */
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OperationDetails } from '../../../mock/console/messages.ts'
import { createMock, type Mock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { getJson } from '../console/call-console.ts'
import { call, get, type Instance, type Page, shop, startShop } from './shop.ts'

let mock: Mock
let all: readonly Instance[]
beforeAll(async () => {
  mock = await createMock({ contract: shop })
  all = (await get<Page>(mock, '/products?per_page=100')).items
  return () => mock.close()
})

const idsOf = (items: readonly Instance[]): readonly unknown[] => items.map(({ id }) => id)

describe('a list', () => {
  test('without parameters is the first page, with the declared defaults', async () => {
    const page = await get<Page>(mock, '/products')
    expect(page).toMatchObject({ page: 1, per_page: 20, total: all.length })
    expect(page.items).toEqual(all.slice(0, 20))
    expect(all.length).toBeGreaterThan(40)
  })

  test('walked page by page gives each item once, in the same order whatever the size of a page', async () => {
    const size = fc.integer({ min: 1, max: 100 })
    await fc.assert(
      fc.asyncProperty(size, async perPage => {
        const walked: Instance[] = []
        for (let page = 1; ; page++) {
          const { items, total, ...rest } = await get<Page>(
            mock,
            `/products?page=${page}&per_page=${perPage}`,
          )
          expect(rest).toEqual({ page, per_page: perPage })
          expect(total).toBe(all.length)
          if (items.length === 0) break
          walked.push(...items)
        }
        expect(walked).toEqual(all)
      }),
      { numRuns: 12, examples: [[1], [100]] },
    )
  })

  test('walked by its cursors gives each item once', async () => {
    const path = `/products/${all[0]?.id}/reviews`
    const whole = await get<{ data: readonly Instance[]; next_cursor: string | null }>(
      mock,
      `${path}?limit=50`,
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 50 }), async limit => {
        const walked: Instance[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const query: string = cursor === '' ? '' : `&cursor=${cursor}`
          const page: typeof whole = await get(mock, `${path}?limit=${limit}${query}`)
          expect(page.data.length).toBeLessThanOrEqual(limit)
          walked.push(...page.data)
          cursor = page.next_cursor
        }
        expect(walked.slice(0, 50)).toEqual(whole.data)
        expect(new Set(idsOf(walked)).size).toBe(walked.length)
      }),
      { numRuns: 8 },
    )
  })

  test('keeps a filter by listed values, and counts what is left', async () => {
    for (const category of ['herb', 'flower', 'tree']) {
      const page = await get<Page>(mock, `/products?category=${category}&per_page=100`)
      expect(page.items).toEqual(all.filter(item => item.category === category))
      expect(page.total).toBe(page.items.length)
      expect(page.items.length).toBeGreaterThan(5)
    }
  })

  test.each([
    ['price', 1],
    ['-price', -1],
  ])('is sorted by %s', async (sort, sign) => {
    const { items } = await get<Page>(mock, `/products?sort=${sort}&per_page=100`)
    const prices = items.map(({ price }) => Number(price))
    expect(prices).toEqual(prices.toSorted((left, right) => (left - right) * sign))
    expect(new Set(idsOf(items))).toEqual(new Set(idsOf(all)))
  })

  test('has names of its own for each item, also where the document has one example', async () => {
    expect(new Set(idsOf(all)).size).toBe(all.length)
    const { data } = await get<{ data: readonly Instance[] }>(mock, `/products/${all[0]?.id}/reviews`)
    expect(new Set(idsOf(data)).size).toBe(data.length)
    for (const { id } of data) expect(id).toMatch(/^rv_\d+$/)
    // Several examples take turns, and what is listed occurs.
    expect(data.slice(0, 4).map(({ author }) => author)).toEqual([
      'Ada Lovelace',
      'Grace Hopper',
      'Ada Lovelace',
      'Grace Hopper',
    ])
  })

  test('below a thing has its name in each item, and is another one for another thing', async () => {
    const [one, two] = all
    const reviews = async (id: unknown) =>
      (await get<{ data: readonly Instance[] }>(mock, `/products/${id}/reviews`)).data
    const ofOne = await reviews(one?.id)
    expect(ofOne.every(review => review.product_id === one?.id)).toBe(true)
    expect(idsOf(ofOne)).not.toEqual(idsOf(await reviews(two?.id)))
  })

  test('is another one for each preferred seed, each stable: more than 32', async () => {
    const first = async (seed: number): Promise<string> => {
      const { body } = await call<Page>(mock, 'GET /products?per_page=1', undefined, {
        Prefer: `seed=${seed}`,
      })
      return JSON.stringify(body.items)
    }
    const made = await Promise.all([...Array(100).keys()].map(first))
    expect(new Set(made).size).toBe(100)
    expect(await first(7)).toBe(made[7])
  })
})

describe('one thing', () => {
  test('is the one that the list has', async () => {
    for (const item of all.slice(0, 8)) expect(await get(mock, `/products/${item.id}`)).toEqual(item)
  })

  test('has the name that was asked for, and is the same each time', async () => {
    const id = '4b3d9c4e-2a52-4a0c-9a16-111111111111'
    const instance = await get(mock, `/products/${id}`)
    expect(instance.id).toBe(id)
    expect(await get(mock, `/products/${id}`)).toEqual(instance)
    const other = await createMock({ contract: shop })
    expect(await get(other, `/products/${id}`)).toEqual(instance)
    await other.close()
  })

  test('has believable values', async () => {
    for (const { price, quantity, currency, country, created_at, updated_at } of all) {
      expect(price).toSatisfy((value: number) => value >= 1 && value <= 500)
      expect(quantity).toSatisfy((value: number) => value >= 1 && value <= 20)
      expect(['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'CAD', 'AUD', 'PLN', 'DKK']).toContain(currency)
      expect(new Intl.DisplayNames('en', { type: 'region' }).of(String(country))).not.toBe(country)
      expect(String(updated_at) >= String(created_at)).toBe(true)
    }
  })

  test('is changed in the response to a change, and only there', async () => {
    const [item] = all
    const { body } = await call(mock, `PATCH /products/${item?.id}`, { price: 3, note: null })
    expect(body).toEqual({ ...item, price: 3, note: null })
    expect(await get(mock, `/products/${item?.id}`)).toEqual(item)
  })

  test('that is created has a Location which leads to its name', async () => {
    const { status, headers, body } = await call(mock, 'POST /products', { name: 'Fern', price: 3 })
    expect([status, body.name, body.price]).toEqual([201, 'Fern', 3])
    expect(headers.get('location')).toBe(`/products/${body.id}`)
    expect((await get(mock, headers.get('location') ?? '')).id).toBe(body.id)
  })
})

describe('documents', () => {
  const instance = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  }
  const answer = (schema: object, rest: object = {}, headers: object = {}) => ({
    200: { description: 'ok', headers, content: { 'application/json': { schema, ...rest } } },
  })
  const query = (...names: readonly string[]) =>
    names.map(name => ({
      name,
      in: 'query',
      schema: { type: 'integer', minimum: 0, default: name === 'offset' ? 0 : 4 },
    }))
  const contractOf = (paths: object) =>
    loadContract({ from: writeDocument('things.json', documentWith(paths)) })

  test('takes a page and a size that the document calls a number, with a fraction or below zero', async () => {
    const query = ['page', 'size'].map(name => ({ name, in: 'query', schema: { type: 'number' } }))
    const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
    const contract = await contractOf({
      '/beers': { get: { operationId: 'list', parameters: query, responses: answer(list) } },
    })
    const beers = await startShop({ contract })
    const first = await get<readonly Instance[]>(beers, '/beers?page=1&size=3')
    expect(first).toHaveLength(3)
    expect(await get(beers, '/beers?page=1.9&size=3.14')).toEqual(first)
    expect(await get(beers, '/beers?page=-2.5&size=-0.5')).toEqual([])
    expect(await get(beers, '/beers?page=1e300&size=1e300')).toEqual([])
  })

  test('with an example: its items come first, and their number is that of the example', async () => {
    const example = {
      total: 9,
      items: [
        { id: 70, name: 'Ada' },
        { id: 7, name: 'Bo' },
      ],
    }
    const list = {
      type: 'object',
      properties: { total: { type: 'integer' }, items: { type: 'array', items: instance } },
    }
    const contract = await contractOf({
      '/things': {
        get: {
          operationId: 'list',
          parameters: query('offset', 'limit'),
          responses: answer(list, { example }),
        },
      },
      '/things/{thingId}': {
        get: {
          operationId: 'read',
          parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: answer(instance),
        },
      },
    })
    const instances = await startShop({ contract })
    expect(await get(instances, '/things')).toEqual(example)
    const { total, items } = await get<Page>(instances, '/things?limit=100')
    expect([total, items.length, items.slice(0, 2)]).toEqual([9, 9, example.items])
    expect((await get<Page>(instances, '/things?limit=3&offset=7')).items).toEqual(items.slice(7))
    for (const item of items) expect(await get(instances, `/things/${item.id}`)).toEqual(item)
  })

  test('with a bare list and headers: Link leads on, and the total agrees', async () => {
    const headers = { 'X-Total-Count': { schema: { type: 'integer' } }, Link: { schema: { type: 'string' } } }
    const contract = await contractOf({
      '/things': {
        get: {
          operationId: 'list',
          parameters: query('offset', 'limit'),
          responses: answer({ type: 'array', items: instance }, {}, headers),
        },
      },
    })
    const instances = await startShop({ contract })
    const walked: Instance[] = []
    let next: string | undefined = `${instances.url}/things?limit=7`
    let total = ''
    while (next !== undefined) {
      const response: Response = await fetch(next)
      walked.push(...((await response.json()) as Instance[]))
      total = response.headers.get('x-total-count') ?? ''
      next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(walked).toHaveLength(Number(total))
    expect(idsOf(walked)).toEqual([...Array(Number(total)).keys()].map(index => index + 1))
  })

  test('with an envelope, links and a name of another kind: all of them fit', async () => {
    const faction = { type: 'object', required: ['symbol'], properties: { symbol: { type: 'string' } } }
    const links = {
      type: 'object',
      required: ['self'],
      properties: { self: { type: 'string' }, next: { type: 'string' }, prev: { type: 'string' } },
    }
    const envelope = (data: object) => ({
      type: 'object',
      required: ['data', 'links'],
      properties: { data, links, hasMore: { type: 'boolean' } },
    })
    const contract = await contractOf({
      '/factions': {
        get: {
          operationId: 'list',
          parameters: query('limit').concat([
            { name: 'page', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
          ]),
          responses: answer(envelope({ type: 'array', items: faction })),
        },
      },
      '/factions/{factionSymbol}': {
        get: {
          operationId: 'read',
          parameters: [
            {
              name: 'factionSymbol',
              in: 'path',
              required: true,
              schema: { type: 'string', pattern: '^[a-z]{4}[0-9]{3}$' },
            },
          ],
          responses: answer({ type: 'object', required: ['data'], properties: { data: faction } }),
        },
      },
    })
    type List = { data: readonly Instance[]; links: Record<string, string>; hasMore: boolean }
    const mock = await startShop({ contract })
    const first = await get<List>(mock, '/factions?limit=5')
    expect(first.links).toEqual({
      self: `${mock.url}/factions?limit=5`,
      next: `${mock.url}/factions?limit=5&page=1`,
    })
    const second = (await (await fetch(first.links.next ?? '')).json()) as List
    expect([first.hasMore, second.data.length, second.links.prev]).toEqual([
      true,
      5,
      `${mock.url}/factions?limit=5&page=0`,
    ])
    for (const { symbol } of [...first.data, ...second.data]) {
      expect(symbol).toMatch(/^[a-z]{4}[0-9]{3}$/)
      expect(await get(mock, `/factions/${symbol}`)).toEqual({ data: { symbol } })
    }
  })

  test('whose names say nothing: a setting names the rule, and another one switches it off', async () => {
    const contract = await contractOf({
      '/things': {
        get: {
          operationId: 'list',
          parameters: query('n', 'limit'),
          responses: answer({ type: 'array', items: instance }),
        },
      },
    })
    const lengthOf = async (rules: Readonly<Record<string, string>>, path: string): Promise<number> =>
      (await get<readonly Instance[]>(await startShop({ contract, rules }), path)).length
    expect(await lengthOf({}, '/things?limit=3')).toBe(3)
    expect(await lengthOf({ 'list.n': 'size', 'list.limit': 'off' }, '/things?n=5&limit=3')).toBe(5)
    expect(await lengthOf({ '*.n': 'offset' }, '/things?n=2&limit=3')).toBe(3)
    await expect(createMock({ contract, rules: { 'list.m': 'size' } })).rejects.toThrow(
      'no document has a parameter list.m (did you mean list.n?)',
    )
    await expect(createMock({ contract, rules: { 'list.n': 'lenght' } })).rejects.toThrow(
      'the rule list.n=lenght must be one of size, page, offset, cursor, sort, direction, filter, off, or filter:PROPERTY',
    )
    await expect(createMock({ contract, rules: { 'list.n': 'filter:nam' } })).rejects.toThrow(
      'the rule list.n=filter:nam: the items of list have no property nam',
    )
  })
})

test('the rules are told in one sentence each: by the console, a route and the mount', async () => {
  const { rules } = await getJson<OperationDetails>(mock, 'contract/listProducts')
  expect(rules).toEqual([
    '`page` is the number of the page that `items` gives',
    '`per_page` sets the length of `items`',
    '`category` selects the items of `items` by `category`',
    '`sort` names the property by which `items` is sorted',
    '`total` is the number of all items of `items`',
    'getProduct gives the same resource for the `id` of an item of `items`',
  ])
  expect(await getJson(mock, 'rules')).toEqual(mock.rules)
  expect(mock.rules.getProduct).toEqual(['`productId` is the `id` of what is given'])
  expect((await startShop({ rules: { 'listProducts.*': 'off' } })).rules.listProducts).toBeUndefined()
})

test('what a response has in another form than its request does not take the rest of what was sent with it', async () => {
  const object = { type: 'object', required: ['login'], properties: { login: { type: 'string' } } }
  const issue = {
    type: 'object',
    required: ['id', 'assignees', 'milestone'],
    properties: {
      id: { type: 'integer' },
      assignees: { type: 'array', items: object },
      milestone: object,
    },
  }
  const change = {
    type: 'object',
    properties: {
      assignees: { type: 'array', items: { type: 'string' } },
      milestone: { type: 'integer' },
    },
  }
  const ok = (schema: object) => ({
    200: { description: 'ok', content: { 'application/json': { schema } } },
  })
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
  const contract = await loadContract({
    from: writeDocument(
      'issues.json',
      documentWith({
        '/issues': { get: { responses: ok({ type: 'array', items: issue }) } },
        '/issues/{id}': {
          parameters,
          get: { responses: ok(issue) },
          patch: {
            requestBody: { content: { 'application/json': { schema: change } } },
            responses: ok(issue),
          },
        },
      }),
    ),
  })
  const issues = await startMock({ contract })
  const response = await fetch(`${issues.url}/issues/7`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"assignees":[],"milestone":0}',
  })
  expect(await response.json()).toMatchObject({
    id: 7,
    assignees: [],
    milestone: { login: expect.any(String) },
  })
})

test('a name that is too long for a header is not in Location', async () => {
  const order = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' } },
  }
  const content = { 'application/json': { schema: order } }
  const headers = { Location: { required: true, schema: { type: 'string' } } }
  const contract = await loadContract({
    from: writeDocument(
      'orders.json',
      documentWith({
        '/orders': {
          post: {
            requestBody: { required: true, content },
            responses: { 201: { description: 'ok', headers, content } },
          },
        },
        '/orders/{id}': {
          get: {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 200: { description: 'ok', content } },
          },
        },
      }),
    ),
  })
  const orders = await startMock({ contract })
  const post = async (id: string) =>
    (
      await fetch(`${orders.url}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id }),
      })
    ).headers.get('location')
  expect(await post('a7')).toBe('/orders/a7')
  expect((await post('x'.repeat(65_536)))?.length).toBeLessThan(4_000)
})
