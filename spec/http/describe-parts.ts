import { bytesOf, utf8Text } from '../text/latin1.ts'
import { type FormPart, isMultipartForm, readMultipart } from './multipart.ts'

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
