import {
  isArray,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  listPlaces,
  numberText,
  operationContext,
  placesOf,
} from '../../spec/index.ts'
import { identityNameOf } from '../rules/identity-name.ts'
import type { MutantInput, MutationContext } from './mutation.ts'

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
