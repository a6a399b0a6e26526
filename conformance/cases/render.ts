import {
  bodyMedia,
  type ExtraField,
  type HttpRequest,
  isObject,
  type Json,
  type Operation,
  type SentCredentials,
  writeRequestHead,
} from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import { encodeBody } from './encode.ts'

/** Writes a request spec as the request that goes over the wire, with placeholders for the token. */
export const renderRequest = (operation: Operation, spec: RequestSpec): HttpRequest => {
  const credentials = spec.credentials === null ? null : variantOf(spec.credentials)
  const { target, headers } = writeRequestHead(operation, {
    path: spec.path,
    parameters: spec.parameters,
    contentType: spec.contentType,
    credentials,
  })
  const body = withExtra(spec.body, credentials?.extra ?? [])
  return {
    method: spec.method,
    target,
    headers: [['Accept', 'application/json, */*;q=0.1'], ...headers],
    body: encodeBody(body, spec.encoding, bodyMedia(operation)?.form ?? null),
    chunked: spec.chunked,
  }
}

const variantOf = ({ kind, pick }: NonNullable<RequestSpec['credentials']>): SentCredentials => ({
  values: kind.variants[pick % kind.variants.length] ?? [],
  extra: kind.extra[pick % kind.extra.length] ?? [],
})

const withExtra = (body: Json | undefined, extra: readonly ExtraField[]): Json | undefined => {
  const fields = extra.filter(field => field.in === 'body')
  return fields.length === 0 || !isObject(body)
    ? body
    : { ...body, ...Object.fromEntries(fields.map(({ name, value }) => [name, value])) }
}
