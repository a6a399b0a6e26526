import type { Contract } from '../../spec/index.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { notFound } from '../engine/reject.ts'
import { pathOf, withoutOrigin } from '../engine/request.ts'
import { belowNoPrefix } from '../failures/undeclared-path.ts'
import { memoize } from '../memo.ts'
import { perObject } from '../per-object.ts'
import { below, isBelow, ownBase, withoutBase } from './base-path.ts'

/** The admin routes of the mock stand below this prefix; no document can have it. */
export const adminPrefix = '/__plantstore'

/** The document that a target is for, and the target without its prefix and the base path of its servers. */
export type Located = {
  readonly document: ServedDocument
  readonly target: string
  /** What was taken off. */
  readonly base: string
}

/** Finds the document of a target: the one with the longest prefix of its path. Null: it is below no prefix. */
export const locator = (documents: () => readonly ServedDocument[]): ((target: string) => Located | null) => {
  const hasOwnServers = perObject(({ operations }: Contract) =>
    operations.some(({ servers }) => servers !== null),
  )
  const longestFirst = memoize(documents, all =>
    [...all].sort((left, right) => right.prefix.length - left.prefix.length),
  )
  return whole => {
    const target = withoutOrigin(whole)
    const document = longestFirst().find(({ prefix }) => isBelow(target, prefix))
    if (document === undefined) return null
    const { prefix, basePath, engine, contract } = document
    const rest = prefix === '' ? target : below(target, prefix)
    const own = hasOwnServers(contract) ? ownBase(contract, rest, engine.router) : ''
    if (own !== '') return { document, target: below(rest, own), base: prefix + own }
    const found = withoutBase(rest, basePath, engine.router, pathOf(rest))
    return {
      document,
      target: found === target ? whole : found,
      base: prefix + (found === rest ? '' : basePath),
    }
  }
}

/**
 * Finds the document of a request, and takes its prefix and the base path of its servers off the target. A path without a document gets the 404 of the first
 * one.
 */
export const findDocument = (documents: () => readonly ServedDocument[]): Middleware => {
  const locate = locator(documents)
  return (context, next) => {
    const first = documents()[0]
    if (first === undefined) throw new Error('there is no document')
    const { request } = context
    if (request.unreadable !== undefined) {
      context.document = first
      return next(context)
    }
    const found = locate(request.target)
    if (found === null) {
      const routers = documents().map(({ prefix, engine: { router } }) => ({ prefix, router }))
      return notFound(first.engine, belowNoPrefix(routers, pathOf(request.target)))
    }
    context.document = found.document
    if (found.target !== request.target)
      context.request = { ...request, target: found.target, base: (request.base ?? '') + found.base }
    return next(context)
  }
}

/** Whether a document declares the path of a target, with whatever method. */
export const declares = ({ document, target }: Located, method: string): boolean =>
  document.engine.router(method, pathOf(target)).kind !== 'no-path'
