import { isObject, type Json } from '../../spec/index.ts'
import { keyOf, thingSeed } from '../resources/collections.ts'
import { asTyped } from '../resources/fill.ts'
import { pagedRules } from '../resources/position.ts'
import { validatorOf } from '../resources/things.ts'
import type { OperationRules } from '../rules/rule.ts'
import type { Keeping } from './keeping.ts'
import type { Kind } from './kinds.ts'
import { collectionPath } from './paths.ts'
import type { KeyedThing, Stored, StoredCollection } from './store.ts'

/** So many things are made up for a list with pages. */
const mostMadeUp = 20

/** The path of a collection with the prefix of its document. */
export const shelfPath = ({ workshop }: Keeping, { resource }: Kind, outer: readonly Json[]): string =>
  workshop.prefix + collectionPath(resource, outer)

/** The things of a collection. What nobody has changed yet begins with those of the seed data, or with made-up ones. */
export const openShelf = (
  keeping: Keeping,
  client: string,
  kind: Kind,
  outer: readonly Json[],
): Promise<StoredCollection> => {
  const path = shelfPath(keeping, kind, outer)
  return keeping.store.open(
    client,
    path,
    async () => keeping.initial.things.get(path) ?? (await madeUp(keeping, client, kind, outer)),
  )
}

/** A thing that is kept; undefined: there is none. `values`: the names in its path. */
export const findThing = async (
  keeping: Keeping,
  client: string,
  kind: Kind,
  values: readonly Json[],
): Promise<Stored | undefined> => {
  const { things } = await openShelf(keeping, client, kind, values.slice(0, -1))
  const stored = things.get(keyOf(values.at(-1) ?? ''))
  // A thing that is being made is not there yet.
  return stored === undefined || stored.thing === null ? undefined : stored
}

/** The first things of the list as it is without state. What a request has created has nothing below it yet. */
const madeUp = async (
  keeping: Keeping,
  client: string,
  kind: Kind,
  outer: readonly Json[],
): Promise<readonly KeyedThing[]> => {
  const { workshop, kinds } = keeping
  const { list, basis, resource } = kind
  if (list === null || (list.identity === null && resource.read !== null)) return []
  const parent = resource.parent === null ? undefined : kinds.get(resource.parent)
  const around = parent === undefined ? undefined : await findThing(keeping, client, parent, outer)
  if (parent !== undefined && around?.isInitial !== true) return []
  const whole = workshop.collections({ rules: list, world: '', salt: '', outer, isDynamic: false })
  const size = pagedRules(list).length > 0 ? Math.min(whole.size, mostMadeUp) : whole.size
  const { identity, thing: place } = list
  const isShowable =
    place === null ? () => true : (item: Json) => validatorOf(workshop.engine, place)(item).length === 0
  const made = [...Array(size).keys()].map(async (index): Promise<KeyedThing | null> => {
    const item = await whole.itemAt(index)
    const name = identity === null ? index : isObject(item) ? item[identity] : undefined
    // One that does not conform would spoil the whole list.
    if (name === undefined || !isShowable(item)) return null
    const shared = Object.fromEntries(
      Object.entries(isObject(item) ? item : {}).filter(([property]) =>
        kind.thing.properties.includes(property),
      ),
    )
    const thing =
      basis === list
        ? item
        : await workshop.things.make(basis, {
            seed: thingSeed(basis, '', name),
            turn: index,
            fixed: { ...shared, ...identityIn(basis, name) },
            isDynamic: false,
          })
    return { key: keyOf(name), name, thing, isInitial: true }
  })
  return (await Promise.all(made)).filter(each => each !== null)
}

/** The property that names a thing, with its name as the schema has it. */
export const identityIn = (
  { identity, identityPlace }: OperationRules,
  name: Json,
): Readonly<Record<string, Json>> =>
  identity === null || identityPlace === null ? {} : { [identity]: asTyped(name, identityPlace) }
