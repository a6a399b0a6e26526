import type { Json } from '../../spec/index.ts'
import type { DynamicScope } from '../read/document.ts'
import type { Schema } from '../read/keywords.ts'

/** A keyword that a value violates, and where: the instance pointer, the keyword, its part (see `ViolationTarget`). */
export type KeywordViolation = {
  readonly instance: string
  readonly keyword: string
  readonly detail: string
}

/** The property names and item indexes that schemas have evaluated so far, for `unevaluated…`. */
export type Evaluated = { readonly names: Set<string>; readonly items: Set<number> }

/** Where an evaluation stands, and what it collects. */
export type Evaluation = {
  readonly scope: DynamicScope
  readonly instance: string
  /** Null if only the verdict matters. */
  readonly violations: KeywordViolation[] | null
  /** Null if it does not matter what is evaluated. */
  readonly evaluated: Evaluated | null
  readonly depth: number
  /** The steps left, if everything is evaluated to count them; null if the first violation may end the evaluation. */
  readonly steps: { left: number } | null
}

export type Evaluate = (schema: Schema, value: Json, evaluation: Evaluation) => boolean

/** Reports a violation of the schema at hand; the result is the verdict. */
export type Fail = (keyword: string, detail: string) => false

/** True once the verdict is invalid, and neither violations nor steps are collected. */
export const isDecided = (valid: boolean, { violations, steps }: Evaluation): boolean =>
  !valid && violations === null && steps === null

export const nothingEvaluated = (): Evaluated => ({ names: new Set(), items: new Set() })

export const addEvaluated = (to: Evaluated, from: Evaluated): void => {
  for (const name of from.names) to.names.add(name)
  for (const index of from.items) to.items.add(index)
}
