import type { Tokens, UnauthenticatedPolicy } from '../../spec/index.ts'
import type { ServedDocument } from '../engine/context.ts'
import type { Journal } from '../middleware/journal.ts'

/** The state of a mock, for admin routes. */
export type MockState = {
  /** The list is another one after documents were read again. */
  readonly documents: () => readonly ServedDocument[]
  readonly tokens: Tokens
  readonly unauthenticated: UnauthenticatedPolicy
  readonly journal: Journal
  /** What a proxy does beside forwarding; null: this is a mock. */
  readonly forward: { readonly mockMissing?: boolean | undefined } | null
  /** Whether it keeps what requests create, change and remove. */
  readonly keeps: boolean
  /** Differs each time a mock starts, when the numbers of the journal begin at 1 again. */
  readonly run: string
}
