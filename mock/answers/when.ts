import {
  isNumber,
  isObject,
  type Json,
  nearest,
  numberText,
  type Operation,
  sameJson,
} from '../../spec/index.ts'
import type { Context } from '../engine/context.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { AnswerHeaders } from './compose.ts'
import { type AnswerRequest, isLike, type ValuePart, valueIn } from './request.ts'

/** Which requests a scenario is for: those that have all of these values. Of objects, only the given properties count. */
type When = {
  /** Path parameters, by name. */
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const parts = { path: 'path', query: 'query', headers: 'header' } as const satisfies Record<string, ValuePart>

/** Whether a request is one of those; `when` was checked. */
export const isMeant = (when: When | undefined, context: Context, judged: JudgedRequest): boolean => {
  if (when === undefined) return true
  const { body, ...named } = when
  return (
    Object.entries(named).every(([key, values]) =>
      Object.entries(values as Readonly<Record<string, Json>>).every(([name, expected]) =>
        isLike(expected, valueIn(context, judged, parts[key as keyof typeof parts], name), sameText),
      ),
    ) &&
    (body === undefined || isLike(body as Json, judged.body, sameJson))
  )
}

/** Parameters are texts: `7` and `"7"` are the same one. */
const sameText = (one: Json, other: Json): boolean => sameJson(one, other) || textOf(one) === textOf(other)

const textOf = (value: Json): string | Json =>
  isNumber(value) ? numberText(value) : typeof value === 'boolean' ? String(value) : value

/** What is wrong with a value as `when` of any scenario, one line each. */
export const checkWhen = (value: unknown): readonly string[] => {
  const keys = [...Object.keys(parts), 'body']
  const form = `when must be an object with at least one of ${keys.join(', ')}`
  if (!isRecord(value) || Object.keys(value).length === 0) return [form]
  return Object.entries(value).flatMap(([key, part]) => {
    if (!keys.includes(key)) return [`when has no ${key}; set any of ${keys.join(', ')}`]
    if (key === 'body') return part === undefined ? [form] : []
    if (!isRecord(part)) return [`when.${key} must be an object of values by name`]
    return Object.entries(part).flatMap(([name, each]) =>
      each === undefined || (key === 'headers' && typeof each !== 'string')
        ? [`when.${key}.${name} must be ${key === 'headers' ? 'a string' : 'a value'}`]
        : [],
    )
  })
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => isObject(value as Json)

/** The values that no declared request has, one line each: their scenario would never be seen. */
export const unseenParts = (
  { method, path, parameters, body }: Operation,
  when: When,
  undeclared: boolean,
): readonly string[] => {
  const unknown = (part: 'path' | 'query', names: readonly string[], end: string): readonly string[] =>
    Object.keys(when[part] ?? {})
      .filter(name => !names.includes(name))
      .map(name => {
        const [near] = nearest(name, names)
        const known = near === undefined ? `declared: ${names.join(', ') || 'none'}` : `did you mean ${near}?`
        return `when.${part}.${name} is no parameter (${known})${end}`
      })
  const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const inQuery = parameters.flatMap(each => (each.in === 'query' ? [each.name] : []))
  return [
    ...unknown('path', inPath, ''),
    ...(undeclared
      ? []
      : unknown('query', inQuery, '; add undeclared: true for requests that have it nevertheless')),
    ...(when.body === undefined || body !== null ? [] : [`when.body: ${method} ${path} has no body`]),
  ]
}

/** Any JSON. */
export type AnswerBody = string | number | boolean | object | null

export type AnswerFunction = (request: AnswerRequest) => unknown

/** What an answer of the user's own says of the response, and of the requests that get it. */
export type AnswerParts = {
  /** The status of every response, whatever the request; a declared one unless `undeclared` is set. */
  readonly status?: number
  /**
   * The body of every response to a valid request, or to any request if `status` is set as well; the contract has to allow
   * it, unless `undeclared` is set. From code also a function; what it returns is judged before it is sent.
   */
  readonly body?: AnswerBody | AnswerFunction
  /** Headers of the responses, in the place of those of the same names. */
  readonly headers?: AnswerHeaders
  /** The requests that are affected. Default: all of the operation. */
  readonly when?: When
  /** Only so many requests are affected; those to which a later scenario responds do not count. Default: all. */
  readonly times?: number
  /** Whether `status`, `body`, `headers`, the 429 of `limit` and the 409 of `duplicates` may break the contract. Default false. */
  readonly undeclared?: boolean
}
