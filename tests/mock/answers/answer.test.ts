import { expect, test } from 'vitest'
import { createWatch, type Mock, type MockOptions, ScenarioError } from '../../../mock/index.ts'
import { header } from '../../../spec/index.ts'
import { json, jsonOf, send, startMock } from '../client.ts'
import { shopDocument } from './shop.ts'

const shop = (options: MockOptions = {}): Promise<Mock> => startMock({ contract: shopDocument(), ...options })
const fern = { id: 1, name: 'Fern', price: 3 }
const get = async (mock: Mock, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await send(mock, { method: 'GET', path, headers })
  return [response.status, jsonOf(response)]
}
const post = async (mock: Mock, body: unknown) => {
  const text = JSON.stringify(body)
  const response = await send(mock, { method: 'POST', path: '/products', headers: json, body: text })
  return [response.status, jsonOf(response)]
}
const problem = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no problem',
    error => {
      if (!(error instanceof ScenarioError)) throw error
      return error.message
    },
  )

test('an operation is answered with a body until that is undone, and its requests are listed', async () => {
  const mock = await shop()
  const usual = await get(mock, '/products')
  const answer = await mock.answer('listProducts', { items: [fern] })
  const response = await send(mock, { method: 'GET', path: '/products?page=2&other=x' })
  expect([response.status, jsonOf(response)]).toEqual([200, { items: [fern] }])
  expect(header(response.headers, 'content-type')).toBe('application/json')
  // Declared and required, and not given: made up as usual.
  expect(header(response.headers, 'x-total-count')).toMatch(/^\d+$/)
  expect(mock.journal.entries().at(-1)?.scenario).toBe('200 answer')
  expect(answer.requests).toMatchObject([
    { operation: 'listProducts', method: 'GET', path: {}, query: { page: 2, other: 'x' }, client: null },
  ])
  answer.undo()
  expect(await get(mock, '/products')).toEqual(usual)
  expect(mock.scenarios.state().operations).toEqual({})
  answer.undo()
})

test('the answer is the body alone: nothing is added to it, and its numbers are kept', async () => {
  const mock = await shop()
  await send(mock, {
    method: 'PUT',
    path: '/__plantstore/scenarios/getProduct',
    body: '{"body":{"id":9223372036854775807,"name":"Fern","price":1.50}}',
  })
  const response = await send(mock, { method: 'GET', path: '/products/1' })
  expect(new TextDecoder().decode(response.body)).toBe(
    '{"id":9223372036854775807,"name":"Fern","price":1.50}',
  )
})

test('a function answers by the request: parameters, headers and body', async () => {
  const mock = await shop()
  await mock.answer('getProduct', ({ path, headers }) => ({ ...fern, id: path.id, name: headers['x-name'] }))
  expect(await get(mock, '/products/7', { 'X-Name': 'Ivy' })).toEqual([200, { ...fern, id: 7, name: 'Ivy' }])
  await mock.answer('createProduct', async ({ body }) => ({ ...fern, ...(body as object) }))
  expect(await post(mock, { name: 'Moss' })).toEqual([201, { ...fern, name: 'Moss' }])
})

test('the answer that was set last wins; one that is used up gives way to those before', async () => {
  const mock = await shop()
  const named = (name: string) => ({ ...fern, name })
  const answers = [
    await mock.answer('getProduct', named('always')),
    await mock.answer('getProduct', named('first'), { times: 1 }),
    await mock.answer('getProduct', named('last'), { times: 2 }),
  ]
  const names: unknown[] = []
  for (let count = 0; count < 5; count++)
    names.push(((await get(mock, '/products/1'))[1] as { name: string }).name)
  expect(names).toEqual(['last', 'last', 'first', 'always', 'always'])
  expect(answers.map(({ requests }) => requests.length)).toEqual([2, 1, 2])
})

test('an answer is for the requests that have its values', async () => {
  const mock = await shop()
  const nameOf = async (path: string) => ((await get(mock, path))[1] as { name: string }).name
  await mock.answer('getProduct', { ...fern, name: 'any' })
  await mock.answer('getProduct', { ...fern, name: 'seven' }, { when: { path: { id: 7 } } })
  await mock.answer('getProduct', { ...fern, name: 'eight' }, { when: { path: { id: '8' } } })
  await mock.answer('getProduct', { ...fern, name: 'tenant' }, { when: { headers: { 'X-Tenant': 'b' } } })
  expect([await nameOf('/products/7'), await nameOf('/products/8'), await nameOf('/products/9')]).toEqual([
    'seven',
    'eight',
    'any',
  ])
  expect((await get(mock, '/products/7', { 'x-tenant': 'b' }))[1]).toMatchObject({ name: 'tenant' })
  await mock.answer(
    'listProducts',
    { items: [] },
    { when: { query: { category: 'herb', fields: ['a', 'b'] } } },
  )
  expect((await get(mock, '/products?category=herb&fields=a&fields=b'))[1]).toEqual({ items: [] })
  expect((await get(mock, '/products?category=herb&fields=a'))[1]).not.toEqual({ items: [] })
  await mock.answer('createProduct', fern, { when: { body: { size: { pot: 9 }, tags: [{ a: 1 }] } } })
  expect((await post(mock, { name: 'x', size: { pot: 9.0, of: 'cm' }, tags: [{ a: 1, b: 2 }] }))[1]).toEqual(
    fern,
  )
  for (const other of [
    { size: { pot: 9 }, tags: [{ a: 1 }, 2] },
    { size: { pot: 8 }, tags: [{ a: 1 }] },
    { size: { pot: 9 }, tags: [] },
    {},
  ])
    expect((await post(mock, { name: 'x', ...other }))[1]).not.toEqual(fern)
})

