import type { Draft, Lane } from '../case.ts'
import type { Identities } from '../identities.ts'
import type { Model } from '../model.ts'
import type { RandomValues } from '../random-values.ts'

/** Makes drafts for one obligation: `size` different ones (Infinity: random after the first few). */
export type Maker = {
  readonly size: number
  /** How many of them are known to tell most, where `size` is Infinity: these come before the rest of any. */
  readonly telling?: number
  /** How large a share of the cases left over it gets; only where `size` is Infinity. */
  readonly weight: number
  readonly lane: Lane
  /** `number` is the case's own: labels and identities follow from it. Null: this one cannot be made. */
  readonly make: (index: number, number: number) => Draft | null
}

/** Why an obligation has no cases. */
export type Untested = { readonly untested: string }

export type MakerContext = {
  readonly model: Model
  readonly identities: Identities | null
  readonly seed: number
  readonly values: RandomValues
  readonly tokenKnown: boolean
}

export const finite = (size: number, make: Maker['make'], lane: Lane = 'any'): Maker => ({
  size,
  weight: 0,
  lane,
  make,
})
