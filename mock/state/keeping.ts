import type { Json, Resource } from '../../spec/index.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { Workshop } from '../resources/workshop.ts'
import type { Kind, Plan } from './kinds.ts'
import type { KeyedThing, Store } from './store.ts'

/** The things that collections have at the start, by the path of the collection below the prefix of its document. */
export type InitialThings = ReadonlyMap<string, readonly KeyedThing[]>

/** Seed data can be read only when the documents are compiled. */
export type Initial = { things: InitialThings }

/** What the things of one document are kept with. */
export type Keeping = {
  readonly workshop: Workshop
  readonly kinds: ReadonlyMap<Resource, Kind>
  readonly store: Store
  readonly initial: Initial
}

/** A request for what is kept. `values`: the names in its path, from the left. */
export type KeptRequest = {
  readonly keeping: Keeping
  readonly judged: JudgedRequest
  readonly client: string
  readonly plan: Plan
  readonly values: readonly Json[]
}
