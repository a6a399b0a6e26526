import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, parentOf, step } from '../json/pointer.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import { withoutLastSlashes } from '../text/characters.ts'
import type { Operation } from './operation.ts'

/** The URLs of the `servers` of an object, with the defaults of their variables; null: it has none of its own. */
export const serversOf = ({ servers }: DocumentNode): readonly string[] | null =>
  Array.isArray(servers) && servers.length > 0 ? servers.map(server => urlOf(asNode(server))) : null

const urlOf = ({ url, variables }: DocumentNode): string =>
  String(url ?? '').replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    String(asNode(asNode(variables)[name]).default ?? whole),
  )

/** The path of the URL of a server, which stands before all paths; empty: there is none. */
export const basePathOf = (url: string): string => {
  const path = withoutLastSlashes(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))
  return path.startsWith('/') && !path.includes('{') ? path : ''
}

/**
 * The servers of an operation, if those of its path or its own say that it is not at the servers of the document. Null: it is, as most.
 */
export const ownServers = (
  document: DocumentNode,
  item: Pointer,
  operation: Pointer,
): readonly string[] | null => {
  const own = serversOf(follow(document, operation).node) ?? serversOf(follow(document, item).node)
  if (own === null) return null
  const usual = (serversOf(document) ?? [usualServer]).map(withoutLastSlashes)
  return own.some(url => usual.includes(withoutLastSlashes(url))) ? null : own
}

const usualServer = '/'

/** Where all operations have one and the same server, that is the document's: some tools write it at each path. */
export const atSameServer = (operations: readonly Operation[]): readonly Operation[] => {
  const texts = new Set(operations.map(({ servers }) => JSON.stringify(servers)))
  return texts.size === 1 ? operations.map(operation => ({ ...operation, servers: null })) : operations
}

/** The operations that are at another address than the one that is tested. */
export const untestedServers = (
  operations: readonly Operation[],
  document: DocumentNode,
  place: (pointer: Pointer) => Place,
): readonly Problem[] =>
  operations.flatMap(({ method, path, pointer, servers }) => {
    if (servers === null) return []
    const own = step(pointer, 'servers')
    const item = step(parentOf(pointer), 'servers')
    return [
      {
        message: `${method} ${path} is not tested: its own servers are ${servers.join(', ')}; to test it there, give it a document of its own`,
        place: place(serversOf(follow(document, pointer).node) === null ? item : own),
      },
    ]
  })
