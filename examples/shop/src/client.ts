/** The client of the shop: paths, parameters, bodies and responses have the types of its document. */
import createClient from 'openapi-fetch'
import type { components, operations, paths } from './contract.d.ts'

type Schemas = components['schemas']
export type Product = Schemas['Product']
export type NewProduct = Schemas['NewProduct']
export type Category = Schemas['Category']
export type StockChange = Schemas['StockChange']
export type Filter = NonNullable<operations['listProducts']['parameters']['query']>

/** Every outcome of a call is data: it never throws. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string }

const base = '/api'
const shop = createClient<paths>({ baseUrl: base })

type Answer<T> = { readonly data?: T; readonly error?: Schemas['Problem']; readonly response: Response }

const outcomeOf = async <T>(call: Promise<Answer<T>>): Promise<Outcome<T>> => {
  try {
    const { data, error, response } = await call
    if (response.ok) return { ok: true, value: data as T }
    return { ok: false, reason: error?.detail ?? error?.title ?? `status ${response.status}` }
  } catch {
    return { ok: false, reason: 'the shop cannot be reached' }
  }
}

export const listProducts = (query: Filter) => outcomeOf(shop.GET('/products', { params: { query } }))

export const getProduct = (productId: string) =>
  outcomeOf(shop.GET('/products/{productId}', { params: { path: { productId } } }))

export const addProduct = (body: NewProduct) => outcomeOf(shop.POST('/products', { body }))

export const changeProduct = (productId: string, body: Schemas['ProductChange']) =>
  outcomeOf(shop.PATCH('/products/{productId}', { params: { path: { productId } }, body }))

export const deleteProduct = (productId: string) =>
  outcomeOf(shop.DELETE('/products/{productId}', { params: { path: { productId } } }))

export const addPhoto = (productId: string, file: Blob, caption: string) =>
  outcomeOf(
    shop.POST('/products/{productId}/photos', {
      params: { path: { productId } },
      body: { file, caption },
      bodySerializer: parts => {
        const form = new FormData()
        for (const [name, value] of Object.entries(parts)) form.append(name, value)
        return form
      },
    }),
  )

/** Tells of each change of the stock, until the function that it returns is called. */
export const watchStock = (onChange: (change: StockChange) => void): (() => void) => {
  const source = new EventSource(`${base}/stock-changes`)
  source.addEventListener('message', ({ data }) => onChange(JSON.parse(data) as StockChange))
  return () => source.close()
}
