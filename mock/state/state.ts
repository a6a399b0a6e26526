import type { Json } from '../../spec/index.ts'
import { locator } from '../documents/prefix.ts'
import type { ServedDocument } from '../engine/context.ts'
import { maxClientLength } from '../engine/request.ts'
import { memoize } from '../memo.ts'
import type { RuleSettings } from '../rules/rule.ts'
import { collectionPathsOf, readSeedData, type SeedData, snapshotOf } from './snapshot.ts'
import type { InitialInstances, StateContext } from './state-context.ts'
import { createStateContext } from './stateful-responder.ts'
import type { Store } from './store.ts'

/** The resources that a mock keeps. The name of a client is that of its header `Plantstore-Client`; without one, those of all others. */
export type State = {
  /** The paths of the collections that are kept; empty if the operations of the documents form no resources. */
  readonly collections: readonly string[]
  /** The collections that were asked for, with their resources, as seed data. */
  readonly snapshot: (client?: string) => Readonly<Record<string, Json>>
  /** Puts these resources in the place of all. Throws SeedDataError, and changes nothing then, if the contract does not allow them. */
  readonly load: (data: SeedData, client?: string) => void
  /** As at the start, for one client or for all. */
  readonly reset: (client?: string) => void
}

export const createState = (
  store: Store,
  documents: () => readonly ServedDocument[],
  rules: RuleSettings,
): State & { readonly read: (data: SeedData) => InitialInstances } => {
  const stateContexts = memoize(documents, (all): readonly StateContext[] =>
    all.map(({ engine, prefix }) =>
      createStateContext(engine, { store, settings: rules, prefix, initial: { instances: new Map() } }),
    ),
  )
  const nameOf = (client: string | undefined): string => client?.slice(0, maxClientLength) ?? ''
  const locate = locator(documents)
  const declared = (path: string): string => {
    const found = locate(path)
    return found === null ? path : found.document.prefix + found.target
  }
  const read = (data: SeedData): InitialInstances => readSeedData(stateContexts(), declared, data)
  return {
    get collections() {
      return stateContexts().flatMap(collectionPathsOf)
    },
    snapshot: client => snapshotOf(stateContexts(), store.collections(nameOf(client))),
    load: (data, client) => store.replace(nameOf(client), read(data)),
    reset: client => store.reset(client === undefined ? null : nameOf(client)),
    read,
  }
}
