import { type Answer, header } from './exchange.ts'
import { type Json, writeJson } from './json.ts'

/** `200 application/json {"name":"Fern"}`, cut to a readable length. */
export const describeAnswer = (answer: Answer): string => {
  const type = header(answer.headers, 'content-type')
  const body = new TextDecoder().decode(answer.body.subarray(0, 400))
  return [
    answer.status,
    type ?? 'without Content-Type',
    body === '' ? '(no body)' : body.length > 200 ? `${body.slice(0, 200)}…` : body,
  ].join(' ')
}

/** A value as JSON, cut to a readable length. */
export const short = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  const text = writeJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}
