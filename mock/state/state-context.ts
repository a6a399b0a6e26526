import type { Json, Resource } from '../../spec/index.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { ResourceContext } from '../resources/resource-context.ts'
import type { Kind, Plan } from './kinds.ts'
import type { KeyedInstance, Store } from './store.ts'

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
