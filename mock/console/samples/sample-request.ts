import {
  bodyMedia,
  fillToken,
  type Json,
  type JsonObject,
  type Operation,
  writeBody,
  writeRequestHead,
} from '../../../spec/index.ts'
import type { MockRequest } from '../../engine/request.ts'
import type { EditableRequest } from '../messages.ts'
import { fieldTexts } from './form-fields.ts'

/** A request before it is written. Absent parameters are not sent. */
export type RequestSpec = {
  readonly parameters: JsonObject
  readonly body: Json | undefined
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  /** Instead of the declared content type; null: none. */
  readonly contentType?: string | null
  /** Instead of valid ones: values of the Authorization header, or of the API key. */
  readonly credentials?: readonly string[]
}

/** Writes a request, with a placeholder for its token. */
export const writeSample = (operation: Operation, spec: RequestSpec): EditableRequest => {
  const media = bodyMedia(operation) ?? operation.body?.media[0] ?? null
  const usual = media?.type.replace(/\/\*.*|^\*/, '/json').replace(/^\//, 'application/') ?? null
  const format = media === null || media.format.kind === 'opaque' ? { kind: 'json' as const } : media.format
  const contentType = spec.contentType === undefined ? usual : spec.contentType
  const written = spec.body === undefined ? null : writeBody(format, spec.body, { contentType })
  const text = spec.text ?? (written === null ? null : new TextDecoder().decode(written.bytes))
  const head = writeRequestHead(operation, {
    path: operation.path,
    parameters: spec.parameters,
    contentType:
      text === null && spec.contentType === undefined ? null : (written?.contentType ?? contentType),
    credentials: spec.credentials ?? null,
    extra: [],
  })
  return { ...head, body: text, fields: fieldTexts(spec.parameters) }
}

/** The request as the engine receives it, with this token. */
export const requestOf = (
  method: string,
  written: Pick<EditableRequest, 'target' | 'headers' | 'body'>,
  token: string,
): MockRequest => ({
  method,
  target: fillToken(written.target, encodeURIComponent(token)),
  headers: written.headers.map(([name, value]) => [name, fillToken(value, token)]),
  body: written.body === null ? null : new TextEncoder().encode(written.body),
  tooLarge: false,
  connection: written,
})
