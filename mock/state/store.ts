import type { Json } from '../../spec/index.ts'
import { writeJson } from '../../spec/index.ts'

/** A thing that is kept. `isInitial`: it was there from the start, and not created by a request. */
export type Stored = { readonly name: Json; readonly thing: Json; readonly isInitial: boolean }

/** The things of one collection, by their names as a path has them, in the order in which they came. */
export type StoredCollection = { readonly things: ReadonlyMap<string, Stored> }

/** The things that exist, for each client by the path of their collection: `/shops/7/orders`. */
export type Store = {
  /** The collection at a path; `make` fills it when it is first asked for. */
  readonly open: (
    client: string,
    path: string,
    make: () => Promise<readonly KeyedThing[]>,
  ) => Promise<StoredCollection>
  readonly put: (client: string, path: string, thing: KeyedThing) => void
  /** Removes a thing, and what is below it. */
  readonly remove: (client: string, path: string, key: string) => void
  /** All collections of a client that were asked for, with their things. */
  readonly collections: (client: string) => ReadonlyMap<string, StoredCollection>
  /** Puts other collections in the place of all. */
  readonly replace: (client: string, collections: ReadonlyMap<string, readonly KeyedThing[]>) => void
  /** As at the start; `null`: for all clients. */
  readonly reset: (client: string | null) => void
}

export type KeyedThing = Stored & { readonly key: string }

export type StoreLimits = { readonly clients: number; readonly characters: number }

/** Of more, the client that changed something longest ago starts anew; of a single one, the oldest things go. */
export const storeLimits: StoreLimits = { clients: 1000, characters: 64 * 1024 * 1024 }

/** Where the things of a store outlive it. */
export type Persistence = {
  readonly load: () => Iterable<{
    readonly client: string
    readonly path: string
    readonly thing: KeyedThing | null
  }>
  /** Notes that a collection was filled, even with nothing. */
  readonly opened: (client: string, path: string) => void
  readonly put: (client: string, path: string, thing: KeyedThing) => void
  readonly remove: (client: string, path: string, key: string | null) => void
  readonly clear: (client: string | null) => void
  /** Does several changes as one. */
  readonly together: (changes: () => void) => void
}

/** A collection costs something even if it is empty. */
const costOf = (path: string): number => path.length + 200

type Shelf = { readonly things: Map<string, Stored> }
type Scope = { readonly shelves: Map<string, Shelf>; readonly opening: Map<string, Promise<Shelf>> }

export const createStore = (persistence: Persistence | null, limits: StoreLimits = storeLimits): Store => {
  const scopes = new Map<string, Scope>()
  const sizes = new WeakMap<Stored, number>()
  let characters = 0

  const scopeOf = (client: string): Scope => {
    const scope = scopes.get(client) ?? { shelves: new Map(), opening: new Map() }
    // The last one is that which changed last.
    scopes.delete(client)
    scopes.set(client, scope)
    return scope
  }
  const shelfIn = ({ shelves }: Scope, client: string, path: string): Shelf => {
    const known = shelves.get(path)
    if (known !== undefined) return known
    const shelf: Shelf = { things: new Map() }
    shelves.set(path, shelf)
    characters += costOf(path)
    persistence?.opened(client, path)
    return shelf
  }
  const drop = (shelf: Shelf, key: string): void => {
    const stored = shelf.things.get(key)
    if (stored !== undefined) characters -= sizes.get(stored) ?? 0
    shelf.things.delete(key)
  }
  const add = (shelf: Shelf, { key, ...stored }: KeyedThing): void => {
    const before = shelf.things.get(key)
    if (before !== undefined) characters -= sizes.get(before) ?? 0
    const size = writeJson(stored.thing).length + key.length
    sizes.set(stored, size)
    characters += size
    shelf.things.set(key, stored)
  }
  const forget = (client: string): void => {
    const { shelves } = scopes.get(client) ?? { shelves: new Map<string, Shelf>() }
    for (const [path, shelf] of shelves) {
      characters -= costOf(path)
      for (const stored of shelf.things.values()) characters -= sizes.get(stored) ?? 0
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
    for (const [path, shelf] of scopes.get(current)?.shelves ?? [])
      while (characters > limits.characters && shelf.things.size > 1) {
        const key = shelf.things.keys().next().value as string
        drop(shelf, key)
        persistence?.remove(current, path, key)
      }
    // What is left then is many collections with nothing in them, or with one thing.
    const scope = scopes.get(current)
    for (const path of scope?.shelves.keys() ?? []) {
      if (scope === undefined || characters <= limits.characters || scope.shelves.size === 1) break
      close(scope, current, path)
    }
  }
  const close = ({ shelves, opening }: Scope, client: string, path: string): void => {
    const shelf = shelves.get(path)
    for (const key of [...(shelf?.things.keys() ?? [])]) if (shelf !== undefined) drop(shelf, key)
    characters -= costOf(path)
    shelves.delete(path)
    opening.delete(path)
    persistence?.remove(client, path, null)
  }
  for (const { client, path, thing } of persistence?.load() ?? []) {
    const scope = scopeOf(client)
    const shelf = scope.shelves.get(path) ?? { things: new Map() }
    if (!scope.shelves.has(path)) characters += costOf(path)
    scope.shelves.set(path, shelf)
    if (thing !== null) add(shelf, thing)
  }

  return {
    open: async (client, path, make) => {
      const scope = scopeOf(client)
      const known = scope.shelves.get(path)
      if (known !== undefined) return known
      const opening =
        scope.opening.get(path) ??
        make().then(things => {
          const shelf = shelfIn(scope, client, path)
          const fill = (): void => {
            for (const thing of things) {
              if (shelf.things.has(thing.key)) continue
              add(shelf, thing)
              persistence?.put(client, path, thing)
            }
          }
          if (persistence === null) fill()
          else persistence.together(fill)
          bound(client)
          return shelf
        })
      scope.opening.set(path, opening)
      opening.catch(() => scope.opening.delete(path))
      return opening
    },
    put: (client, path, thing) => {
      add(shelfIn(scopeOf(client), client, path), thing)
      persistence?.put(client, path, thing)
      bound(client)
    },
    remove: (client, path, key) => {
      const scope = scopeOf(client)
      const shelf = scope.shelves.get(path)
      if (shelf !== undefined) drop(shelf, key)
      persistence?.remove(client, path, key)
      const below = `${path}/${encodeURIComponent(key)}/`
      for (const each of [...scope.shelves.keys()]) if (each.startsWith(below)) close(scope, client, each)
    },
    collections: client => scopes.get(client)?.shelves ?? new Map(),
    replace: (client, collections) => {
      const change = (): void => {
        forget(client)
        const scope = scopeOf(client)
        for (const [path, things] of collections) {
          const shelf = shelfIn(scope, client, path)
          for (const thing of things) {
            add(shelf, thing)
            persistence?.put(client, path, thing)
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
