import type { Engine } from '../engine/engine.ts'
import type { RulesFor } from '../rules/rule.ts'
import type { Collections } from './collections.ts'
import type { Instances } from './instances.ts'

/** What the bodies of a document's responses are made with. */
export type ResourceContext = {
  readonly engine: Engine
  readonly rulesFor: RulesFor
  readonly instances: Instances
  readonly collections: Collections
  /** Before the paths of the document. */
  readonly prefix: string
}
