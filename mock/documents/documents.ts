import { fileURLToPath } from 'node:url'
import {
  basePathOf,
  type Contract,
  type LoadOptions,
  loadContract,
  type Operation,
  plantStoreDocument,
  type Router,
} from '../../spec/index.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { notFound } from '../engine/reject.ts'
import { pathOf, withoutOrigin } from '../engine/request.ts'
import { OptionError } from '../errors.ts'
import { basePathsOf, belowNoPrefix } from '../failures/undeclared-path.ts'
import { memoize, perObject } from '../memo.ts'

export type DocumentOptions = {
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's, unless there are `documents`. */
  readonly contract?: Contract | string | undefined
  /** More of them, by the prefix of their paths: `{ '/billing': 'payments.yaml' }`. */
  readonly documents?: Readonly<Record<string, Contract | string>> | undefined
}

/** Where a document comes from, and the prefix of its paths: `/billing`, or empty. */
export type DocumentSource = { readonly prefix: string; readonly from: Contract | string }

/** A document that is served. `problem`: why the present text of its file is not; null: it is. */
export type Served = Pick<ServedDocument, 'prefix' | 'basePath' | 'contract' | 'problem'>

/** A document that was read. */
export type ReadDocument = Omit<Served, 'basePath'>

/** The documents that are served now. */
export type Serving = {
  readonly documents: () => readonly ServedDocument[]
  readonly close: () => Promise<void>
}

/** Compiles contracts, each at its prefix. */
export type Compile = (documents: readonly ReadDocument[]) => Promise<readonly ServedDocument[]>

/** The documents that the options name, the one without a prefix first. Throws OptionError. */
export const sourcesOf = ({ contract, documents = {} }: DocumentOptions): readonly DocumentSource[] => {
  const more = Object.entries(documents).map(([prefix, from]) => ({ prefix: prefixOf(prefix), from }))
  const all = [...(contract === undefined ? [] : [{ prefix: '', from: contract }]), ...more]
  const twice = all.find(({ prefix }, index) => all.findIndex(other => other.prefix === prefix) !== index)
  if (twice !== undefined)
    throw new OptionError(
      `two documents have the prefix ${twice.prefix || '/'}: give each its own with --mount /PREFIX=FILE`,
    )
  return all.length > 0 ? all : [{ prefix: '', from: fileURLToPath(plantStoreDocument) }]
}

const prefixOf = (text: string): string => {
  if (!/^(\/[\w\-.~!$&'()*+,;:@]+)*\/?$/.test(text) || !text.startsWith('/'))
    throw new OptionError(`${JSON.stringify(text)} is not a valid path prefix: write it as /billing`)
  const prefix = text.replace(/\/$/, '')
  if (`${prefix}/`.startsWith(`${adminPrefix}/`))
    throw new OptionError(`the prefix ${adminPrefix} is reserved for the mock: choose another`)
  return prefix
}

export type ServingOptions = {
  readonly sources: readonly DocumentSource[]
  readonly refs: Omit<LoadOptions, 'from' | 'reads'>
  readonly compile: Compile
  readonly warn: (message: string) => void
}

/** Reads the documents once. Throws DocumentError. */
export const readDocuments = async ({ sources, refs, compile }: ServingOptions): Promise<Serving> => {
  const documents = await compile(
    await Promise.all(
      sources.map(async ({ prefix, from }) => ({
        prefix,
        contract: typeof from === 'string' ? await loadContract({ ...refs, from }) : from,
        problem: null,
      })),
    ),
  )
  return { documents: () => documents, close: async () => {} }
}

/** An operation whose id an earlier document has gets the prefix of its document in front of it: `billing.list`. */
export const withUniqueIds = (documents: readonly ReadDocument[]): readonly ReadDocument[] => {
  const taken = new Set<string>()
  return documents.map(served => {
    const { contract, prefix } = served
    const renamed = contract.operations.map((operation): Operation => {
      let id = operation.id
      if (taken.has(id)) id = [...prefix.split('/').slice(1), id].join('.')
      for (let count = 2; taken.has(id); count++) id = `${operation.id}-${count}`
      return id === operation.id ? operation : { ...operation, id }
    })
    for (const { id } of renamed) taken.add(id)
    const isSame = renamed.every((operation, index) => operation === contract.operations[index])
    return isSame ? served : { ...served, contract: { ...contract, operations: renamed } }
  })
}

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

/** `auto`: the one that all `servers` of a document have; `none`; or a path, such as `/v1`. */
export type BasePathSetting = string

/**
 * The path below which a document is served besides its own paths; empty: there is none. `auto` takes the path of `servers`
 * if all have the same, and no declared path begins with it. Throws OptionError.
 */
export const servedBasePath = (contract: Contract, setting: BasePathSetting): string => {
  if (setting === 'none') return ''
  if (setting !== 'auto') return checked(setting)
  const [first, ...others] = new Set(basePathsOf(contract))
  if (first === undefined || first === '' || others.length > 0) return ''
  return contract.operations.some(({ path }) => isBelow(path, first)) ? '' : first
}

/** The base path of an operation's own servers that a target is below; empty: it is below none. */
export const ownBase = (
  { operations }: Pick<Contract, 'operations'>,
  target: string,
  router: Router,
): string => {
  for (const { servers } of operations)
    for (const base of servers?.map(basePathOf) ?? []) {
      if (base === '' || !isBelow(target, base)) continue
      const route = router('GET', pathOf(below(target, base)))
      if (route.kind === 'no-path') continue
      const { path } = route.operation
      const isServed = operations.some(
        each => each.path === path && each.servers?.map(basePathOf).includes(base),
      )
      if (isServed) return base
    }
  return ''
}

/** A target below a base path without that, unless the target is declared as it stands. */
export const withoutBase = (target: string, base: string, router: Router, path: string): string => {
  if (base === '' || !isBelow(target, base) || router('GET', path).kind !== 'no-path') return target
  return below(target, base)
}

export const isBelow = (target: string, prefix: string): boolean =>
  prefix === '' || (target.startsWith(prefix) && /^(?:[/?#]|$)/.test(target.slice(prefix.length)))

export const below = (target: string, prefix: string): string => {
  const rest = target.slice(prefix.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const checked = (text: string): string => {
  if (!/^(?:\/[\w\-.~!$&'()*+,;:@%]+)+\/?$/.test(text))
    throw new OptionError(
      `${JSON.stringify(text)} is not a valid base path: write it as /v1, or auto to take it from servers, or none`,
    )
  return text.replace(/\/$/, '')
}
