import {
  bodyLocation,
  isArray,
  isObject,
  type Json,
  nearest,
  steps,
  violationMessage,
} from '../../spec/index.ts'
import { SeedDataError } from '../errors.ts'
import { keyOf } from '../resources/collections.ts'
import { validatorOf } from '../resources/instances.ts'
import type { Kind } from './kinds.ts'
import type { KeyedInstance, StoredCollection } from './store.ts'
import {
  collectionPath,
  type InitialInstances,
  identityIn,
  outerNames,
  type StateContext,
} from './stored-collections.ts'

/**
 * The resources of collections, by their paths: a list, or where resources do not say their names themselves a map from names to resources.
 * `{ "/shops": [{ "id": 7, … }], "/shops/7/orders": [] }`
 */
export type SeedData = Readonly<Record<string, unknown>>

/** What is kept, as seed data has it. */
export const snapshotOf = (
  stateContexts: readonly StateContext[],
  collections: ReadonlyMap<string, StoredCollection>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...collections].flatMap(([path, { instances }]) => {
      const kind = kindAt(stateContexts, path)?.kind
      const kept = [...instances.values()].filter(({ instance }) => instance !== null)
      if (kind === undefined) return []
      const isNamed = kind.basis.identity !== null
      return [
        [
          path,
          isNamed
            ? kept.map(({ instance }) => instance)
            : Object.fromEntries(kept.map(({ name, instance }) => [keyOf(name), instance])),
        ] as const,
      ]
    }),
  )

/**
 * Reads seed data. `declared`: the path of a collection without the base path of its servers. Throws SeedDataError for what the contract
 * does not allow there.
 */
export const readSeedData = (
  stateContexts: readonly StateContext[],
  declared: (path: string) => string,
  data: unknown,
): InitialInstances => {
  if (!isObject(data as Json))
    throw new SeedDataError('it must be a map from paths of collections to resources', [])
  return new Map(
    Object.entries(data as Readonly<Record<string, Json>>).map(([path, given]) => {
      const own = declared(path)
      const found = kindAt(stateContexts, own)
      if (found === undefined) {
        const known = stateContexts.flatMap(collectionPathsOf)
        const [near] = nearest(path, known)
        const hint =
          near === undefined ? `: there are ${known.join(', ') || 'none'}` : ` (did you mean ${near}?)`
        throw new SeedDataError(`${path} is no collection of the contract${hint}`, [path])
      }
      return [own, instancesIn(found.stateContext, found.kind, path, given)] as const
    }),
  )
}

/** The paths of all collections that are kept, as the document writes them. */
export const collectionPathsOf = ({ kinds, resourceContext: { prefix } }: StateContext): readonly string[] =>
  [...kinds.keys()].map(({ path }) => prefix + path.slice(0, path.lastIndexOf('/')))

const instancesIn = (
  stateContext: StateContext,
  kind: Kind,
  path: string,
  given: Json,
): readonly KeyedInstance[] => {
  const { identity } = kind.basis
  if (isArray(given) && identity !== null)
    return given.map((instance, index) => {
      const name = isObject(instance) ? instance[identity] : undefined
      checkInstance(stateContext, kind, instance, `${path}[${index}]`, [path, index])
      if (name === undefined) throw new SeedDataError(`${path}[${index}] has no ${identity}`, [path, index])
      return { key: keyOf(name), name, instance, isInitial: true }
    })
  if (!isObject(given))
    throw new SeedDataError(
      `${path} must be ${identity === null ? 'a map from names to resources' : 'a list of resources'}`,
      [path],
    )
  return Object.entries(given).map(([key, part]) => {
    const instance = isObject(part) ? { ...part, ...identityIn(kind.basis, key) } : part
    checkInstance(stateContext, kind, instance, `${path}/${key}`, [path, key])
    return {
      key,
      name: identity !== null && isObject(instance) ? (instance[identity] ?? key) : key,
      instance,
      isInitial: true,
    }
  })
}

const checkInstance = (
  { resourceContext: { engine } }: StateContext,
  { instance: place }: Kind,
  instance: Json,
  label: string,
  path: readonly (string | number)[],
): void => {
  const [violation] = validatorOf(engine, place)(instance)
  if (violation === undefined) return
  const message = violationMessage(bodyLocation(''), violation).replace(/^the body/, 'it')
  throw new SeedDataError(`${label}: ${message}`, [...path, ...steps(violation.at)])
}

const kindAt = (
  stateContexts: readonly StateContext[],
  path: string,
): { stateContext: StateContext; kind: Kind } | undefined => {
  for (const stateContext of stateContexts) {
    const { prefix } = stateContext.resourceContext
    if (!path.startsWith(prefix)) continue
    for (const kind of stateContext.kinds.values()) {
      const outer = outerNames(kind.resource, path.slice(prefix.length))
      if (outer !== null && prefix + collectionPath(kind.resource, outer) === path)
        return { stateContext, kind }
    }
  }
  return undefined
}
