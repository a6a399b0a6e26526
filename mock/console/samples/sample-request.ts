import {
  bodyMedia,
  fillToken,
  type Json,
  type JsonObject,
  type Operation,
  writeForm,
  writeJson,
  writeRequestHead,
} from '../../../spec/index.ts'
import type { MockRequest } from '../../engine/request.ts'
import type { EditableRequest } from '../messages.ts'

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
  const body =
    spec.text ??
    (spec.body === undefined
      ? null
      : media?.form != null
        ? writeForm(media.form, spec.body)
        : writeJson(spec.body))
  const declared =
    body === null ? null : (media?.type.replace(/\/\*.*|^\*/, '/json').replace(/^\//, 'application/') ?? null)
  const head = writeRequestHead(operation, {
    path: operation.path,
    parameters: spec.parameters,
    contentType: spec.contentType === undefined ? declared : spec.contentType,
    credentials: spec.credentials ?? null,
    extra: [],
  })
  return { ...head, body }
}

/** The request as the engine receives it, with this token. */
export const requestOf = (method: string, written: EditableRequest, token: string): MockRequest => ({
  method,
  target: fillToken(written.target, encodeURIComponent(token)),
  headers: written.headers.map(([name, value]) => [name, fillToken(value, token)]),
  body: written.body === null ? null : new TextEncoder().encode(written.body),
  tooLarge: false,
  connection: written,
})
