import type { Scheme } from '../../contract/contract.ts'
import { fillToken } from '../../http/credential-placeholders.ts'
import { header, headerValues } from '../../http/exchange.ts'
import { cookiePairs, percent } from '../../serialization/parse-parameter.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import type { CredentialKind } from '../inputs/credential-kind.ts'
import { extraFields, isKey, keyOf } from '../inputs/extra-fields.ts'
import { fieldsOf, queryOf } from './extra-fields.ts'
import type { SentRequest } from './values.ts'

/** Whether a request has credentials in one of the variants of a kind. `token`: null if placeholders were left in it. */
export const isVariant = (
  { variants, extra, isPaired }: CredentialKind,
  scheme: Scheme,
  token: string | null,
  sent: SentRequest,
): boolean => {
  const given = credentialValues(scheme, sent.request)
  if (isPaired === true) {
    const fields = fieldsOf(sent)
    return variants.some(
      (values, index) =>
        isGiven(values, given, token) &&
        extra[index]?.every(each =>
          fields.some(field => keyOf(field) === keyOf(each) && field.value === each.value),
        ),
    )
  }
  const found = fieldsOf(sent).filter(field => isExtra(field, scheme, token))
  const isRight =
    found.length > 0 === extra.length > 0 &&
    found.every(each => extra.flat().some(field => keyOf(field) === keyOf(each)))
  return isRight && variants.some(values => isGiven(values, given, token))
}

const isGiven = (values: readonly string[], given: readonly string[], token: string | null): boolean =>
  values.length === given.length &&
  values.every((value, index) => filled(value, token).trim() === given[index])

/** Whether a field is one of those that kinds of credentials add. An API key may have the name of one. */
const isExtra = (field: ExtraField, scheme: Scheme, token: string | null): boolean => {
  const value = extraValues.get(keyOf(field))
  return value !== undefined && filled(value, token) === field.value && !isKey(scheme, field)
}

const extraValues = new Map(
  Object.values(extraFields)
    .flat()
    .map(field => [keyOf(field), field.value]),
)

const filled = (value: string, token: string | null): string =>
  token === null ? value : fillToken(value, token)

const credentialValues = (scheme: Scheme, { headers, target }: SentRequest['request']): readonly string[] => {
  if (scheme.kind !== 'apiKey') return headerValues(headers, 'authorization')
  if (scheme.in === 'header') return headerValues(headers, scheme.key.toLowerCase())
  const pairs = scheme.in === 'query' ? queryOf(target) : cookiePairs(header(headers, 'cookie') ?? '')
  return pairs.filter(([name]) => name === scheme.key).map(([, value]) => percent(value))
}
