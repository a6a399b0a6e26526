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
import { validatorOf } from '../resources/things.ts'
import type { InitialThings, Keeping } from './keeping.ts'
import type { Kind } from './kinds.ts'
import { collectionPath, outerNames } from './paths.ts'
import { identityIn } from './shelves.ts'
import type { KeyedThing, StoredCollection } from './store.ts'

/**
 * The things of collections, by their paths: a list, or where things do not say their names themselves a map from names to things.
 * `{ "/shops": [{ "id": 7, … }], "/shops/7/orders": [] }`
 */
export type SeedData = Readonly<Record<string, unknown>>

/** What is kept, as seed data has it. */
export const snapshotOf = (
  keepings: readonly Keeping[],
  collections: ReadonlyMap<string, StoredCollection>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...collections].flatMap(([path, { things }]) => {
      const kind = kindAt(keepings, path)?.kind
      const kept = [...things.values()].filter(({ thing }) => thing !== null)
      if (kind === undefined) return []
      const isNamed = kind.basis.identity !== null
      return [
        [
          path,
          isNamed
            ? kept.map(({ thing }) => thing)
            : Object.fromEntries(kept.map(({ name, thing }) => [keyOf(name), thing])),
        ] as const,
      ]
    }),
  )

/**
 * Reads seed data. `declared`: the path of a collection without the base path of its servers. Throws SeedDataError for what the contract
 * does not allow there.
 */
export const readSeedData = (
  keepings: readonly Keeping[],
  declared: (path: string) => string,
  data: unknown,
): InitialThings => {
  if (!isObject(data as Json))
    throw new SeedDataError('it must be a map from paths of collections to things', [])
  return new Map(
    Object.entries(data as Readonly<Record<string, Json>>).map(([path, given]) => {
      const own = declared(path)
      const found = kindAt(keepings, own)
      if (found === undefined) {
        const known = keepings.flatMap(collectionPathsOf)
        const [near] = nearest(path, known)
        const hint =
          near === undefined ? `: there are ${known.join(', ') || 'none'}` : ` (did you mean ${near}?)`
        throw new SeedDataError(`${path} is no collection of the contract${hint}`, [path])
      }
      return [own, thingsIn(found.keeping, found.kind, path, given)] as const
    }),
  )
}

/** The paths of all collections that are kept, as the document writes them. */
export const collectionPathsOf = ({ kinds, workshop: { prefix } }: Keeping): readonly string[] =>
  [...kinds.keys()].map(({ path }) => prefix + path.slice(0, path.lastIndexOf('/')))

const thingsIn = (keeping: Keeping, kind: Kind, path: string, given: Json): readonly KeyedThing[] => {
  const { identity } = kind.basis
  if (isArray(given) && identity !== null)
    return given.map((thing, index) => {
      const name = isObject(thing) ? thing[identity] : undefined
      checkThing(keeping, kind, thing, `${path}[${index}]`, [path, index])
      if (name === undefined) throw new SeedDataError(`${path}[${index}] has no ${identity}`, [path, index])
      return { key: keyOf(name), name, thing, isInitial: true }
    })
  if (!isObject(given))
    throw new SeedDataError(
      `${path} must be ${identity === null ? 'a map from names to things' : 'a list of things'}`,
      [path],
    )
  return Object.entries(given).map(([key, part]) => {
    const thing = isObject(part) ? { ...part, ...identityIn(kind.basis, key) } : part
    checkThing(keeping, kind, thing, `${path}/${key}`, [path, key])
    return {
      key,
      name: identity !== null && isObject(thing) ? (thing[identity] ?? key) : key,
      thing,
      isInitial: true,
    }
  })
}

const checkThing = (
  { workshop: { engine } }: Keeping,
  { thing: place }: Kind,
  thing: Json,
  label: string,
  path: readonly (string | number)[],
): void => {
  const [violation] = validatorOf(engine, place)(thing)
  if (violation === undefined) return
  const message = violationMessage(bodyLocation(''), violation).replace(/^the body/, 'it')
  throw new SeedDataError(`${label}: ${message}`, [...path, ...steps(violation.at)])
}

const kindAt = (keepings: readonly Keeping[], path: string): { keeping: Keeping; kind: Kind } | undefined => {
  for (const keeping of keepings) {
    const { prefix } = keeping.workshop
    if (!path.startsWith(prefix)) continue
    for (const kind of keeping.kinds.values()) {
      const outer = outerNames(kind.resource, path.slice(prefix.length))
      if (outer !== null && prefix + collectionPath(kind.resource, outer) === path) return { keeping, kind }
    }
  }
  return undefined
}
