import {
  type Contract,
  type DeclaredResponse,
  type Json,
  jsonMedia,
  namedExamples,
  type Operation,
  responseFor,
  type Validate,
} from '../../spec/index.ts'
import type { Scenario } from './scenario.ts'

/** A named example of the document, and the response that it belongs to. */
export type Example = {
  readonly declared: DeclaredResponse
  readonly value: Json
  readonly validate: Validate | null
}

/** The example that a scenario names: of its status, else of any, successes first. Null: there is none of this name. */
export const exampleOf = (
  contract: Contract,
  operation: Operation,
  { status, example }: Scenario,
): Example | null => {
  for (const declared of responsesOf(operation, status)) {
    const media = jsonMedia(declared.media) ?? declared.media[0]
    const value = examplesIn(contract, declared).get(example ?? '')
    if (media === undefined || value === undefined) continue
    const validate = media.schema === null ? null : contract.responses.schemas.validator(media.schema)
    return { declared, value, validate }
  }
  return null
}

/** The names of the examples that a scenario of this status can have. */
export const namesOfExamples = (
  contract: Contract,
  operation: Operation,
  status: number | undefined,
): readonly string[] => [
  ...new Set(responsesOf(operation, status).flatMap(declared => [...examplesIn(contract, declared).keys()])),
]

const responsesOf = (operation: Operation, status: number | undefined): readonly DeclaredResponse[] => {
  if (status === undefined)
    return operation.responses.toSorted((left, right) => left.status.localeCompare(right.status))
  const declared = responseFor(operation, status)
  return declared === null ? [] : [declared]
}

const examplesIn = (contract: Contract, { media }: DeclaredResponse): ReadonlyMap<string, Json> => {
  const at = (jsonMedia(media) ?? media[0])?.pointer
  const named = at === undefined ? [] : namedExamples(contract.document, at)
  return new Map(
    named.flatMap(({ name, pointer }) => {
      const value = contract.exact(pointer)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
