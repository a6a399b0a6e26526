import {
  bodyMedia,
  fillToken,
  type Headers,
  type Json,
  type JsonObject,
  type Operation,
  placeholder,
  type Scheme,
  writeForm,
  writeJson,
  writeParameter,
} from '../../spec/index.ts'
import type { MockRequest } from '../engine.ts'
import type { Written } from './shape.ts'

/** A request before it is written. Absent parameters are not sent. */
export type Sketch = {
  readonly parameters: JsonObject
  readonly body: Json | undefined
  /** Instead of `body`, as it stands. */
  readonly text?: string
  /** Instead of the declared one; null: none. */
  readonly contentType?: string | null
  /** Instead of the right ones: headers, or the value of an API key. */
  readonly credentials?: readonly string[]
}

/** Writes a request with a placeholder in the place of its token. */
export const writeSample = (operation: Operation, sketch: Sketch): Written => {
  const media = bodyMedia(operation) ?? operation.body?.media[0] ?? null
  const written = operation.parameters.flatMap(parameter => {
    const value = sketch.parameters[parameter.name]
    return value === undefined ? [] : [{ parameter, ...writeParameter(parameter, value) }]
  })
  const path = written.reduce(
    (text, { parameter, path }) => (path === null ? text : text.replace(`{${parameter.name}}`, path)),
    operation.path,
  )
  const given = credentialsOf(operation.security[0] ?? [], sketch.credentials)
  const query = [...written.flatMap(own => own.query ?? []), ...given.query].join('&')
  const cookie = [...written.flatMap(own => own.cookie ?? []), ...given.cookie].join('; ')
  const text =
    sketch.text ??
    (sketch.body === undefined
      ? null
      : media?.form != null
        ? writeForm(media.form, sketch.body)
        : writeJson(sketch.body))
  const declared =
    text === null ? null : (media?.type.replace(/\/\*.*|^\*/, '/json').replace(/^\//, 'application/') ?? null)
  const type = sketch.contentType === undefined ? declared : sketch.contentType
  return {
    target: query === '' ? path : `${path}?${query}`,
    headers: [
      ...given.headers,
      ...(type === null ? [] : [['Content-Type', type] as const]),
      ...written.flatMap(({ parameter, header }) =>
        header === null ? [] : [[parameter.name, header] as const],
      ),
      ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
    ],
    body: text,
  }
}

type Given = {
  readonly headers: Headers
  readonly query: readonly string[]
  readonly cookie: readonly string[]
}

/** What the schemes ask for together; the first of them as `instead` has it. */
const credentialsOf = (schemes: readonly Scheme[], instead: readonly string[] | undefined): Given => {
  const parts = schemes.flatMap((scheme, index) =>
    (index === 0 && instead !== undefined ? instead : [rightOf(scheme)]).map(value => ({ scheme, value })),
  )
  const keys = (where: string): readonly string[] =>
    parts.flatMap(({ scheme, value }) =>
      scheme.kind === 'apiKey' && scheme.in === where ? [`${scheme.key}=${value}`] : [],
    )
  return {
    headers: parts.flatMap(({ scheme, value }): Headers => {
      if (scheme.kind !== 'apiKey') return scheme.kind === 'other' ? [] : [['Authorization', value]]
      return scheme.in === 'header' ? [[scheme.key, value]] : []
    }),
    query: keys('query'),
    cookie: keys('cookie'),
  }
}

const rightOf = ({ kind }: Scheme): string =>
  kind === 'basic'
    ? `Basic ${placeholder('basic')}`
    : kind === 'bearer'
      ? `Bearer ${placeholder('right')}`
      : placeholder('right')

/** The request as it comes over the wire with this token. */
export const requestOf = (method: string, written: Written, token: string): MockRequest => ({
  method,
  target: fillToken(written.target, encodeURIComponent(token)),
  headers: written.headers.map(([name, value]) => [name, fillToken(value, token)]),
  body: written.body === null ? null : new TextEncoder().encode(written.body),
  tooLarge: false,
  connection: written,
})