test('an invalid request gets its failure, unless the status is set', async () => {
  const mock = await shop()
  const answer = await mock.answer('createProduct', fern, { times: 1 })
  expect((await post(mock, { name: 1 }))[0]).toBe(400)
  expect(answer.requests).toHaveLength(0)
  expect(await post(mock, { name: 'x' })).toEqual([201, fern])
  await mock.answer('createProduct', { code: 9, message: 'full' }, { status: 400 })
  expect(await post(mock, { name: 'x' })).toEqual([400, { code: 9, message: 'full' }])
  await mock.answer('createProduct', fern, { status: 201 })
  expect(await post(mock, { name: 1 })).toEqual([201, fern])
})

test('an answer is for one client, and its undoing as well', async () => {
  const mock = await shop()
  const answer = await mock.answer('getProduct', fern, { client: 'one' })
  const one = { 'Plantstore-Client': 'one' }
  expect((await get(mock, '/products/7', one))[1]).toEqual(fern)
  expect((await get(mock, '/products/7'))[1]).not.toEqual(fern)
  expect(answer.requests.map(({ client }) => client)).toEqual(['one'])
  answer.undo()
  expect((await get(mock, '/products/7', one))[1]).not.toEqual(fern)
})

test('a delay and headers stay beside an answer, and an answer without a body has a status', async () => {
  const mock = await shop({ scenarios: { getProduct: { delay: 1 } } })
  await mock.answer('getProduct', fern, { headers: { 'X-Served-By': ['a', 'b'], ETag: '"1"' } })
  const response = await send(mock, { method: 'GET', path: '/products/1' })
  expect(header(response.headers, 'x-served-by')).toBe('a, b')
  expect(header(response.headers, 'etag')).toBe('"1"')
  expect(mock.journal.entries().at(-1)?.scenario).toBe('200 answer, delay 1 ms')
  await mock.scenarios.set('listProducts', { headers: { 'X-Total-Count': '7' } })
  expect(header((await send(mock, { method: 'GET', path: '/products' })).headers, 'x-total-count')).toBe('7')
  await mock.answer('deleteProduct', undefined, { status: 204 })
  expect((await send(mock, { method: 'DELETE', path: '/products/1' })).status).toBe(204)
  await mock.answer('getProduct', undefined, { status: 404 })
  expect(await get(mock, '/products/1')).toMatchObject([404, { code: 51 }])
  await mock.answer('getProduct', 'a;b', { headers: { 'Content-Type': 'text/csv' } })
  const csv = await send(mock, { method: 'GET', path: '/products/1' })
  expect([header(csv.headers, 'content-type'), new TextDecoder().decode(csv.body)]).toEqual([
    'text/csv',
    'a;b',
  ])
})

