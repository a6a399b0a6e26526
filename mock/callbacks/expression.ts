import { type Headers, header, isObject, type Json, readJson, valueAt } from '../../spec/index.ts'

/** What runtime expressions are about (OpenAPI 3.1, 4.8.20.4). */
export type Exchange = {
  /** The whole URL of the request. */
  readonly url: string
  readonly method: string
  readonly status: number
  readonly path: Readonly<Record<string, string>>
  readonly request: { readonly headers: Headers; readonly body: Uint8Array | null }
  readonly response: { readonly headers: Headers; readonly body: Uint8Array }
}

/**
 * A text with the values of its expressions: `{$request.body#/url}?id={$response.body#/id}`, or one expression alone. Null: one of
 * them has no value, or cannot be read.
 */
export const resolved = (template: string, exchange: Exchange): string | null => {
  if (template.startsWith('$')) return textOf(partAt(template, exchange))
  let isComplete = true
  const text = template.replace(/\{(\$[^{}]*)\}/g, (_, expression: string) => {
    const value = textOf(partAt(expression, exchange))
    if (value === null) isComplete = false
    return value ?? ''
  })
  return isComplete ? text : null
}

const partAt = (expression: string, exchange: Exchange): Json | undefined => {
  const { url, method, status, path } = exchange
  if (expression === '$url') return url
  if (expression === '$method') return method
  if (expression === '$statusCode') return String(status)
  const [, side = '', source = '', name = ''] =
    /^\$(request|response)\.(header\.|query\.|path\.|body)(.*)$/s.exec(expression) ?? []
  if (side === '') return undefined
  const message = side === 'request' ? exchange.request : exchange.response
  switch (source) {
    case 'header.':
      return header(message.headers, name.toLowerCase()) ?? undefined
    case 'query.':
      return side === 'request' ? (new URL(url).searchParams.get(name) ?? undefined) : undefined
    case 'path.':
      return side === 'request' && Object.hasOwn(path, name) ? decoded(path[name] as string) : undefined
    default:
      return bodyPart(message.body, name)
  }
}

/** `name`: `#/pointer`, or empty for the whole body. */
const bodyPart = (body: Uint8Array | null, name: string): Json | undefined => {
  if (body === null || (name !== '' && !name.startsWith('#'))) return undefined
  const reading = readJson(body)
  if (!reading.ok) return undefined
  return name === '' ? reading.value : (valueAt(reading.value, decoded(name.slice(1))) as Json | undefined)
}

const decoded = (pointer: string): string => {
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}

const textOf = (value: Json | undefined): string | null =>
  value === undefined || value === null || isObject(value) || Array.isArray(value) ? null : String(value)
