import { type Json, writeJson } from '../json/json.ts'
import { type HttpResponse, header } from './exchange.ts'

/** `200 application/json {"name":"Fern"}`, cut to a readable length. */
export const describeResponse = (response: HttpResponse): string => {
  const type = header(response.headers, 'content-type')
  const body = new TextDecoder().decode(response.body.subarray(0, 400))
  return [
    response.status,
    type ?? 'without Content-Type',
    body === '' ? '(no body)' : body.length > 200 ? `${body.slice(0, 200)}…` : body,
  ].join(' ')
}

/** A value as JSON, cut to a readable length. */
export const shortJson = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing'
  const text = writeJson(value)
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}
