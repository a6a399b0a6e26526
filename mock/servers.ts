import type { Contract } from '../spec/index.ts'

/** Where the contract's paths begin, in the eyes of a client. */
export type Base = { readonly origin: string; readonly path: string }

/** No URL is known that the contract's paths are below. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
}

/**
 * The URLs that the contract's paths are below: `server` where it is given, else those of the document. Relative ones, and
 * a document without any, stand below `page`. Throws ServerError where nothing says which.
 */
export const basesOf = (
  contract: Contract,
  server: string | undefined,
  page: string | undefined,
): readonly Base[] => {
  const urls = server === undefined ? declared(contract) : [server]
  return urls.map(url => {
    if (!URL.canParse(url, page))
      throw new ServerError(
        `no origin is known for ${url} that ${contract.title} is served below: give the option server a whole URL`,
      )
    const { origin, pathname } = new URL(url, page)
    return { origin, path: pathname.replace(/\/+$/, '') }
  })
}

/** The base that a URL is below; null: none, so that it is no business of the mock. */
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

// A document without any server has the one `/` (OpenAPI 3.1, Server Object).
const declared = ({ document }: Contract): readonly string[] => {
  const servers = (document.servers ?? []) as readonly Server[]
  return servers.length === 0 ? ['/'] : servers.map(filled)
}

const filled = ({ url, variables = {} }: Server): string =>
  String(url ?? '/').replace(/\{([^}]+)\}/g, (whole, name: string) =>
    String(variables[name]?.default ?? whole),
  )
