import type { Middleware, ServedDocument } from '../engine/context.ts'
import { memoize } from '../engine/memo.ts'
import { notFound } from '../engine/reject.ts'
import { pathOf, withoutOrigin } from '../engine/request.ts'
import { belowNoPrefix } from '../failures/undeclared-path.ts'

/** The admin routes of the mock stand below this prefix; no document can have it. */
export const adminPrefix = '/__plantstore'

/**
 * Finds the document of a request, the one with the longest prefix of its path, and takes that prefix off the target. A
 * path without a document gets the 404 of the first one.
 */
export const findDocument = (documents: () => readonly ServedDocument[]): Middleware => {
  const longestFirst = memoize(documents, all =>
    [...all].sort((left, right) => right.prefix.length - left.prefix.length),
  )
  return (context, next) => {
    const first = documents()[0]
    if (first === undefined) throw new Error('there is no document')
    const { request } = context
    if (request.unreadable !== undefined) {
      context.document = first
      return next(context)
    }
    const target = withoutOrigin(request.target)
    const found = longestFirst().find(({ prefix }) => isBelow(target, prefix))
    if (found === undefined) {
      const routers = documents().map(({ prefix, engine: { router } }) => ({ prefix, router }))
      return notFound(first.engine, belowNoPrefix(routers, pathOf(target)))
    }
    context.document = found
    if (found.prefix !== '') {
      const rest = target.slice(found.prefix.length)
      context.request = { ...request, target: rest.startsWith('/') ? rest : `/${rest}` }
    }
    return next(context)
  }
}

const isBelow = (target: string, prefix: string): boolean =>
  prefix === '' || (target.startsWith(prefix) && /^(?:[/?#]|$)/.test(target.slice(prefix.length)))
