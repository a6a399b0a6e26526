import type { Headers } from '../../spec/index.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { isFieldValue } from '../values/repaired.ts'

/** Headers as users write them; a list gives several lines of one name. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/** Those that say how the body is sent; the mock writes them itself. */
const own = new Set(['content-length', 'transfer-encoding', 'connection', 'trailer', 'upgrade'])

const isName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)

/** What is wrong with a value as headers, one line each. */
export const checkHeaders = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['headers must be an object of texts by name']
  return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([name, text]) => {
    if (!isName(name)) return [`headers: ${JSON.stringify(name)} is no name of a header`]
    if (own.has(name.toLowerCase())) return [`headers: the mock writes ${name} itself`]
    const texts = Array.isArray(text) ? text : [text]
    return texts.length > 0 && texts.every(each => typeof each === 'string' && isFieldValue(each))
      ? []
      : [`headers: ${name} must be a text without control characters and characters beyond U+00FF`]
  })
}

export const linesOf = (headers: AnswerHeaders | undefined): Headers =>
  Object.entries(headers ?? {}).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map(text => [name, text] as const),
  )

/** The response with these headers in the place of its own of the same names. */
export const withHeaders = (response: MockResponse, headers: Headers): MockResponse => {
  if (headers.length === 0) return response
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const kept = response.headers.filter(([name]) => !names.has(name.toLowerCase()))
  return { ...response, headers: [...kept, ...headers] }
}
