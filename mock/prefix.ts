import type { Composed } from './compose.ts'
import type { Engine } from './engine.ts'
import type { Soon } from './soon.ts'

/** The engine of one document, and the answer to a path that no document has, in the shape of its failures. */
export type Mounted = {
  readonly prefix: string
  readonly engine: Engine
  readonly nowhere: () => Soon<Composed>
}

/**
 * Hands each request to the document with the longest prefix of its path, without that prefix. What is below none of
 * them is answered as the first document would. One document without a prefix answers by itself.
 */
export const byPrefix = (mounted: readonly Mounted[]): Engine => {
  const [first] = mounted
  if (first === undefined) throw new Error('there is no document')
  if (mounted.length === 1 && first.prefix === '') return first.engine
  const longest = [...mounted].sort((left, right) => right.prefix.length - left.prefix.length)
  return request => {
    if (request.unreadable !== undefined) return first.engine(request)
    // A proxy's client names the whole URL (RFC 9112, 3.2.2).
    const target = request.target.replace(/^https?:\/\/[^/?#]*/i, '')
    const found = longest.find(({ prefix }) => isBelow(target, prefix))
    if (found === undefined) return first.nowhere()
    const rest = target.slice(found.prefix.length)
    return found.engine({ ...request, target: rest.startsWith('/') ? rest : `/${rest}` })
  }
}

const isBelow = (target: string, prefix: string): boolean =>
  target.startsWith(prefix) && (prefix === '' || /^(?:[/?#]|$)/.test(target.slice(prefix.length)))
