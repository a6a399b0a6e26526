import { type Headers, header } from '../http/exchange.ts'
import {
  isArray,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  numberText,
  readJson,
} from '../json/json.ts'
import { valueAt } from '../json/pointer.ts'
import { decodedText } from '../text/characters.ts'
import { selected, selectorIn } from './selector.ts'

/** One request and its response. */
export type Exchange = {
  /** The whole URL of the request. */
  readonly url: string
  readonly method: string
  readonly status: number
  readonly path: Readonly<Record<string, string>>
  readonly request: { readonly headers: Headers; readonly body: Uint8Array | null }
  readonly response: { readonly headers: Headers; readonly body: Uint8Array }
}

/** What runtime expressions may be about: a request with its response, and values by their names, such as `{ inputs: { … } }`. */
export type Known = {
  readonly exchange: Exchange | null
  readonly values: Readonly<Record<string, Json>>
}

/**
 * The value of a runtime expression (OpenAPI 3.1 4.8.20.4, Arazzo 1.0.1 4.7): `$response.body#/id`, `$steps.order.outputs.id`. Undefined: it
 * has none.
 */
export const expressionValue = (expression: string, { exchange, values }: Known): Json | undefined => {
  const [, source = '', rest = ''] = /^\$([A-Za-z]+)(.*)$/s.exec(expression) ?? []
  if (exchange !== null && exchangeSources.has(source)) return partOf(source, rest, exchange)
  const root = Object.hasOwn(values, source) ? values[source] : undefined
  const [path = '', pointer] = split(rest)
  const names = path === '' ? [] : path.replace(/^\./, '').split('.')
  const value = names.reduce(memberOf, root)
  return pointer === undefined || value === undefined ? value : at(value, pointer)
}

const memberOf = (value: Json | undefined, name: string): Json | undefined => {
  if (isArray(value)) return value[Number(name)]
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

const split = (text: string): readonly [string, string?] => {
  const index = text.indexOf('#')
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

const exchangeSources: ReadonlySet<string> = new Set(['url', 'method', 'statusCode', 'request', 'response'])

const partOf = (source: string, rest: string, exchange: Exchange): Json | undefined => {
  const { url, method, status, path } = exchange
  if (source === 'url') return url
  if (source === 'method') return method
  if (source === 'statusCode') return status
  const [, place = '', name = ''] = /^\.(header\.|query\.|path\.|body)(.*)$/s.exec(rest) ?? []
  const isRequest = source === 'request'
  const message = isRequest ? exchange.request : exchange.response
  switch (place) {
    case 'header.':
      return header(message.headers, name.toLowerCase()) ?? undefined
    case 'query.':
      return isRequest ? (new URL(url).searchParams.get(name) ?? undefined) : undefined
    case 'path.':
      return isRequest && Object.hasOwn(path, name) ? decodedText(path[name] as string) : undefined
    case 'body':
      return bodyPart(message.body, name)
    default:
      return undefined
  }
}

/** `name`: `#/pointer`, or empty for the whole body. */
const bodyPart = (body: Uint8Array | null, name: string): Json | undefined => {
  if (body === null || (name !== '' && !name.startsWith('#'))) return undefined
  const reading = readJson(body)
  if (!reading.ok) return name === '' ? Buffer.from(body).toString('utf8') : undefined
  return name === '' ? reading.value : at(reading.value, name.slice(1))
}

const at = (value: Json, pointer: string): Json | undefined =>
  valueAt(value, decodedText(pointer)) as Json | undefined

/** A scalar as text; null for anything else. */
export const textOf = (value: Json | undefined): string | null => {
  if (value === undefined || value === null || isObject(value) || isArray(value)) return null
  return isNumber(value) ? numberText(value) : String(value)
}

/**
 * A text with the values of its expressions: `{$request.body#/url}?id={$response.body#/id}`, or one expression alone. Null: one of
 * them has no value, or cannot be read.
 */
export const resolved = (template: string, known: Known): string | null => {
  if (template.startsWith('$')) return textOf(expressionValue(template, known))
  let isComplete = true
  const text = template.replace(embedded, (_, expression: string) => {
    const value = textOf(expressionValue(expression, known))
    if (value === null) isComplete = false
    return value ?? ''
  })
  return isComplete ? text : null
}

const embedded = /\{(\$[^{}]*)\}/g

/**
 * A value with the values of its expressions, of which one alone keeps the type of its value. An input that nobody gave is left out, as
 * undefined; other expressions without a value are put into `missing`. Throws FlowError for a selector that is none.
 */
export const evaluated = (value: Json, known: Known, missing: string[]): Json | undefined => {
  const found = (expression: string): Json | undefined => {
    const of = expressionValue(expression, known)
    if (of === undefined && !expression.startsWith('$inputs.')) missing.push(expression)
    return of
  }
  if (typeof value === 'string') {
    const alone = /^\{(\$[^{}]*)\}$/.exec(value)?.[1] ?? (value.startsWith('$') ? value : null)
    if (alone !== null) return found(alone)
    return value.replace(embedded, (_, expression: string) => {
      const part = found(expression)
      return textOf(part) ?? (part === undefined ? '' : JSON.stringify(part))
    })
  }
  if (isArray(value)) return value.map(item => evaluated(item, known, missing) ?? null)
  if (!isObject(value)) return value
  const selector = selectorIn(value)
  if (selector !== null) {
    const whole = found(selector.context)
    const part = whole === undefined ? undefined : selected(selector, whole)
    if (whole !== undefined && part === undefined) missing.push(`${selector.selector} in ${selector.context}`)
    return part
  }
  return evaluatedAll(value, known, missing)
}

/** The same of each of these values; what has none is left out. */
export const evaluatedAll = (values: JsonObject, known: Known, missing: string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, inner]) => {
      const value = evaluated(inner, known, missing)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
