/** The types of answers, with the operations of a document as openapi-typescript writes them. */
import { expect, expectTypeOf, test } from 'vitest'
import type { operations as plantStore } from '../../../examples/frontend/src/contract.d.ts'
import type { FetchHandler, Mock } from '../../../mock/index.ts'
import type { Handlers } from '../../../mock/mounts/msw.ts'
import type { PageMock } from '../../../mock/mounts/playwright.ts'

type Product = { id: number; name: string; kind?: 'herb' | 'tree' }
type Failure = { code: number; message: string }

/** As openapi-typescript 7 writes it. */
interface operations {
  listProducts: {
    parameters: { query?: { page?: number; tags?: string[] }; header?: never; path?: never; cookie?: never }
    requestBody?: never
    responses: {
      200: { headers: { [name: string]: unknown }; content: { 'application/json': { items: Product[] } } }
      default: { headers: { [name: string]: unknown }; content: { 'application/problem+json': Failure } }
    }
  }
  putProduct: {
    parameters: { query?: never; header?: never; path: { productId: number }; cookie?: never }
    requestBody: { content: { 'application/json': { name: string; size?: { pot: number } } } }
    responses: {
      201: {
        headers: { [name: string]: unknown }
        content: { 'application/json': Product; 'text/csv': string }
      }
      204: { headers: { [name: string]: unknown }; content?: never }
      '4XX': { headers: { [name: string]: unknown }; content: { 'application/json': Failure } }
    }
  }
  removeProduct: {
    parameters: { query?: never; header?: never; path: { productId: number }; cookie?: never }
    requestBody?: never
    responses: {
      204: { headers: { [name: string]: unknown }; content?: never }
      404: { headers: { [name: string]: unknown }; content: { 'application/json': Failure } }
    }
  }
}

const items: Product[] = [{ id: 1, name: 'Fern' }]

const typed = async (mock: Mock<operations>): Promise<void> => {
  const { requests, undo } = await mock.answer('listProducts', { items })
  expectTypeOf(requests[0]?.client).toEqualTypeOf<string | null | undefined>()
  expectTypeOf(undo).toEqualTypeOf<() => void>()
  await mock.answer<'listProducts'>('listProducts', { items }, { times: 2, client: 'one' })
  await mock.answer('listProducts', { code: 1, message: 'no' }, { status: 500 })
  await mock.answer('listProducts', ({ query }) => {
    expectTypeOf(query).toEqualTypeOf<{ page?: number; tags?: string[] }>()
    return { items: query.page === 1 ? items : [] }
  })
  await mock.answer('listProducts', { items }, { when: { query: { page: 1 }, headers: { 'x-a': 'b' } } })
  await mock.answer('putProduct', async ({ path, body }) => {
    expectTypeOf(path).toEqualTypeOf<{ productId: number }>()
    expectTypeOf(body).toEqualTypeOf<{ name: string; size?: { pot: number } }>()
    return { id: path.productId, name: body.name }
  })
  await mock.answer('putProduct', undefined, { status: 204 })
  await mock.answer('putProduct', { code: 1, message: 'no' }, { status: 409 })
  await mock.answer(
    'putProduct',
    { id: 1, name: 'x' },
    { when: { path: { productId: 7 }, body: { size: {} } } },
  )
  await mock.answer('removeProduct', { code: 1, message: 'no' }, { status: 404 })
  await mock.answer('removeProduct', undefined)
  await mock.answer('removeProduct', undefined, { status: 404 })
  await mock.answer('removeProduct', { anything: true }, { status: 503, undeclared: true })

  // @ts-expect-error there is no such operation
  await mock.answer('listProduct', { items })
  // @ts-expect-error a property is missing
  await mock.answer('listProducts', { items: [{ id: 1 }] })
  // @ts-expect-error not one of the kinds
  await mock.answer('listProducts', () => ({ items: [{ id: 1, name: 'x', kind: 'bush' }] }))
  // @ts-expect-error the body of another status
  await mock.answer('listProducts', { items }, { status: 500 })
  // @ts-expect-error 418 is not declared
  await mock.answer('removeProduct', undefined, { status: 418 })
  // @ts-expect-error there is no such parameter
  await mock.answer('putProduct', { id: 1, name: 'x' }, { when: { path: { id: 7 } } })
  // @ts-expect-error a number
  await mock.answer('putProduct', { id: 1, name: 'x' }, { when: { body: { size: { pot: '9' } } } })
  // @ts-expect-error 204 has no body
  await mock.answer('removeProduct', { id: 1 })
}

const untyped = async (mock: Mock): Promise<void> => {
  await mock.answer('anything', { items })
  await mock.answer('anything', ({ path, body }) => ({ id: path.id, body }))
  await mock.answer('anything', undefined, { status: 204, when: { path: { id: 7 }, body: [1] } })
  // @ts-expect-error a status is a number
  await mock.answer('anything', {}, { status: '204' })
}

const generated = async (mock: Mock<plantStore>): Promise<void> => {
  await mock.answer('createPlant', ({ body }) => ({ name: body.name }))
  // @ts-expect-error the code of a failure is a number
  await mock.answer('createPlant', { error: '7', message: 'x' }, { status: 400 })
}

test('every mount has the types of its operations, and goes where one without types is expected', () => {
  expectTypeOf<FetchHandler<operations>['answer']>().toEqualTypeOf<Mock<operations>['answer']>()
  expectTypeOf<Handlers<operations>['answer']>().toEqualTypeOf<Mock<operations>['answer']>()
  expectTypeOf<PageMock<operations>['answer']>().toEqualTypeOf<Mock<operations>['answer']>()
  expectTypeOf<Mock<operations>>().toExtend<Mock>()
})

test('the calls above are compiled, and never made', () => {
  expect([typed, untyped, generated].map(each => each.length)).toEqual([1, 1, 1])
})
