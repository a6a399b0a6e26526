import {
  type Contract,
  type Direction,
  deriveObligations,
  type Obligation,
  type ObligationId,
  type Operation,
  type Parameter,
  type Pointer,
  type RequestAspect,
  type Subject,
  type ValueLocation,
} from '../../spec/index.ts'
import { createOperationModel, lazily, type OperationModel } from '../cases/operation-model.ts'
import type { Sides } from './changed-pairs.ts'
import { type Comparison, compareDocuments, type JoinedSchemas, joinSchemas } from './same-schema.ts'

/** What one document allows and the other rules out, in one operation, with an example that both judges have seen. */
export type Counterexample = {
  readonly part: 'request' | 'response'
  /** Of a response: what is answered. */
  readonly status: number | null
  /** The id of the requirement that is violated, in the document that rules it out. */
  readonly requirement: ObligationId
  readonly subject: Subject | RequestAspect
  /** Where the value is that is ruled out; null if it is no value. */
  readonly at: ValueLocation | null
  /** What the judge says: «`name` must have at least 1 character». */
  readonly reason: string
  /** The smallest example: of a body its value, else the line of the request or response. */
  readonly witness: string
  /** The schema of the value in the document that allows it; null if it is no value. */
  readonly schema: Pointer | null
  /** The pair of schemas by which it was found; null if none has changed. */
  readonly origin: string | null
  /** Everything that the other judge says of the example, the requirement first. */
  readonly violated: readonly string[]
}

/** What could not be decided, and why. */
export type Undecided = { readonly subject: string; readonly reason: string }

/** What a search notes while it makes its examples. */
export type Notes = { readonly undecided: Undecided[]; readonly shared: string[] }

export type Search = {
  readonly counterexample: readonly Counterexample[]
  readonly undecided: readonly Undecided[]
  /** The pairs of schemas whose values another operation has shown. */
  readonly shared: readonly string[]
}

/** One of two documents, as it describes an operation that both have. */
export type Side = {
  readonly contract: Contract
  readonly operation: Operation
  readonly model: () => OperationModel
  /** Its requirements by id, derived when the first is asked for. */
  readonly requirement: (id: ObligationId) => Obligation | null
}

export const createSide = (contract: Contract, operation: Operation): Side => {
  const requirements = lazily(
    () =>
      new Map([...deriveObligations(contract, 'declared', [operation])].flat().map(each => [each.id, each])),
  )
  return {
    contract,
    operation,
    model: lazily(() => createOperationModel(contract, operation)),
    requirement: id => requirements().get(id) ?? null,
  }
}

/** `from` sends, and `to` judges. */
export type Pair = {
  readonly from: Side
  readonly to: Side
  readonly requests: Sides
  readonly responses: Sides
}

/** What two documents have in common, for all pairs of their operations. */
export const createPairs = (from: Contract, to: Contract, seed: number): ((from: Side, to: Side) => Pair) => {
  const requests = createSides(from.requests, to.requests, seed, true)
  const responses = createSides(from.responses, to.responses, seed, false)
  return (one, other) => ({ from: one, to: other, requests, responses })
}

const createSides = (from: Direction, to: Direction, seed: number, areTwoMeant: boolean): Sides => {
  const isSame: Comparison = compareDocuments(from.document, to.document)
  const join: JoinedSchemas = joinSchemas(from.document, to.document)
  return { from, to, isSame, join, seed, areTwoMeant, done: new Set() }
}

/** The parameter of the other operation for the same values: of a path by its place in the template, of all others by its name. */
export const sameParameter = (
  parameter: Parameter,
  { operation }: Side,
  { operation: other }: Side,
): Parameter | null =>
  other.parameters.find(each => {
    if (each.in !== parameter.in) return false
    if (each.in === 'path') return turnIn(other.path, each.name) === turnIn(operation.path, parameter.name)
    return each.in === 'header'
      ? each.name.toLowerCase() === parameter.name.toLowerCase()
      : each.name === parameter.name
  }) ?? null

const turnIn = (path: string, name: string): number =>
  [...path.matchAll(/\{([^{}]+)\}/g)].findIndex(([, found]) => found === name)

/** The credentials that an operation requires, as a text. */
export const securityText = ({ security }: Operation): string =>
  JSON.stringify(security.map(schemes => schemes.map(({ pointer: _, name: __, ...scheme }) => scheme)))
