import { type Json, writeJson } from '../../spec/index.ts'
import type { KeyUse } from './keys.ts'

/** A resource that is kept. `isInitial`: it was there from the start, and not created by a request. */
export type Stored = { readonly name: Json; readonly instance: Json; readonly isInitial: boolean }

/** The resources of one collection, by their names as a path has them, in the order in which they came. */
export type StoredCollection = { readonly instances: ReadonlyMap<string, Stored> }

/** The resources that exist, for each client by the path of their collection: `/shops/7/orders`. */
export type Store = {
  /** The collection at a path; `make` fills it when it is first asked for. */
  readonly open: (
    client: string,
    path: string,
    make: () => Promise<readonly KeyedInstance[]>,
  ) => Promise<StoredCollection>
  readonly put: (client: string, path: string, instance: KeyedInstance) => void
  /** Removes a resource, and what is below it. */
  readonly remove: (client: string, path: string, key: string) => void
  /** The keys that requests of a client had, while this mock runs. */
  readonly keys: (client: string) => Map<string, KeyUse>
  /** All collections of a client that were asked for, with their resources. */
  readonly collections: (client: string) => ReadonlyMap<string, StoredCollection>
  /** Puts other collections in the place of all. */
  readonly replace: (client: string, collections: ReadonlyMap<string, readonly KeyedInstance[]>) => void
  /** As at the start; `null`: for all clients. */
  readonly reset: (client: string | null) => void
}

export type KeyedInstance = Stored & { readonly key: string }

export type StoreLimits = { readonly clients: number; readonly characters: number }

/** Of more, the client that changed something longest ago starts anew; of a single one, the oldest resources go. */
export const storeLimits: StoreLimits = { clients: 1000, characters: 64 * 1024 * 1024 }

/** Where the resources of a store outlive it. */
export type Persistence = {
  readonly load: () => Iterable<{
    readonly client: string
    readonly path: string
    readonly instance: KeyedInstance | null
  }>
  /** Notes that a collection was filled, even with nothing. */
  readonly opened: (client: string, path: string) => void
  readonly put: (client: string, path: string, instance: KeyedInstance) => void
  readonly remove: (client: string, path: string, key: string | null) => void
  readonly clear: (client: string | null) => void
  /** Does several changes as one. */
  readonly together: (changes: () => void) => void
}

/** A collection costs something even if it is empty. */
const costOf = (path: string): number => path.length + 200

type ItemsByKey = { readonly instances: Map<string, Stored> }
type Scope = {
  readonly itemsByPath: Map<string, ItemsByKey>
  readonly opening: Map<string, Promise<ItemsByKey>>
  readonly keys: Map<string, KeyUse>
}

