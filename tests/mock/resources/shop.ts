import { fileURLToPath } from 'node:url'
import type { Mock, MockOptions } from '../../../mock/index.ts'
import { type Json, loadContract } from '../../../spec/index.ts'
import { startMock } from '../client.ts'

/** A shop with pages, filters, reviews below products, and a Location. */
export const shop = await loadContract({ from: fileURLToPath(new URL('shop.openapi.yaml', import.meta.url)) })

export const startShop = (options: MockOptions = {}): Promise<Mock> =>
  startMock({ contract: shop, ...options })

export type Instance = { readonly [name: string]: Json }

export type Page = {
  readonly items: readonly Instance[]
  readonly total: number
  readonly page: number
  readonly per_page: number
}

type Reply<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

/** Sends a request with a JSON body, if there is one. */
export const call = async <T = Instance>(
  mock: Pick<Mock, 'url'>,
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply<T>> => {
  const [method = 'GET', path = '/'] = line.split(' ')
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await fetch(mock.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
    signal: AbortSignal.timeout(20_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? null : JSON.parse(text)) as T,
  }
}

export const get = async <T = Instance>(mock: Pick<Mock, 'url'>, path: string): Promise<T> =>
  (await call<T>(mock, `GET ${path}`)).body
