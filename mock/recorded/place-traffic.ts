import { basePathOf, serversOf, type TrafficEntry, withoutLastSlashes } from '../../spec/index.ts'
import { below, isBelow, ownBase, withoutBase } from '../documents/base-path.ts'
import type { ServedDocument } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'

/** An entry that belongs to an operation. */
export type PlacedEntry = {
  readonly entry: TrafficEntry
  readonly document: ServedDocument
  /** Path and query below the base. */
  readonly target: string
  /** What stands before them in the URL: `https://shop.test/v1`. */
  readonly base: string
}

export type PlacedTraffic = {
  readonly placed: readonly PlacedEntry[]
  /** Questions of browsers whether a request from another origin is allowed. */
  readonly preflights: number
  /** Entries that belong to no operation. */
  readonly others: number
  /** Whether no entry was sent to a server of the documents, so that the path alone decides. */
  readonly isByPath: boolean
}

/** The base URL of the API. `isOnly`: what was sent elsewhere is of something else. Null: nothing is known of it. */
export type ApiServer = { readonly url: URL; readonly isOnly: boolean } | null

/**
 * Finds the operations that entries belong to: by the given server and those of the documents. If nothing was sent to any of them, as the
 * traffic is of another environment, the path alone decides.
 */
export const placeTraffic = (
  entries: readonly TrafficEntry[],
  documents: readonly ServedDocument[],
  server: ApiServer,
): PlacedTraffic => {
  const requests = entries.filter(entry => !isPreflight(entry))
  const preflights = entries.length - requests.length
  const placedBy = (place: Place): readonly PlacedEntry[] =>
    requests.flatMap(entry => documents.flatMap(document => place(entry, document) ?? []).slice(0, 1))
  const byServer = placedBy(atServers(documents, server))
  const isByPath = server?.isOnly !== true && byServer.length === 0
  const placed = isByPath ? placedBy(atPath) : byServer
  return { placed, preflights, others: requests.length - placed.length, isByPath }
}

type Place = (entry: TrafficEntry, document: ServedDocument) => PlacedEntry | null

const atServers = (documents: readonly ServedDocument[], server: ApiServer): Place => {
  const bases = new Map(
    documents.map(document => [
      document,
      [...(server === null ? [] : [server.url]), ...(server?.isOnly === true ? [] : serversIn(document))],
    ]),
  )
  return (entry, document) => {
    for (const { origin, pathname } of bases.get(document) ?? []) {
      const path = withoutLastSlashes(pathname)
      if (entry.origin !== origin || !isBelow(entry.target, path)) continue
      const target = path === '' ? entry.target : below(entry.target, path)
      if (isDeclared(document, entry.method, target)) return { entry, document, target, base: origin + path }
    }
    return null
  }
}

/** The servers of a document and of its operations that are absolute URLs. */
const serversIn = ({ contract: { document, operations } }: ServedDocument): readonly URL[] =>
  [...(serversOf(document) ?? []), ...operations.flatMap(({ servers }) => servers ?? [])]
    .filter(url => URL.canParse(url))
    .map(url => new URL(url))

const atPath: Place = (entry, document) => {
  const { basePath, contract, engine } = document
  if (entry.origin === '') return null
  const own = ownBase(contract, entry.target, engine.router)
  const shared = serversOf(contract.document)?.map(basePathOf) ?? []
  const bases = [own, basePath, ...shared]
  const target = bases.reduce(
    (rest, base) => (rest === entry.target ? withoutBase(rest, base, engine.router, pathOf(rest)) : rest),
    entry.target,
  )
  if (!isDeclared(document, entry.method, target)) return null
  const base = entry.target.slice(0, entry.target.length - target.length)
  return { entry, document, target, base: entry.origin + base }
}

/** HEAD is declared where GET is. */
const isDeclared = ({ engine: { router } }: ServedDocument, method: string, target: string): boolean =>
  [method, ...(method === 'HEAD' ? ['GET'] : [])].some(
    each => router(each, pathOf(target)).kind === 'operation',
  )

const isPreflight = ({ method, headers }: TrafficEntry): boolean =>
  method === 'OPTIONS' && headers.some(([name]) => name.toLowerCase() === 'access-control-request-method')
