import type { Operation, Scheme } from '../contract/contract.ts'
import { httpScheme } from '../contract/security.ts'
import { inTemplate } from '../credentials/with-credential-form.ts'
import { authorizationScheme } from '../http/authorization-schemes.ts'
import { nameSecret, partsOf, placeholder } from '../http/credential-placeholders.ts'
import type { Headers } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import { encodedTemplate } from '../routes/route.ts'
import { writeParameter } from './serialize-parameter.ts'

/** A query parameter, header, cookie or property that the contract does not declare. Properties are for those who write the body. */
export type ExtraField = {
  readonly in: 'query' | 'header' | 'cookie' | 'body'
  readonly name: string
  readonly value: string
}

/** What the head of a request is written from. */
export type RequestHead = {
  /** The path template of the operation, or another path. */
  readonly path: string
  /** By name; parameters without a value are not sent. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly contentType: string | null
  /** For the first scheme of the operation: the Authorization headers, or the API key; empty: none; null: the right ones. */
  readonly credentials: readonly string[] | null
  readonly extra: readonly ExtraField[]
}

/** Writes the target and the headers of a request; right credentials are placeholders. */
export const writeRequestHead = (
  operation: Operation,
  { path, parameters, contentType, credentials, extra }: RequestHead,
): { readonly target: string; readonly headers: Headers } => {
  const written = operation.parameters.flatMap(parameter => {
    const value = parameters[parameter.name]
    return value === undefined ? [] : [{ name: parameter.name, ...writeParameter(parameter, value) }]
  })
  const filled = written.reduce(
    (template, { name, path: text }) =>
      text === null ? template : template.replaceAll(`{${name}}`, () => text),
    encodedTemplate(path),
  )
  const own = operation.undeclared
  const tested = operation.security[0]?.[0]
  // Where the run has a secret of its own, nothing made up takes its place.
  const others = own === undefined ? extra : extra.filter(field => !isPlaceOf(own, field))
  const sent = joined([
    ...writeCredentials(operation, credentials),
    ...others.map(field => writeField({ ...field, value: inNameOf(tested, field.value) })),
  ])
  const query = [...written.flatMap(({ query: text }) => text ?? []), ...sent.query].filter(Boolean)
  const cookies = [...written.flatMap(({ cookie }) => cookie ?? []), ...sent.cookies]
  return {
    target: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: [
      ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
      ...written.flatMap(({ name, header }) => (header === null ? [] : [[name, header] as const])),
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
      ...sent.headers,
    ],
  }
}

type WrittenFields = {
  readonly headers: Headers
  readonly query: readonly string[]
  readonly cookies: readonly string[]
}

/** The credentials of all schemes of the first alternative; only those of the first scheme are ever wrong. */
const writeCredentials = (
  operation: Operation,
  instead: readonly string[] | null,
): readonly WrittenFields[] => [
  ...(operation.security[0] ?? []).flatMap((scheme, index) =>
    (index === 0 && instead !== null ? instead : [rightValue(scheme)]).map(value =>
      writeValue(scheme, value),
    ),
  ),
  ...(operation.undeclared === undefined || instead !== null
    ? []
    : [writeValue(operation.undeclared, rightValue(operation.undeclared))]),
]

/** Whether a field is where credentials of this scheme are. */
const isPlaceOf = (scheme: Scheme, { in: place, name }: ExtraField): boolean =>
  scheme.kind === 'apiKey'
    ? scheme.in === place && scheme.key.toLowerCase() === name.toLowerCase()
    : place === 'header' && name.toLowerCase() === 'authorization'

/** A value with the placeholders of the secret of its scheme. */
export const inNameOf = (scheme: Scheme | undefined, value: string): string =>
  scheme?.secret === undefined ? value : nameSecret(value, scheme.secret)

const nothing: WrittenFields = { headers: [], query: [], cookies: [] }

const joined = (all: readonly WrittenFields[]): WrittenFields => ({
  headers: all.flatMap(({ headers }) => headers),
  query: all.flatMap(({ query }) => query),
  cookies: all.flatMap(({ cookies }) => cookies),
})

const rightValue = (scheme: Scheme): string => {
  const tested = authorizationScheme(scheme.kind)
  if (tested !== null) return `${tested.name} ${tested.right}`
  const other = httpScheme(scheme)
  return other === null ? placeholder('right') : `${other} ${placeholder('right')}`
}

const writeValue = (scheme: Scheme, unnamed: string): WrittenFields => {
  const value = inNameOf(scheme, unnamed)
  switch (scheme.kind) {
    case 'apiKey':
      return writeField({ in: scheme.in, name: scheme.key, value: inTemplate(scheme, value) })
    case 'other':
      return httpScheme(scheme) === null ? nothing : { ...nothing, headers: [['Authorization', value]] }
    default:
      return { ...nothing, headers: [['Authorization', value]] }
  }
}

const writeField = (place: ExtraField): WrittenFields => {
  switch (place.in) {
    case 'header':
      return { ...nothing, headers: [[place.name, place.value]] }
    case 'query':
      return { ...nothing, query: [`${encodeURIComponent(place.name)}=${encodeText(place.value)}`] }
    case 'cookie':
      return { ...nothing, cookies: [`${place.name}=${encodeText(place.value)}`] }
    case 'body':
      return nothing
  }
}

/** Percent-encodes all but placeholders. */
const encodeText = (text: string): string =>
  partsOf(text)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('')
