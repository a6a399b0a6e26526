import type {
  Contract,
  Obligation,
  Operation,
  RequestPart,
  Tokens,
  UnauthenticatedPolicy,
} from '../../spec/index.ts'
import type { Context } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'

/** A request for the operation whose obligation is broken. */
export type MutantInput = JudgedRequest & {
  /** Whether each earlier request on the same connection was valid. */
  readonly before: readonly boolean[]
}

/** The responses that a mutant can give. */
export type MutantResponses = {
  /** The response that conforms to the contract. */
  readonly usual: () => MaybePromise<MockResponse>
  /** The declared success, whatever the request. */
  readonly accept: () => MaybePromise<MockResponse>
  /** The declared failure, whatever the request. */
  readonly reject: (part: RequestPart) => MaybePromise<MockResponse>
}

/** Responds in the place of the engine; `input` is null if the request is for no declared operation. */
export type Mutant = (
  input: MutantInput | null,
  responses: MutantResponses,
  context: Context,
) => MaybePromise<MockResponse>

/** Why no mutant can break an obligation so that a client could tell. */
export type Unbreakable = { readonly reason: string }

/** What mutants are made from. */
export type MutationContext = {
  readonly contract: Contract
  readonly operation: Operation
  readonly obligation: Obligation
  /** All obligations of the operation. */
  readonly siblings: readonly Obligation[]
  readonly tokens: Tokens
  readonly unauthenticated: UnauthenticatedPolicy
  readonly engine: Engine
}

/** A mutant that accepts or rejects the requests that `isHit` selects, whether they are valid or not. */
export const misjudge =
  (isHit: (input: MutantInput) => boolean, verdict: 'accept' | RequestPart): Mutant =>
  (input, { usual, accept, reject }) => {
    if (input === null || !isHit(input)) return usual()
    return verdict === 'accept' ? accept() : reject(verdict)
  }

export const isValid = ({ violations }: MutantInput): boolean => violations.length === 0
