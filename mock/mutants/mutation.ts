import {
  type Contract,
  isArray,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  listPlaces,
  numberText,
  type Obligation,
  type Operation,
  operationContext,
  placesOf,
  type RequestPart,
  type Tokens,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { identityNameOf } from '../rules/infer.ts'

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

/** Whether a request has a text or number in it that nobody would write first: long, with signs, or far from zero. */
export const isUnusual = (context: MutationContext, { body, parameters }: MutantInput): boolean => {
  const { operation } = context
  if (operation.parameters.length === 0 && operation.body === null) return true
  const leaves = [...leavesOf(withoutIdentity(context, body)), ...leavesOf(parameters)]
  return leaves.some(leaf =>
    typeof leaf === 'string'
      ? !/^[\w ./:@-]{0,80}$/.test(leaf)
      : isNumber(leaf) && !/^-?\d{1,2}$/.test(numberText(leaf)),
  )
}

/** Whether there can be such a text or number: a pattern or a format allows none. */
export const mayBeUnusual = ({ contract, operation }: MutationContext): boolean => {
  const { body } = operationContext(contract, operation)
  const parameters = operation.parameters.flatMap(({ schema }) =>
    schema === null ? [] : listPlaces(placesOf(contract.requests.document, schema)),
  )
  const places = [...(body?.places ?? []), ...parameters]
  if (places.length === 0) return true
  return places.some(({ schemas, types }) => {
    const validators = schemas.map(contract.requests.schemas.validator)
    return unusual.some(
      value =>
        (types === null || types.includes(typeof value === 'string' ? 'string' : 'integer')) &&
        validators.every(validate => validate(value).length === 0),
    )
  })
}

const unusual: readonly Json[] = ['~', 'x'.repeat(81), '<<<<<<<<<<<<<<<<<<<<', 100, 12_345, -12_345]

const withoutIdentity = (
  { contract, operation }: MutationContext,
  body: Json | undefined,
): Json | undefined => {
  const name = identityNameOf({ contract, operation })
  if (name === undefined || !isObject(body)) return body
  const { [name]: _, ...rest } = body as Record<string, Json>
  return rest
}

const leavesOf = (value: Json | JsonObject | undefined): readonly Json[] => {
  if (value === undefined) return []
  if (isArray(value)) return value.flatMap(leavesOf)
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [value]
}
