import {
  credentialKinds,
  type ExtraField,
  type HttpRequest,
  inNameOf,
  isObject,
  type Json,
  type Operation,
  partsOf,
  writeRequestHead,
} from '../../spec/index.ts'
import { acceptOf } from './accepted-types.ts'
import type { RequestSpec, TestCase } from './case.ts'
import { encodeBody } from './encode.ts'
import { rawRequestOf } from './raw-framing.ts'

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
