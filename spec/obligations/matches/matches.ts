import type { Contract, Scheme } from '../../contract/contract.ts'
import { identityOf } from '../../contract/identity.ts'
import { fillToken } from '../../http/credential-placeholders.ts'
import { header, headerValues } from '../../http/exchange.ts'
import { withoutBoundary } from '../../http/multipart.ts'
import { asNode } from '../../json/follow-refs.ts'
import { isArray, isObject, type Json } from '../../json/json.ts'
import { type Pointer, valueAt } from '../../json/pointer.ts'
import { cookiePairs, percent, queryPairs } from '../../serialization/parse-parameter.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import type { CredentialKind } from '../inputs/credential-kind.ts'
import { credentialKinds, testedScheme } from '../inputs/credentials.ts'
import { extraFields, isKey, keyOf } from '../inputs/extra-fields.ts'
import { withoutStrings } from '../inputs/json-text.ts'
import type { OperationContext } from '../operation-context.ts'
import type { Layout, Subject } from '../subject.ts'
import {
  combinesExtremes,
  hasPresent,
  isReordered,
  listedValue,
  type SentRequest,
  type Values,
  valuesAt,
} from './values.ts'

/** All fields of a request: its query parameters, headers, cookies and properties. */
const fieldsOf = ({ request: { headers, target }, body }: SentRequest): readonly ExtraField[] => [
  ...queryOf(target).map(([name, value]) => ({ in: 'query', name, value: percent(value) }) as const),
  ...headers.map(([name, value]) => ({ in: 'header', name, value }) as const),
  ...cookiePairs(header(headers, 'cookie') ?? '').map(
    ([name, value]) => ({ in: 'cookie', name, value: percent(value) }) as const,
  ),
  ...Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ in: 'body', name, value } as const] : [],
  ),
]

/** The query of a request target, as pairs. */
const queryOf = (target: string): ReturnType<typeof queryPairs> => {
  const mark = target.indexOf('?')
  return mark < 0 ? [] : queryPairs(target.slice(mark + 1))
}

/** Whether a request has all of these headers. */
const hasHeaders = ({ request }: SentRequest, fields: readonly ExtraField[]): boolean =>
  fields.every(({ name, value }) => header(request.headers, name.toLowerCase()) === value)

/**
 * Whether a valid request is of the kind that an obligation to accept is about. `tokens`: what may stand in its
 * credentials where their kinds have placeholders; a request may also have kept the placeholders.
 */
export const matches = (
  context: OperationContext,
  subject: Subject,
  sent: SentRequest,
  tokens: readonly string[],
): boolean => {
  const { request } = sent
  switch (subject.kind) {
    case 'presence':
      return context.body !== null && hasPresent(context.body.root, subject.present, sent.body)
    case 'combined':
      return combinesExtremes(sent)
    case 'value':
      return listedValue(subject, sent) !== undefined
    case 'branch':
      return takesBranch(context.contract, subject, sent)
    case 'layout':
      return subject.layout === 'key-order'
        ? hasOtherOrder(context, sent)
        : hasLayout(subject.layout, Buffer.from(request.body ?? []).toString())
    case 'framing':
      return request.chunked === true || header(request.headers, 'transfer-encoding') !== null
    case 'query-escapes':
      return queryOf(request.target).some(([, value]) => /%(?:3\d|[46][1-9a-f]|[57][0-9a])/i.test(value))
    case 'size': {
      const size = request.body?.length ?? 0
      return size >= subject.bytes && size < 2 * subject.bytes
    }
    case 'extra':
      return subject.variants.some(fields => hasHeaders(sent, fields))
    case 'media':
      return (
        subject.isAccepted &&
        subject.contentTypes.includes(withoutBoundary(header(request.headers, 'content-type')))
      )
    case 'credentials':
      return subject.isAccepted && hasCredentials(context, subject.name, sent, tokens)
    default:
      return false
  }
}

const hasOtherOrder = ({ operation, body }: OperationContext, sent: SentRequest): boolean =>
  body !== null && isReordered(body.root, sent.body, identityOf(operation, body.root)?.name ?? null)

const hasCredentials = (
  context: OperationContext,
  name: string,
  sent: SentRequest,
  tokens: readonly string[],
): boolean => {
  const scheme = testedScheme(context)
  const kind = credentialKinds(context.operation).find(known => known.name === name)
  return (
    scheme !== null &&
    kind !== undefined &&
    [null, ...tokens].some(token => isVariant(kind, scheme, token, sent))
  )
}

/** Whether the text of a JSON body has a layout that shows in the text alone. */
const hasLayout = (layout: Exclude<Layout, 'key-order'>, text: string): boolean => {
  switch (layout) {
    case 'whitespace':
      return /\s/.test(withoutStrings(text).trim())
    case 'escaped-names':
      return hasEscaped(text, /^\s*:/)
    case 'short-escapes':
      return /(?<!\\)(?:\\\\)*\\\//.test(text)
    case 'escaped-values':
      return hasEscaped(text, /^\s*[,}\]]/)
  }
}

/** Whether what is between two quotation marks has an escaped character of ASCII, before what `next` says. */
const hasEscaped = (text: string, next: RegExp): boolean =>
  text.split('"').some((part, at, parts) => /\\u00[2-7]/.test(part) && next.test(parts[at + 1] ?? ''))

/** Whether a value of a valid request takes a branch of a keyword. */
const takesBranch = (
  { requests: { document, schemas } }: Contract,
  { location, keyword, branch, schema }: Extract<Subject, { kind: 'branch' }>,
  values: Values,
): boolean => {
  if (keyword === 'items') {
    const { least, most } = lengthsOf(document, schema, branch)
    return valuesAt(values, location).some(
      value => isArray(value) && value.length >= least && value.length <= most,
    )
  }
  const isValid = (value: Json): boolean => schemas.validator(schema)(value).length === 0
  return valuesAt(values, location).some(value =>
    keyword === 'dependentSchemas'
      ? isObject(value) && Object.hasOwn(value, branch)
      : isValid(value) !== (branch === 'else'),
  )
}

/** The lengths of lists that a branch of `items` is about; `several` is neither the fewest nor the most. */
export const lengthsOf = (
  document: object,
  schema: Pointer,
  branch: string,
): { readonly least: number; readonly most: number } => {
  const limit = valueAt(document, schema)
  switch (branch) {
    case 'least':
      return { least: 0, most: typeof limit === 'number' ? limit : 0 }
    case 'most':
      return { least: Number(limit), most: Number(limit) }
    default: {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = asNode(limit)
      return { least: Math.max(2, Number(minItems) + 1), most: Number(maxItems) - 1 }
    }
  }
}

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
