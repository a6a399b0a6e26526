import { type Contract, withoutLastSlashes } from '../../spec/index.ts'
import { ServerError } from '../errors.ts'

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
