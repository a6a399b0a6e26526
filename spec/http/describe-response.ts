import { isArray, isObject, type Json, readJson, writeJson } from '../json/json.ts'
import { beginning } from '../text/short-value.ts'
import { readableBody } from './content-encoding.ts'
import { type HttpResponse, header } from './exchange.ts'

/** `200 application/json {"name":"Fern"}`, cut to a readable length. */
export const describeResponse = (response: HttpResponse): string => {
  const type = header(response.headers, 'content-type')
  const body = new TextDecoder().decode(readableBody(response).subarray(0, 400))
  return [
    response.status,
    type === null ? 'without Content-Type' : cut(type),
    body === '' ? '(no body)' : cut(body),
  ].join(' ')
}

const longest = 200

/** What a body says to people: its longest text that has more than one word; null if there is none. */
export const saidIn = (body: string): string | null => {
  const reading = readJson(Buffer.from(body))
  const texts = reading.ok ? [...textsIn(reading.value)] : /^\s*</.test(body) ? [] : [body]
  const sentences = texts.map(text => text.replace(/\s+/g, ' ').trim()).filter(text => text.includes(' '))
  const [said] = sentences.sort((one, other) => other.length - one.length)
  return said === undefined ? null : cut(said)
}

function* textsIn(value: Json): Generator<string> {
  if (typeof value === 'string') yield value
  else if (isArray(value) || isObject(value))
    for (const member of Object.values(value) as readonly Json[]) yield* textsIn(member)
}

/** The beginning of a text from outside, with an ellipsis if there is more. */
export const cut = (text: string): string => (text.length > longest ? `${beginning(text, longest)}…` : text)

/** A value as JSON, cut to a readable length. */
export const shortJson = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  // Of a very long string, no more is written than is shown.
  const isLong = typeof value === 'string' && value.length > 10 * longest
  const text = writeJson(isLong ? beginning(value, longest) : value)
  if (text.length <= longest) return text
  return `${beginning(text, longest)}… (${isLong ? value.length + 2 : text.length} characters)`
}
