import { isObject, type Json, type Resource } from '../../spec/index.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { asTyped, instanceSeed, keyOf } from '../resources/collections.ts'
import type { ResourceContext } from '../resources/instance-bodies.ts'
import { validatorOf } from '../resources/instances.ts'
import { pagedRules } from '../resources/position.ts'
import type { OperationRules } from '../rules/list-rule.ts'
import type { Kind, Plan } from './kinds.ts'
import type { KeyedInstance, Store, Stored, StoredCollection } from './store.ts'

/** So many resources are made up for a list with pages. */
const mostMadeUp = 20

/** The path of a collection with the prefix of its document. */
export const storedPath = (
  { resourceContext }: StateContext,
  { resource }: Kind,
  outer: readonly Json[],
): string => resourceContext.prefix + collectionPath(resource, outer)

/** The resources of a collection. What nobody has changed yet begins with those of the seed data, or with made-up ones. */
export const openCollection = (
  stateContext: StateContext,
  client: string,
  kind: Kind,
  outer: readonly Json[],
): Promise<StoredCollection> => {
  const path = storedPath(stateContext, kind, outer)
  return stateContext.store.open(
    client,
    path,
    async () => stateContext.initial.instances.get(path) ?? (await madeUp(stateContext, client, kind, outer)),
  )
}

/** A resource that is kept; undefined: there is none. `values`: the names in its path. */
export const findInstance = async (
  stateContext: StateContext,
  client: string,
  kind: Kind,
  values: readonly Json[],
): Promise<Stored | undefined> => {
  const { instances } = await openCollection(stateContext, client, kind, values.slice(0, -1))
  const stored = instances.get(keyOf(values.at(-1) ?? ''))
  // A resource that is being made is not there yet.
  return stored === undefined || stored.instance === null ? undefined : stored
}

/** The first resources of the list as it is without state. What a request has created has nothing below it yet. */
const madeUp = async (
  stateContext: StateContext,
  client: string,
  kind: Kind,
  outer: readonly Json[],
): Promise<readonly KeyedInstance[]> => {
  const { resourceContext, kinds } = stateContext
  const { list, basis, resource } = kind
  if (list === null || (list.identity === null && resource.read !== null)) return []
  const parent = resource.parent === null ? undefined : kinds.get(resource.parent)
  const around = parent === undefined ? undefined : await findInstance(stateContext, client, parent, outer)
  if (parent !== undefined && around?.isInitial !== true) return []
  const whole = resourceContext.collections({ rules: list, world: '', salt: '', outer, isDynamic: false })
  const size = pagedRules(list).length > 0 ? Math.min(whole.size, mostMadeUp) : whole.size
  const { identity, instance: place } = list
  const isShowable =
    place === null
      ? () => true
      : (item: Json) => validatorOf(resourceContext.engine, place)(item).length === 0
  const made = [...Array(size).keys()].map(async (index): Promise<KeyedInstance | null> => {
    const item = await whole.itemAt(index)
    const name = identity === null ? index : isObject(item) ? item[identity] : undefined
    // One that does not conform would spoil the whole list.
    if (name === undefined || !isShowable(item)) return null
    const shared = Object.fromEntries(
      Object.entries(isObject(item) ? item : {}).filter(([property]) =>
        kind.instance.properties.includes(property),
      ),
    )
    const instance =
      basis === list
        ? item
        : await resourceContext.instances.make(basis, {
            seed: instanceSeed(basis, '', name),
            turn: index,
            fixed: { ...shared, ...identityIn(basis, name) },
            isDynamic: false,
          })
    return { key: keyOf(name), name, instance, isInitial: true }
  })
  return (await Promise.all(made)).filter(each => each !== null)
}

/** The property that names a resource, with its name as the schema has it. */
export const identityIn = (
  { identity, identityPlace }: OperationRules,
  name: Json,
): Readonly<Record<string, Json>> =>
  identity === null || identityPlace === null ? {} : { [identity]: asTyped(name, identityPlace) }

/** The resources that collections have at the start, by the path of the collection below the prefix of its document. */
export type InitialInstances = ReadonlyMap<string, readonly KeyedInstance[]>

/** Seed data can be read only when the documents are compiled. */
export type Initial = { instances: InitialInstances }

/** What the resources of one document are kept with. */
export type StateContext = {
  readonly resourceContext: ResourceContext
  readonly kinds: ReadonlyMap<Resource, Kind>
  readonly store: Store
  readonly initial: Initial
}

/** A request for what is kept. `values`: the names in its path, from the left. */
export type KeptRequest = {
  readonly stateContext: StateContext
  readonly judged: JudgedRequest
  readonly client: string
  readonly plan: Plan
  readonly values: readonly Json[]
}

/** The path of the collection that resources are in: `/shops/7/orders`. `outer`: the names around it. */
export const collectionPath = ({ shape }: Resource, outer: readonly Json[]): string => {
  let index = 0
  return shape
    .slice(0, shape.lastIndexOf('/{}'))
    .replace(/\{\}/g, () => encodeURIComponent(keyOf(outer[index++] ?? '')))
}

/** The names around the resources of a collection, if this is the path of one; null: it is not. */
export const outerNames = ({ shape }: Resource, path: string): readonly string[] | null => {
  const pattern = shape
    .slice(0, shape.lastIndexOf('/{}'))
    .split('{}')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(path)
  return match === null ? null : match.slice(1).map(decodeURIComponent)
}
