import { withoutBlanks } from '../text/characters.ts'
import { bytesOf, latin1, utf8Text } from '../text/latin1.ts'
import { type Headers, header, mediaType } from './exchange.ts'

/** One part of a body of `multipart/form-data`. `content`: one character for each byte. */
export type FormPart = {
  readonly name: string
  readonly filename: string | null
  /** Null: the part has no Content-Type, which means text/plain (RFC 7578, 4.4). */
  readonly contentType: string | null
  /** All others. */
  readonly headers: Headers
  readonly content: string
}

type Reading =
  | { readonly ok: true; readonly parts: readonly FormPart[] }
  | { readonly ok: false; readonly problem: string }

/** Whether a Content-Type is that of such a body. */
export const isMultipartForm = (contentType: string | null): boolean =>
  mediaType(contentType) === 'multipart/form-data'

const usualBoundary = 'form-data-boundary'

/** The boundary that a Content-Type names (RFC 2046, 5.1.1); null if it names none. */
export const boundaryOf = (contentType: string | null): string | null => {
  const found = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(contentType ?? '')
  return found === null ? null : (found[1]?.replace(/\\(.)/g, '$1') ?? found[2] ?? null)
}

/** A Content-Type as it was before the boundary of this one body came to it; one that is no multipart stays as it is. */
export const withoutBoundary = (contentType: string | null): string | null =>
  isMultipartForm(contentType)
    ? (contentType?.replace(`; boundary=${usualBoundary}`, '') ?? null)
    : contentType

/**
 * Reads `multipart/form-data` by the letter of RFC 7578 and RFC 2046. A parser of our own, as this one has to be exact where those of
 * servers are lenient or asynchronous: busboy and its kin work on streams and drop the headers of parts, and `Response.formData()` of
 * Node is asynchronous, has no part headers, and no reason if it rejects. Linear in the size of the body.
 */
export const readMultipart = (body: Uint8Array, contentType: string | null): Reading => {
  const boundary = boundaryOf(contentType)
  if (boundary === null) return failure('its Content-Type names no boundary')
  const text = latin1(body)
  const delimiter = `--${boundary}`
  const parts: FormPart[] = []
  let line = delimiterAt(text, delimiter, 0)
  if (line === null) return failure(`no line of it is the boundary --${boundary.slice(0, 80)}`)
  while (!line.isLast) {
    const next = delimiterAt(text, delimiter, line.end)
    if (next === null) return failure('the line that ends it is missing')
    const part = partOf(text.slice(line.end, next.start))
    if (typeof part === 'string') return failure(`part ${parts.length + 1} ${part}`)
    parts.push(part)
    line = next
  }
  return { ok: true, parts }
}

const failure = (problem: string): Reading => ({ ok: false, problem })

type Delimiter = { readonly start: number; readonly end: number; readonly isLast: boolean }

/** The next line with the delimiter. Its line break before belongs to it; for the head of a part, that is also the empty line. */
const delimiterAt = (text: string, delimiter: string, from: number): Delimiter | null => {
  for (let at = text.indexOf(delimiter, from); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    const isLine = at === 0 || text.startsWith('\r\n', at - 2)
    // White space may follow it (RFC 2046, 5.1.1); else it is a longer line, and content.
    lineEnd.lastIndex = at + delimiter.length
    const rest = isLine ? lineEnd.exec(text) : null
    if (rest !== null)
      return {
        start: Math.max(from, at === 0 ? 0 : at - 2),
        end: lineEnd.lastIndex,
        isLast: rest[1] !== undefined,
      }
  }
  return null
}

const lineEnd = /(--)?[ \t]*(?:\r\n|$)/y

/** A part, or what is wrong with it. */
const partOf = (text: string): FormPart | string => {
  // A part without content may end with its head.
  const isWithoutHead = text.startsWith('\r\n')
  const end = isWithoutHead ? 0 : text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  const content = end < 0 ? '' : text.slice(end + (isWithoutHead ? 2 : 4))
  const fields: [string, string][] = []
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    if (line === '') continue
    const found = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line)
    if (found === null) return 'has a line in its head that is not a header'
    fields.push([found[1] ?? '', withoutBlanks(found[2] ?? '')])
  }
  const disposition = header(fields, 'content-disposition')
  if (disposition === null) return 'has no Content-Disposition'
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) return 'has a Content-Disposition other than form-data'
  const name = parameterOf(disposition, 'name')
  if (name === null) return 'has no name in its Content-Disposition'
  return {
    name,
    filename: parameterOf(disposition, 'filename'),
    contentType: header(fields, 'content-type'),
    headers: fields.filter(([field]) => !/^content-(?:disposition|type)$/i.test(field)),
    content,
  }
}

const parameters = {
  name: /;\s*name\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/i,
  filename: /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/i,
}

/** A parameter of Content-Disposition. Browsers escape with per cent signs (WHATWG HTML, 4.10.21.8), others with backslashes. */
const parameterOf = (disposition: string, name: keyof typeof parameters): string | null => {
  const found = parameters[name].exec(disposition)
  if (found === null) return null
  const text = (found[1]?.replace(/\\(["\\])/g, '$1') ?? found[2] ?? '').replace(
    /%(22|0D|0A)/gi,
    (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)),
  )
  return utf8Text(bytesOf(text)) ?? text
}

/** Writes parts; `boundary`: another one than the usual, which is changed if a part contains it. */
export const writeMultipart = (
  parts: readonly FormPart[],
  boundary: string = freeBoundary(parts),
): { readonly body: Uint8Array; readonly boundary: string } => {
  const text = parts.map(part => `--${boundary}\r\n${headOf(part)}\r\n\r\n${part.content}\r\n`).join('')
  return { body: bytesOf(`${text}--${boundary}--\r\n`), boundary }
}

const freeBoundary = (parts: readonly FormPart[]): string => {
  const isTaken = (boundary: string): boolean => parts.some(({ content }) => content.includes(boundary))
  let boundary = usualBoundary
  for (let count = 2; isTaken(boundary); count++) boundary = `${usualBoundary}-${count}`
  return boundary
}

const headOf = ({ name, filename, contentType, headers }: FormPart): string =>
  [
    `Content-Disposition: form-data; name="${escaped(name)}"${filename === null ? '' : `; filename="${escaped(filename)}"`}`,
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...headers.map(([field, value]) => `${field}: ${value}`),
  ].join('\r\n')

const escaped = (name: string): string =>
  latin1(new TextEncoder().encode(name)).replace(
    /["\r\n]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