export const createStore = (persistence: Persistence | null, limits: StoreLimits = storeLimits): Store => {
  const scopes = new Map<string, Scope>()
  const sizes = new WeakMap<Stored, number>()
  let characters = 0

  const scopeOf = (client: string): Scope => {
    const scope = scopes.get(client) ?? { itemsByPath: new Map(), opening: new Map(), keys: new Map() }
    // The last one is that which changed last.
    scopes.delete(client)
    scopes.set(client, scope)
    return scope
  }
  const itemsAt = ({ itemsByPath }: Scope, client: string, path: string): ItemsByKey => {
    const known = itemsByPath.get(path)
    if (known !== undefined) return known
    const items: ItemsByKey = { instances: new Map() }
    itemsByPath.set(path, items)
    characters += costOf(path)
    persistence?.opened(client, path)
    return items
  }
  const drop = (items: ItemsByKey, key: string): void => {
    const stored = items.instances.get(key)
    if (stored !== undefined) characters -= sizes.get(stored) ?? 0
    items.instances.delete(key)
  }
  const add = (items: ItemsByKey, { key, ...stored }: KeyedInstance): void => {
    const before = items.instances.get(key)
    if (before !== undefined) characters -= sizes.get(before) ?? 0
    const size = writeJson(stored.instance).length + key.length
    sizes.set(stored, size)
    characters += size
    items.instances.set(key, stored)
  }
  const forget = (client: string): void => {
    const { itemsByPath } = scopes.get(client) ?? { itemsByPath: new Map<string, ItemsByKey>() }
    for (const [path, items] of itemsByPath) {
      characters -= costOf(path)
      for (const stored of items.instances.values()) characters -= sizes.get(stored) ?? 0
    }
    scopes.delete(client)
    persistence?.clear(client)
  }
  const bound = (current: string): void => {
    while (scopes.size > limits.clients || (characters > limits.characters && scopes.size > 1)) {
      const oldest = scopes.keys().find(client => client !== current)
      if (oldest === undefined) break
      forget(oldest)
    }
    for (const [path, items] of scopes.get(current)?.itemsByPath ?? [])
      while (characters > limits.characters && items.instances.size > 1) {
        const key = items.instances.keys().next().value as string
        drop(items, key)
        persistence?.remove(current, path, key)
      }
    // What is left then is many collections with nothing in them, or with one resource.
    const scope = scopes.get(current)
    for (const path of scope?.itemsByPath.keys() ?? []) {
      if (scope === undefined || characters <= limits.characters || scope.itemsByPath.size === 1) break
      close(scope, current, path)
    }
  }
  const close = ({ itemsByPath, opening }: Scope, client: string, path: string): void => {
    const items = itemsByPath.get(path)
    for (const key of [...(items?.instances.keys() ?? [])]) if (items !== undefined) drop(items, key)
    characters -= costOf(path)
    itemsByPath.delete(path)
    opening.delete(path)
    persistence?.remove(client, path, null)
  }
  for (const { client, path, instance } of persistence?.load() ?? []) {
    const scope = scopeOf(client)
    const items = scope.itemsByPath.get(path) ?? { instances: new Map() }
    if (!scope.itemsByPath.has(path)) characters += costOf(path)
    scope.itemsByPath.set(path, items)
    if (instance !== null) add(items, instance)
  }

  return {
    open: async (client, path, make) => {
      const scope = scopeOf(client)
      const known = scope.itemsByPath.get(path)
      if (known !== undefined) return known
      const opening =
        scope.opening.get(path) ??
        make().then(instances => {
          const items = itemsAt(scope, client, path)
          const fill = (): void => {
            for (const instance of instances) {
              if (items.instances.has(instance.key)) continue
              add(items, instance)
              persistence?.put(client, path, instance)
            }
          }
          if (persistence === null) fill()
          else persistence.together(fill)
          bound(client)
          return items
        })
      scope.opening.set(path, opening)
      opening.catch(() => scope.opening.delete(path))
      return opening
    },
    put: (client, path, instance) => {
      add(itemsAt(scopeOf(client), client, path), instance)
      persistence?.put(client, path, instance)
      bound(client)
    },
    remove: (client, path, key) => {
      const scope = scopeOf(client)
      const items = scope.itemsByPath.get(path)
      if (items !== undefined) drop(items, key)
      persistence?.remove(client, path, key)
      const below = `${path}/${encodeURIComponent(key)}/`
      for (const each of [...scope.itemsByPath.keys()]) if (each.startsWith(below)) close(scope, client, each)
    },
    keys: client => scopeOf(client).keys,
    collections: client => scopes.get(client)?.itemsByPath ?? new Map(),
    replace: (client, collections) => {
      const change = (): void => {
        forget(client)
        const scope = scopeOf(client)
        for (const [path, instances] of collections) {
          const items = itemsAt(scope, client, path)
          for (const instance of instances) {
            add(items, instance)
            persistence?.put(client, path, instance)
          }
        }
      }
      if (persistence === null) change()
      else persistence.together(change)
      bound(client)
    },
    reset: client => {
      for (const each of client === null ? [...scopes.keys()] : [client]) forget(each)
    },
  }
}
