import type { Route } from 'playwright/test'
import { type Contract, type Headers, withoutLastSlashes } from '../../spec/index.ts'
import { type Fault, isBodiless, type MockResponse } from '../engine/compiled-response.ts'
import { type Context, createContext, type Handler } from '../engine/context.ts'
import { ServerError } from '../errors.ts'
import { headersWithLength } from './fetch-response.ts'

/** The target of a request below the server of the contract, and what stands before it. */
type Place = { readonly target: string; readonly base: string }

/** Responds to a request that Playwright holds. */
export const respondToRoute = async (
  handle: Handler,
  route: Route,
  place: Place,
  maxBodyBytes: number,
): Promise<void> => {
  const context = await contextOf(route, place, maxBodyBytes)
  const response = await handle(context)
  // A request that hangs is never continued, and ends with its page.
  if (context.fault !== 'hang') await deliver(route, response, context.fault)
}

const contextOf = async (route: Route, place: Place, maxBodyBytes: number): Promise<Context> => {
  const request = route.request()
  const { host } = new URL(request.url())
  const headers = (await request.headersArray()).map(({ name, value }) => [name, value] as const)
  const body = request.postDataBuffer() ?? (/^(?:POST|PUT)$/.test(request.method()) ? new Uint8Array() : null)
  const tooLarge = body !== null && body.length > maxBodyBytes
  return createContext({
    method: request.method(),
    ...place,
    headers: headers.some(([name]) => name.toLowerCase() === 'host') ? headers : [['host', host], ...headers],
    body: tooLarge ? null : body,
    tooLarge,
    connection: request,
  })
}

const deliver = async (route: Route, response: MockResponse, fault: Fault | null): Promise<void> => {
  if (fault === 'reset') return route.abort('connectionreset')
  // Playwright cannot fulfill a route in parts.
  if (fault === 'truncate' || response.stream !== undefined) return route.abort('connectionclosed')
  const isEmpty = isBodiless(response.status) || route.request().method() === 'HEAD'
  await route.fulfill({
    status: response.status,
    headers: joined(headersWithLength(response, fault)),
    ...(isEmpty ? {} : { body: Buffer.from(response.body) }),
  })
}

/** One line for each name, as Playwright takes them; it splits cookies, which must not be joined, at line breaks. */
const joined = (headers: Headers): Record<string, string> => {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    lines[key] =
      lines[key] === undefined ? value : `${lines[key]}${key === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return lines
}

/** Where the paths of the contract begin, as a client sees it. */
export type Base = { readonly origin: string; readonly path: string }

/**
 * The URLs that the paths of the contract are below: `server` if there is one, else those of the document. Relative ones,
 * and a document without any, are relative to `page`. Throws ServerError if no origin is known.
 */
export const basesOf = (
  contract: Contract,
  server: string | undefined,
  page: string | undefined,
): readonly Base[] => {
  const urls = server === undefined ? declaredUrls(contract) : [server]
  return urls.map(url => {
    if (!URL.canParse(url, page))
      throw new ServerError(
        `${contract.title} is served below ${url}, but on which origin? Give the option server an absolute URL`,
      )
    const { origin, pathname } = new URL(url, page)
    return { origin, path: withoutLastSlashes(pathname) }
  })
}

/** The base that a URL is below; null: there is none, and the request is not for the mock. */
export const baseOf = (bases: readonly Base[], { origin, pathname }: URL): Base | null =>
  bases.find(
    base => base.origin === origin && (pathname === base.path || pathname.startsWith(`${base.path}/`)),
  ) ?? null

/** Path and query below the path of a base. */
export const targetBelow = (path: string, { pathname, search }: URL): string =>
  (pathname.slice(path.length) || '/') + search

type Server = {
  readonly url?: unknown
  readonly variables?: Readonly<Record<string, { readonly default?: unknown }>>
}

// A document without servers has the one server `/` (OpenAPI 3.1, Server Object).
const declaredUrls = ({ document }: Contract): readonly string[] => {
  const servers = (document.servers ?? []) as readonly Server[]
  return servers.length === 0 ? ['/'] : servers.map(withDefaults)
}

const withDefaults = ({ url, variables = {} }: Server): string =>
  String(url ?? '/').replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    String(variables[name]?.default ?? whole),
  )
