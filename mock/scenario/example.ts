import {
  type Contract,
  clauseOf,
  type Json,
  jsonMedia,
  type Operation,
  type ResponseClause,
  type Validate,
} from '../../spec/index.ts'
import { namedExamples } from '../example-places.ts'
import type { Scenario } from './scenario.ts'

/** A named example of the document, and the response that it belongs to. */
export type Example = {
  readonly clause: ResponseClause
  readonly value: Json
  readonly validate: Validate | null
}

/** The example that a scenario names: of its status, else of any, successes first. Null: there is none of this name. */
export const exampleOf = (
  contract: Contract,
  operation: Operation,
  { status, example }: Scenario,
): Example | null => {
  for (const clause of clausesFor(operation, status)) {
    const media = jsonMedia(clause.media) ?? clause.media[0]
    const found = examplesIn(contract, clause).get(example ?? '')
    if (media === undefined || found === undefined) continue
    const validate = media.schema === null ? null : contract.schemas.validator(media.schema)
    return { clause, value: found, validate }
  }
  return null
}

/** The names of the examples that there are to choose from. */
export const exampleNames = (
  contract: Contract,
  operation: Operation,
  status: number | undefined,
): readonly string[] => [
  ...new Set(clausesFor(operation, status).flatMap(clause => [...examplesIn(contract, clause).keys()])),
]

const clausesFor = (operation: Operation, status: number | undefined): readonly ResponseClause[] => {
  if (status === undefined)
    return operation.responses.toSorted((left, right) => left.status.localeCompare(right.status))
  const clause = clauseOf(operation, status)
  return clause === null ? [] : [clause]
}

const examplesIn = (contract: Contract, { media }: ResponseClause): ReadonlyMap<string, Json> => {
  const at = (jsonMedia(media) ?? media[0])?.pointer
  const named = at === undefined ? [] : namedExamples(contract.document, at)
  return new Map(
    named.flatMap(({ name, pointer }) => {
      const value = contract.exact(pointer)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
