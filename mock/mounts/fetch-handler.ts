import type { AnyOperations } from '../answers/operation-types.ts'
import { createContext, type Handler } from '../engine/context.ts'
import { buildMock } from './build.ts'
import { fetchResponse } from './fetch-response.ts'
import { type Mounted, mounted } from './mounted.ts'
import { type HandlerOptions, settingsOf } from './options.ts'
import { targetBelow } from './server-urls.ts'

/** A mock without a server: gives what `fetch` would give if the mock stood at the URL of the request. */
export type FetchHandler<O extends object = AnyOperations> = ((request: Request) => Promise<Response>) &
  Mounted<O>

/**
 * Makes a function from requests to responses, for servers that take one (Deno, Bun, Hono, workers) and in the place of
 * `fetch` in tests. Its responses are those of the server, byte for byte. Throws DocumentError if the document is not a
 * usable contract; the function itself rejects as `fetch` does when a scenario resets the connection.
 *
 * @example
 * const handler = await createHandler({ tokens: ['secret'] })
 * const response = await handler(new Request('http://store.test/plants', { method: 'POST', … }))
 */
export const createHandler = async <O extends object = AnyOperations>(
  options: HandlerOptions = {},
): Promise<FetchHandler<O>> => {
  const settings = settingsOf(options)
  const built = await buildMock(settings)
  return mounted(likeFetch(respondWith(built.handle, settings.maxBodyBytes)), built)
}

type Respond = (request: Request, base: string) => Promise<Response>

/** Rejects in the place of `Response.error()`: with the reason of the request's signal, or as a network error does. */
export const likeFetch =
  (respond: Respond) =>
  async (request: Request): Promise<Response> => {
    const response = await respond(request, '')
    if (response.type !== 'error') return response
    request.signal.throwIfAborted()
    throw new TypeError('the connection was reset')
  }

/** Responds to a request by its path below a base path (`/v1`, or empty); `Response.error()` if there is no response. */
export const respondWith =
  (handle: Handler, maxBodyBytes: number): Respond =>
  async (request, base) => {
    const url = new URL(request.url)
    const headers = [...request.headers]
    const context = createContext({
      method: request.method,
      target: targetBelow(base, url),
      base: url.origin + base,
      // Clients add Host only when they send a request.
      headers: request.headers.has('host') ? headers : [['host', url.host], ...headers],
      ...(await readFetchBody(request, maxBodyBytes)),
      connection: request,
    })
    return fetchResponse(await handle(context), context.fault, request)
  }

type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

/**
 * Reads the body of a request up to a limit, and stops as soon as it is known to be larger. Null: there is no body. POST
 * and PUT without one have an empty one, as over HTTP they have `Content-Length: 0` (Fetch standard,
 * HTTP-network-or-cache fetch).
 */
const readFetchBody = async (request: Request, maxBodyBytes: number): Promise<Body> => {
  const none: Body = { body: hasLength(request.method) ? new Uint8Array() : null, tooLarge: false }
  if (request.body === null) return none
  const reader = request.body.getReader()
  const giveUp = (): Body => {
    // Not awaited: the body of a cloned request is cancelled only together with that of the other one.
    reader.cancel().catch(() => {})
    return { body: null, tooLarge: true }
  }
  if (Number(request.headers.get('content-length')) > maxBodyBytes) return giveUp()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size === 0 ? none : { body: joined(chunks, size), tooLarge: false }
    chunks.push(value)
    size += value.length
    if (size > maxBodyBytes) return giveUp()
  }
}

const hasLength = (method: string): boolean => method === 'POST' || method === 'PUT'

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
