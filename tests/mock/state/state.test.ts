/** A mock that keeps what requests create, change and remove. */

import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeedDataError } from '../../../mock/index.ts'
import { createResponseJudge, type Json, loadContract } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { call, get, type Instance, type Page, shop, startShop } from '../resources/shop.ts'

const start = () => startShop({ stateful: true, seedData: { '/products': [] } })

type Model = Map<string, Instance>
type Mock = Awaited<ReturnType<typeof start>>

const names = fc.string({ minLength: 1, maxLength: 8 })
const price = fc.integer({ min: 0, max: 999 })
const change = fc.record(
  { name: names, price, note: fc.option(fc.string()), quantity: fc.integer({ min: 0, max: 9 }) },
  { requiredKeys: [] },
)
const creation = fc.record(
  { name: names, price, note: fc.option(fc.string()) },
  { requiredKeys: ['name', 'price'] },
)
type Step = { readonly kind: 'create' | 'change' | 'remove'; readonly body: object; readonly at: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: creation.map(body => ({ kind: 'create' as const, body, at: 0 })) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), body: change, at: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), body: fc.constant({}), at: fc.nat(9) }),
  },
)

/** Does one step to the mock and to the model, whose resources are those of the responses. */
const doStep = async (mock: Mock, model: Model, { kind, body, at }: Step): Promise<void> => {
  const [id, instance] = [...model][at % Math.max(1, model.size)] ?? ['4b3d9c4e-2a52-4a0c-9a16-111111111111']
  if (kind === 'create') {
    const created = await call(mock, 'POST /products', body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject(body)
    expect(model.has(String(created.body.id))).toBe(false)
    model.set(String(created.body.id), created.body)
    return
  }
  const path = `/products/${id}`
  const answer = await call(
    mock,
    kind === 'change' ? `PATCH ${path}` : `DELETE ${path}`,
    kind === 'change' ? body : undefined,
  )
  if (instance === undefined) {
    expect(answer.status).toBe(404)
    return
  }
  if (kind === 'remove') {
    expect(answer.status).toBe(204)
    model.delete(id)
  } else {
    // A quantity may not be sent by the contract, and what may not be sent is none of the resource's properties.
    const { quantity: _, ...known } = body as Instance
    expect(answer.body).toMatchObject({ ...instance, ...known, quantity: answer.body.quantity })
    model.set(id, answer.body)
  }
}

test('whatever is created, changed and removed, reads and lists give what is left', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const mock = await start()
      const model: Model = new Map()
      for (const each of steps) await doStep(mock, model, each)
      const { items, total } = await get<Page>(mock, '/products?per_page=100')
      expect(items).toEqual([...model.values()])
      expect(total).toBe(model.size)
      for (const [id, instance] of model) expect(await get(mock, `/products/${id}`)).toEqual(instance)
      await mock.close()
    }),
    { numRuns: 12 },
  )
})

describe('without seed data', () => {
  test('the first page is the one of the stateless mock, and what is unknown is not found', async () => {
    const mock = await startShop({ stateful: true })
    const page = await get<Page>(mock, '/products')
    expect(page.items).toEqual((await get<Page>(await startShop(), '/products')).items)
    expect(page.total).toBe(20)
    const unknown = '4b3d9c4e-2a52-4a0c-9a16-111111111111'
    for (const line of [
      `GET /products/${unknown}`,
      `PATCH /products/${unknown}`,
      `GET /products/${unknown}/reviews`,
    ]) {
      const { status, body } = await call(mock, line, line.startsWith('PATCH') ? {} : undefined)
      expect([line, status, body.title]).toEqual([line, 404, 'Not Found'])
      expect(body.detail).toBe(`nothing has the name ${unknown} (/products/{productId})`)
    }
  })

  test('what is made up has reviews, and what was just created has none', async () => {
    const mock = await startShop({ stateful: true })
    const { items } = await get<Page>(mock, '/products')
    const { body } = await call(mock, 'POST /products', { name: 'Fern', price: 3 })
    const reviews = async (id: Json | undefined) =>
      (await get<{ data: readonly Instance[] }>(mock, `/products/${id}/reviews?limit=50`)).data.length
    expect([await reviews(items[0]?.id), await reviews(body.id)]).toEqual([20, 0])
  })

  test('all things that are created at the same time have names of their own', async () => {
    const mock = await startShop({ stateful: true })
    const made = await Promise.all(
      [...Array(40).keys()].map(price => call(mock, 'POST /products', { name: 'Fern', price })),
    )
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(40)
    const { items } = await get<Page>(mock, '/products?per_page=100')
    expect(
      items
        .filter(({ name }) => name === 'Fern')
        .map(({ price }) => price)
        .sort(),
    ).toEqual(made.map(({ body }) => body.price).sort())
  })
})

test('every response conforms, also after changes that would make a thing invalid', async () => {
  const mock = await start()
  const { body } = await call(mock, 'POST /products', { name: 'Fern', price: 3 })
  await call(mock, `PATCH /products/${body.id}`, { note: 'x', currency: 'too long', category: 7 })
  const judge = createResponseJudge(shop, operationOf(shop, 'getProduct'))
  const response = await fetch(`${mock.url}/products/${body.id}`)
  const bytes = await response.bytes()
  expect(judge({ status: response.status, headers: [...response.headers], body: bytes }, undefined)).toEqual(
    [],
  )
  expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ name: 'Fern', note: 'x' })
})

