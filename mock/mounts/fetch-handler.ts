import type { Contract } from '../../spec/index.ts'
import type { AnyOperations } from '../answers/operation-types.ts'
import type { Served } from '../documents/documents.ts'
import { createContext, type Handler } from '../engine/context.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { State } from '../state/state.ts'
import { type Answering, createAnswer } from './answer.ts'
import { type Built, buildMock, type Webhook } from './build.ts'
import { fetchResponse } from './fetch-response.ts'
import { type HandlerOptions, settingsOf } from './options.ts'
import { targetBelow } from './playwright-route.ts'

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

/** What every mount of the mock has. */
export type Mounted<O extends object = AnyOperations> = Answering<O> & {
  /** The contract of the first document, as it is served now. */
  readonly contract: Contract
  /** All documents, as they are served now. */
  readonly documents: readonly Served[]
  /** How responses fit their requests, one sentence for each rule, by operation. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  readonly journal: Journal
  /** Switches what operations do instead of their usual behaviour. */
  readonly scenarios: Scenarios
  /**
   * Loads what makes up values, unless the contract needs none. The first made-up response takes a second without it: call it
   * in the background, or before tests.
   */
  readonly ready: () => Promise<void>
  /** What is kept; null: the mock is not stateful. */
  readonly state: State | null
  /** `expire` ends the tokens that responses gave so far: a client with one of them has to refresh it or to log in. */
  readonly tokens: { readonly expire: () => void }
  /**
   * Sends a webhook of the document, and resolves with the status of the answer and what that breaks of the contract. Throws
   * OptionError if there is no such webhook, or its body breaks the contract.
   *
   * @example
   * await mock.webhook('orderShipped', { url: 'http://127.0.0.1:3000/hooks', body: { id: 7 } })
   */
  readonly webhook: Webhook
  /** Ends the mock, and the watching of its files. */
  readonly close: () => Promise<void>
}

/** The contract that responds outside all prefixes. */
export const contractOf = ({ documents }: Pick<Built, 'documents'>): Contract =>
  (documents()[0] as Served).contract

type Parts = Pick<
  Built,
  'documents' | 'rules' | 'journal' | 'scenarios' | 'state' | 'tokens' | 'webhook' | 'ready' | 'close'
>

/** Adds to a mount what every mount has; the contract changes with its file. */
export const mounted = <T extends object, O extends object = AnyOperations>(
  mount: T,
  parts: Parts,
): T & Mounted<O> => {
  const { documents, rules, journal, scenarios, state, tokens, webhook, ready, close } = parts
  return Object.defineProperties(mount, {
    contract: { enumerable: true, get: () => contractOf(parts) },
    documents: { enumerable: true, get: documents },
    // Not enumerable: what prints a mount would derive the rules of a whole document.
    rules: { get: rules },
    journal: { enumerable: true, value: journal },
    scenarios: { enumerable: true, value: scenarios },
    answer: { enumerable: true, value: createAnswer(scenarios) },
    ready: { enumerable: true, value: ready },
    state: { enumerable: true, value: state },
    tokens: { enumerable: true, value: tokens },
    webhook: { enumerable: true, value: webhook },
    close: { enumerable: true, value: close },
  }) as T & Mounted<O>
}
