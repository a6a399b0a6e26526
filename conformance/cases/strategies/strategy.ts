import type { Precondition, RequestSpec } from '../case.ts'
import type { Identities } from '../identities.ts'
import type { OperationModel } from '../operation-model.ts'
import type { RandomValues } from '../random-values.ts'

/** Makes the requests that test one obligation. */
export type Strategy = {
  /**
   * How many requests differ in what matters. Infinity: random ones follow the first few. An index beyond the size gives the same
   * inputs again, if possible in other requests.
   */
  readonly size: number
  /** How many requests come before any other obligation has a second one. Default 1. */
  readonly first?: number
  /** How many edge cases an endless strategy begins with: they are sent before the rest of any obligation. */
  readonly edgeCases?: number
  /** How many turns an endless strategy gets in each round of random cases. */
  readonly weight: number
  readonly precondition: Precondition
  /** That of the request with this index, if they differ. */
  readonly preconditionOf?: (index: number) => Precondition
  /** `number` is that of the case, from which labels and identities follow. Null: this request cannot be made. */
  readonly make: (index: number, number: number) => RequestSpec | null
  /** In place of the first request if that was sent before: one with as much in it as can be. */
  readonly richest?: (number: number) => RequestSpec | null
}

/** Why the suite cannot test an obligation. `access`: it could, if it were given a token. */
export type Unsupported = { readonly unsupported: string; readonly cause?: 'access' }

export type StrategyContext = {
  readonly model: OperationModel
  readonly identities: Identities | null
  readonly seed: number
  readonly values: RandomValues
  readonly isTokenKnown: boolean
  /** Whether the server has rejected the token, which is made up; absent: it has not. */
  readonly isTokenRejected?: () => boolean
  /** Requests go through a proxy that forwards them, and so rewrites how they are framed. */
  readonly isForwarded: boolean
}

/** A valid request, different for each case number: what a strategy starts from. */
export type PlainSpec = (number: number) => RequestSpec

export const finiteStrategy = (
  size: number,
  make: Strategy['make'],
  precondition: Precondition = 'none',
): Strategy => ({ size, weight: 0, precondition, make })
