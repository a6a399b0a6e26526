import {
  credentialKinds,
  type Expectation,
  type ExtraField,
  type HttpRequest,
  inNameOf,
  isJsonMedia,
  isObject,
  type Json,
  type MalformedHttpCheck,
  type MalformedHttpKind,
  malformedHttpKinds,
  mediaType,
  type Operation,
  partsOf,
  type RawRequest,
  writeRequestHead,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from './case.ts'
import { encodeBody } from './encode.ts'

/** Writes a request spec as the request that goes over the wire, with placeholders for the token. */
export const renderRequest = (operation: Operation, spec: RequestSpec): HttpRequest => {
  const { extra } = spec
  const named = extra.map(field => ({ ...field, value: inNameOf(operation.security[0]?.[0], field.value) }))
  const { bytes, contentType } = encodeBody(operation, { ...spec, body: withExtra(spec.body, named) })
  const { target, headers } = writeRequestHead(operation, {
    path: spec.path,
    parameters: spec.parameters,
    contentType,
    credentials: spec.credentials === null ? null : valuesOf(spec.credentials),
    extra: bytes === null || bytes.length === 0 ? extra.filter(field => !isExpectation(field)) : extra,
  })
  const hasAccept = extra.some(field => field.in === 'header' && field.name === 'Accept')
  return {
    method: spec.method,
    target: spec.queryEscapes ? withQueryEscapes(target) : target,
    headers: [...(hasAccept ? [] : [['Accept', acceptOf(operation)] as const]), ...headers],
    body: bytes,
    chunked: spec.chunked,
  }
}

/** Only a request with content may say that it waits for a 100 (RFC 9110 10.1.1): some servers then wait for content that never comes. */
const isExpectation = ({ in: part, name }: ExtraField): boolean =>
  part === 'header' && name.toLowerCase() === 'expect'

/** With every letter and digit in the values of the query as a percent-escape, except in placeholders. */
const withQueryEscapes = (target: string): string =>
  target.replace(/\?.*/s, query => query.replace(/=[^&]*/g, valueEscaped))

const valueEscaped = (value: string): string =>
  partsOf(value)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/%..|[a-z\d]/gi, escaped)))
    .join('')

const escaped = (text: string): string =>
  text.length > 1 ? text : `%${text.charCodeAt(0).toString(16).toUpperCase()}`

const valuesOf = ({ kind, pick }: NonNullable<RequestSpec['credentials']>): readonly string[] =>
  kind.variants[pick % kind.variants.length] ?? []

const withExtra = (body: Json | undefined, extra: readonly ExtraField[]): Json | undefined => {
  const fields = extra.filter(field => field.in === 'body')
  return fields.length === 0 || !isObject(body)
    ? body
    : { ...body, ...Object.fromEntries(fields.map(({ name, value }) => [name, value])) }
}

/** Credentials that are not sent at all; null if an operation asks for none. */
export const absentCredentials = (operation: Operation): RequestSpec['credentials'] => {
  const kind = credentialKinds(operation).find(({ name }) => name === 'absent')
  return kind === undefined ? null : { kind, pick: 0 }
}

/** The case without the right credentials; a case about credentials keeps those that it has. */
export const withoutCredentials = (operation: Operation, testCase: TestCase): TestCase => {
  const { spec, request } = testCase
  const credentials = spec.credentials === null ? absentCredentials(operation) : null
  if (credentials === null) return testCase
  const bare = renderRequest(operation, { ...spec, credentials })
  const raw = request.raw === undefined ? null : rawRequestOf(bare, spec)
  return { ...testCase, request: raw === null ? bare : { ...bare, raw } }
}

const known = new WeakMap<Operation, string>()

/**
 * The `Accept` of a usual request: what the document declares, in its order, and anything else as the last choice. JSON comes before other
 * types of the same success, as it shows most of what a response has to keep; types of failures are never what is asked for.
 */
const acceptOf = (operation: Operation): string => {
  const made = known.get(operation) ?? make(operation)
  known.set(operation, made)
  return made
}

const make = ({ responses, produces }: Operation): string => {
  const typesOf = (isWanted: (status: string) => boolean): readonly string[] =>
    responses.filter(({ status }) => isWanted(status)).flatMap(({ media }) => media.map(nameOf))
  const isSuccess = (status: string): boolean => /^[23]|default/.test(status)
  const wanted = [...new Set([...typesOf(isSuccess), ...(produces ?? []).map(type => nameOf({ type }))])]
  const others = [...new Set(typesOf(status => !isSuccess(status)))].filter(type => !wanted.includes(type))
  const first = wanted.some(isJson) ? isJson : () => true
  const named = [
    ...wanted.map(type => (first(type) ? type : `${type};q=0.9`)),
    ...others.map(type => (wanted.length === 0 ? type : `${type};q=0.5`)),
  ].filter(type => isMediaType.test(type) && !type.startsWith('*/*'))
  return [...(named.length === 0 ? ['application/json'] : named), '*/*;q=0.1'].join(', ')
}

/** Documents have keys such as `json` as well. */
const isMediaType = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:;[\x20-\x7e]*)?$/

const isJson = (type: string): boolean => isJsonMedia(mediaType(type) ?? '')

/** A media type as `Accept` names it: how its bytes are written says nothing of what it is. */
const nameOf = ({ type }: { readonly type: string }): string =>
  type.replace(/(?:(?<!\s)\s+)?;\s*(?:charset|boundary|q)\s*=\s*(?:"[^"]*"|[^;\s]*)/gi, '').trim()

/** A valid request in the malformed framing that its spec names; null if it is framed as usual. */
export const rawRequestOf = (
  { headers, body, method, target }: HttpRequest,
  { malformedHttp }: RequestSpec,
): RawRequest | null => {
  const kind = malformedHttp === null ? null : malformedHttpKindOf(malformedHttp.name)
  if (malformedHttp === null || kind === null) return null
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const ways = kind.make({ method, target, lines, body: Buffer.from(body ?? '').toString('latin1') })
  return ways[malformedHttp.pick % ways.length] ?? null
}

export const malformedHttpKindOf = (name: string): MalformedHttpKind | null =>
  malformedHttpKinds.find(kind => kind.name === name) ?? null

const expectations: Readonly<Record<MalformedHttpCheck, Expectation>> = {
  rejected: 'reject',
  accepted: 'accept',
  continued: 'accept',
  'in-order': 'accept',
  closed: 'accept',
  alone: 'either',
  survived: 'either',
  plain: 'either',
  observed: 'either',
}

/** What HTTP expects of a server that gets a request in this framing. */
export const expectationOfKind = ({ check }: MalformedHttpKind): Expectation => expectations[check]
