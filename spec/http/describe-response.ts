import { type Json, writeJson } from '../json/json.ts'
import { bytesOf, utf8Text } from '../text/latin1.ts'
import { beginning } from '../text/shown-text.ts'
import { readableBody } from './content-encoding.ts'
import { type HttpResponse, header } from './exchange.ts'
import { type FormPart, isMultipartForm, readMultipart } from './multipart.ts'

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

/** The parts of a `multipart/form-data` body in one line; null if it cannot be read as one. */
export const partsText = (body: Uint8Array, contentType: string | null): string | null => {
  const reading = isMultipartForm(contentType) ? readMultipart(body, contentType) : null
  return reading?.ok === true ? reading.parts.map(partText).join('; ') : null
}

/** «alt=hello», «file=<67 bytes> (a.png, image/png)» */
const partText = ({ name, filename, contentType, headers, content }: FormPart): string => {
  const more = [
    ...(filename === null ? [] : [filename]),
    ...(contentType === null ? [] : [contentType]),
    ...headers.map(([field, value]) => `${field}: ${value}`),
  ]
  const text = filename === null ? utf8Text(bytesOf(content)) : null
  const value = text ?? `<${content.length} ${content.length === 1 ? 'byte' : 'bytes'}>`
  return `${name}=${value}${more.length === 0 ? '' : ` (${more.join(', ')})`}`
}