test('what breaks the contract is refused with the operation, the place and the way out', async () => {
  const mock = await shop()
  const wayOut = 'or add undeclared: true to break the contract on purpose'
  const bad = { items: [fern, { id: '2', name: 'Ivy' }] }
  expect(await problem(mock.answer('listProducts', bad))).toBe(
    `listProducts: the answer 200 breaks the contract: /items/1/price is missing; /items/1/id must be an integer, not "2"; change it, ${wayOut}`,
  )
  expect(await problem(mock.answer('getProduct', fern, { status: 404 }))).toMatch(
    /^getProduct: the answer 404 breaks the contract: \/code is missing; \/message is missing; change it, or add undeclared: true/,
  )
  expect(await problem(mock.answer('getProduct', fern, { status: 418 }))).toBe(
    'getProduct: 418 is not declared (declared: 200, 400, 404): add undeclared=true to break the contract on purpose',
  )
  const headers = { 'X-Total-Count': 'many' }
  const wrong = 'the header X-Total-Count must be an integer, not many'
  expect(await problem(mock.answer('listProducts', { items: [] }, { headers }))).toContain(wrong)
  expect(await problem(mock.scenarios.set('listProducts', { headers }))).toContain(wrong)
  expect(
    await problem(mock.answer('getProduct', fern, { headers: { 'Content-Type': 'text/html' } })),
  ).toContain('it must have Content-Type application/json or text/csv, not Content-Type text/html')
  expect(await problem(mock.answer('deleteProduct', {}))).toBe(
    'deleteProduct: a 204 response cannot have a body',
  )
  const deep = { when: { path: { productId: 7 } } }
  expect(await problem(mock.answer('getProduct', fern, deep))).toBe(
    'getProduct: when.path.productId is no parameter (declared: id)',
  )
  expect(await problem(mock.answer('listProducts', { items: [] }, { when: { query: { pages: 1 } } }))).toBe(
    'listProducts: when.query.pages is no parameter (did you mean page?); add undeclared: true for requests that have it nevertheless',
  )
  expect(await problem(mock.answer('getProduct', fern, { when: { body: {} } }))).toBe(
    'getProduct: when.body: GET /products/{id} has no body',
  )
  expect(await problem(mock.answer('*', fern))).toBe(
    '*: body is for one operation: set it for its id instead of *',
  )
  expect(await problem(mock.answer('nothing', fern))).toContain('there is no operation nothing')
  expect(await problem(mock.answer('getProduct', fern, { client: '' }))).toContain('the name of a client')
  expect(await problem(mock.scenarios.set('getProduct', { body: 1n as never }))).toBe(
    'getProduct: body must be JSON, without circles and bigints',
  )
  expect(await problem(mock.scenarios.set('getProduct', { body: fern, code: 7 }))).toContain(
    'body and code cannot be combined',
  )
  expect(mock.scenarios.state().operations).toEqual({})
  await mock.answer('listProducts', bad, { undeclared: true })
  expect((await get(mock, '/products'))[1]).toEqual(bad)
  await mock.answer('listProducts', ['x'], { status: 503, undeclared: true })
  expect(await get(mock, '/products')).toEqual([503, ['x']])
  await mock.answer('getProduct', () => undefined, { status: 503, undeclared: true })
  expect((await send(mock, { method: 'GET', path: '/products/1' })).body).toHaveLength(0)
  for (const status of [200, 503]) {
    const page = { status, headers: { 'content-type': 'text/html' }, undeclared: true } as const
    await mock.answer('getProduct', '<p>down', page)
    const html = await send(mock, { method: 'GET', path: '/products/1' })
    expect([html.status, new TextDecoder().decode(html.body)]).toEqual([status, '<p>down'])
    expect(header(html.headers, 'content-type')).toBe('text/html')
  }
})

test('what a function returns is judged when it is sent: a failure, a warning and a drift say what is wrong', async () => {
  const warnings: string[] = []
  const mock = await shop({ warn: message => void warnings.push(message) })
  const watch = createWatch(mock)
  await mock.answer('getProduct', ({ path }) => (path.id === 1 ? fern : { ...fern, price: -1 }))
  expect(await get(mock, '/products/1')).toEqual([200, fern])
  watch.check()
  const reason =
    'the answer 200 breaks the contract: /price must be at least 0, not -1; change it, or add undeclared: true to break the contract on purpose'
  const line = `getProduct: ${reason}`
  expect(await get(mock, '/products/2')).toEqual([500, { code: 53, message: line }])
  expect(warnings).toEqual([line])
  expect(mock.journal.entries().at(-1)).toMatchObject({ answerProblem: reason })
  expect(() => watch.check()).toThrow(
    `an answer of the mock broke the contract once\n\n1. getProduct/answer: ${reason}\n   request: GET /products/2, answered 500\n\nIf this is intended: allow('getProduct/answer')`,
  )
  await mock.answer('getProduct', () => {
    throw new Error('no luck')
  })
  expect(await get(mock, '/products/2')).toMatchObject([
    500,
    { message: 'getProduct: the function that answers failed: no luck' },
  ])
  await mock.answer('getProduct', () => undefined)
  expect((await get(mock, '/products/2'))[1]).toMatchObject({
    message: expect.stringContaining('the body is empty'),
  })
})

test('a watch can allow an answer that breaks the contract, and tells of it beside what the client broke', async () => {
  const mock = await shop({ warn: () => {} })
  const watch = createWatch(mock)
  await mock.answer('getProduct', () => 5, { status: 200 })
  watch.allow('getProduct/answer')
  expect((await get(mock, '/products/1'))[0]).toBe(500)
  watch.check()
  expect((await get(mock, '/products/x'))[0]).toBe(500)
  expect(watch.broken().map(({ name }) => name)).toEqual([
    'getProduct/request/path/id/type/string',
    'getProduct/answer',
  ])
  expect(() => watch.check()).toThrow('the client or an answer of the mock broke the contract 2 times')
})

test('an answer changes nothing that is kept', async () => {
  const mock = await shop({ seedData: { '/products': [fern] } })
  const answer = await mock.answer('createProduct', { ...fern, id: 2 })
  const removed = await mock.answer('deleteProduct', undefined, { status: 204 })
  await post(mock, { name: 'Ivy' })
  expect((await send(mock, { method: 'DELETE', path: '/products/1' })).status).toBe(204)
  answer.undo()
  removed.undo()
  expect(await get(mock, '/products')).toEqual([200, { items: [fern] }])
})

test('Prefer still fails an answered operation', async () => {
  const mock = await shop({ scenarios: { getProduct: { body: fern } } })
  expect(await get(mock, '/products/1', { Prefer: 'error=7' })).toMatchObject([400, { code: 7 }])
})
