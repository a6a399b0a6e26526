import { bodyMedia, type HttpRequest, type Operation, writeRequestHead } from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import { encodeBody } from './encode.ts'

/** Writes a request spec as the request that goes over the wire, with placeholders for the token. */
export const renderRequest = (operation: Operation, spec: RequestSpec): HttpRequest => {
  const { kind, pick } = spec.credentials ?? { kind: null, pick: 0 }
  const { target, headers } = writeRequestHead(operation, {
    path: spec.path,
    parameters: spec.parameters,
    contentType: spec.contentType,
    credentials:
      kind === null
        ? null
        : {
            values: kind.variants[pick % kind.variants.length] ?? [],
            elsewhere: kind.elsewhere[pick % kind.elsewhere.length] ?? [],
          },
  })
  return {
    method: spec.method,
    target,
    headers: [['Accept', 'application/json, */*;q=0.1'], ...headers],
    body: encodeBody(spec.body, spec.encoding, bodyMedia(operation)?.form ?? null),
    chunked: spec.chunked,
  }
}