test('a name that clients cannot choose is not taken from what they send', async () => {
  const from = fileURLToPath(new URL('../../state/plants.openapi.yaml', import.meta.url))
  const plants = await startMock({ contract: await loadContract({ from }), stateful: true })
  const auth = { authorization: 'Bearer any' }
  const { body: created } = await call(plants, 'POST /plants', { id: 5, name: 'Fern' }, auth)
  expect(created).toMatchObject({ name: 'Fern' })
  expect(created.id).not.toBe(5)
  expect((await call(plants, `GET /plants/${created.id}`, undefined, auth)).body).toMatchObject(created)
  const { body: put } = await call(plants, 'PUT /plants/7', { id: 8, name: 'Moss' }, auth)
  expect(put).toMatchObject({ id: 7, name: 'Moss' })
})

test('each client that names itself has things of its own', async () => {
  const mock = await start()
  const [one, two] = [{ 'Plantstore-Client': 'one' }, { 'Plantstore-Client': 'two' }]
  const { body } = await call(mock, 'POST /products', { name: 'Fern', price: 3 }, one)
  const statusFor = async (headers: Readonly<Record<string, string>>) =>
    (await call(mock, `GET /products/${body.id}`, undefined, headers)).status
  expect([await statusFor(one), await statusFor(two), await statusFor({})]).toEqual([200, 404, 404])
  expect((await call(mock, 'DELETE /__plantstore/state', undefined, two)).status).toBe(204)
  expect(await statusFor(one)).toBe(200)
  mock.state?.reset('one')
  expect(await statusFor(one)).toBe(404)
})

describe('seed data', () => {
  const fern = { id: '4b3d9c4e-2a52-4a0c-9a16-111111111111', name: 'Fern', price: 3 }

  test('is what exists at the start, and again after a reset', async () => {
    const mock = await startShop({ seedData: { '/products': [fern] } })
    expect(mock.state?.collections).toEqual(['/products', '/products/{productId}/reviews'])
    for (let round = 0; round < 2; round++) {
      expect((await get<Page>(mock, '/products')).items).toEqual([fern])
      await call(mock, `DELETE /products/${fern.id}`)
      expect((await get<Page>(mock, '/products')).items).toEqual([])
      await call(mock, 'DELETE /__plantstore/state')
    }
  })

  test.each([
    [
      { '/products': [fern, { ...fern, price: 'three' }] },
      '/products[1]: /price must be a number',
      ['/products', 1, 'price'],
    ],
    [{ '/products': [{ name: 'Fern', price: 3 }] }, '/products[0]: /id is missing', ['/products', 0, 'id']],
    [{ '/product': [] }, '/product is no collection of the contract (did you mean /products?)', ['/product']],
    [{ '/products': 7 }, '/products must be a list of resources', ['/products']],
  ])('that the contract does not allow is an error with its place: %j', async (seedData, message, path) => {
    const error = await startShop({ seedData }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SeedDataError)
    expect([(error as SeedDataError).message, (error as SeedDataError).path]).toEqual([message, path])
  })

  test('may be named below the base path of the servers as well', async () => {
    const seedData = { '/v1/products': [fern], [`/v1/products/${fern.id}/reviews`]: [] }
    const mock = await startShop({ basePath: '/v1', seedData })
    expect(mock.state?.snapshot()).toEqual({})
    expect((await get<Page>(mock, '/v1/products')).items).toEqual([fern])
    expect(await get(mock, `/products/${fern.id}/reviews`)).toMatchObject({ data: [] })
    const wrong = startShop({ basePath: '/v1', seedData: { '/v1/products': [{}] } })
    await expect(wrong).rejects.toMatchObject({ path: ['/v1/products', 0, 'id'] })
  })

  test('can be saved and loaded over HTTP', async () => {
    const [first, second] = [await start(), await start()]
    await call(first, 'POST /products', { name: 'Fern', price: 3 })
    await call(first, 'POST /products', { name: 'Moss', price: 9_007_199_254_740_991 })
    const { body: saved } = await call(first, 'GET /__plantstore/state')
    expect(saved).toEqual(first.state?.snapshot())
    const { status, body } = await call(second, 'PUT /__plantstore/state', saved)
    expect([status, body]).toEqual([200, saved])
    expect(await get(second, '/products')).toEqual(await get(first, '/products'))
    const wrong = await call(second, 'PUT /__plantstore/state', { '/products': [{ id: 7 }] })
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      expect.stringContaining('/products[0]: /name is missing'),
    ])
    expect(await get(second, '/products')).toEqual(await get(first, '/products'))
  })
})

test('what is made up and does not conform is left out of a list, so that what was created is in it', async () => {
  // Nothing here makes up such a text.
  const riddle = { type: 'string', pattern: '^(?=.*z)(?!.*a)(.{4}).\\1$', not: { pattern: '[^z]' } }
  const properties = { id: { type: 'integer' }, riddle }
  const answer = (status: number, schema: object) => ({
    responses: { [status]: { description: 'ok', content: { 'application/json': { schema } } } },
  })
  const instance = { type: 'object', required: ['id', 'riddle'], properties }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const sent = { type: 'object', required: ['riddle'], properties: { riddle } }
  const document = documentWith({
    '/riddles': {
      get: answer(200, { type: 'array', items: instance }),
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: sent } } },
        ...answer(201, instance),
      },
    },
    '/riddles/{id}': { get: { parameters: [id], ...answer(200, instance) } },
  })
  const contract = await loadContract({ from: writeDocument('riddles.json', document) })
  const mock = await startMock({ contract, stateful: true })
  const { body } = await call(mock, 'POST /riddles', { riddle: 'zzzzzzzzz' })
  expect(body).toMatchObject({ riddle: 'zzzzzzzzz' })
  expect(await get(mock, '/riddles')).toEqual([body])
})
