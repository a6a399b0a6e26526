import {
  asNode,
  type DocumentNode,
  decodedBody,
  type Failure,
  failureText,
  type Headers,
  type HttpResponse,
  header,
  isNode,
  mediaType,
  safeText,
  type TrafficEntry,
} from '../../../spec/index.ts'
import { TrafficError } from '../../errors.ts'

/** The creator of our own files. */
const ownName = 'plantstore-contract'

/** The entries of a HAR file, whoever wrote it. Throws TrafficError. */
export const readHar = (file: DocumentNode): readonly TrafficEntry[] => {
  const { entries, creator } = asNode(file.log)
  const isOwn = asNode(creator).name === ownName
  return listAt(entries, 'log.entries').map((entry, index) => entryOf(entry, `log.entries[${index}]`, isOwn))
}

const entryOf = (value: unknown, place: string, isOwn: boolean): TrafficEntry => {
  const entry = objectAt(value, place)
  const request = objectAt(entry.request, `${place}.request`)
  const response = objectAt(entry.response, `${place}.response`)
  const method = textAt(request.method, `${place}.request.method`)
  const sent = requestOf(request, `${place}.request`)
  return {
    place,
    method,
    ...addressOf(textAt(request.url, `${place}.request.url`), `${place}.request.url`),
    ...sent,
    ...outcomeOf(response, method, `${place}.response`, isOwn),
    ...(request._raw === undefined ? {} : { unjudged: 'it was sent as malformed HTTP' }),
    ms: sizeOf(entry.time),
    hasCredentials: isOwn,
  }
}

/** The target as it was sent: `new URL` would normalise it. */
export const addressOf = (url: string, place: string): Pick<TrafficEntry, 'origin' | 'target'> => {
  if (!URL.canParse(url)) throw new TrafficError(`\`${place}\` is no absolute URL: ${safeText(url)}`)
  const [, origin, target = ''] = /^(https?:\/\/[^/?#\\]*)([^#]*)/i.exec(url) ?? []
  return origin === undefined
    ? { origin: '', target: '' }
    : { origin: new URL(origin).origin, target: target.replace(/^(?!\/)/, '/') }
}

const requestOf = (
  request: DocumentNode,
  place: string,
): Pick<TrafficEntry, 'headers' | 'body' | 'isBodyCut'> => {
  const written = headersOf(request.headers, `${place}.headers`)
  const { bytes, isCut } = sentBody(request, written, place)
  const cookies = Array.isArray(request.cookies) ? request.cookies.map(asNode) : []
  const type = asNode(request.postData).mimeType
  const complete: Headers = [
    ...written,
    // Some exports have cookies and media types here only.
    ...(header(written, 'cookie') === null && cookies.length > 0
      ? [['Cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; ')] as const]
      : []),
    ...(header(written, 'content-type') === null && typeof type === 'string' && type !== '' && bytes !== null
      ? [['Content-Type', type] as const]
      : []),
  ]
  if (bytes === null) return { headers: complete, body: null, isBodyCut: isCut }
  return { ...withoutCoding(complete, bytes, isCut), isBodyCut: isCut }
}

/** The bytes of the body of a request, and whether the file has less than all of them. */
const sentBody = (
  request: DocumentNode,
  headers: Headers,
  place: string,
): { readonly bytes: Uint8Array | null; readonly isCut: boolean } => {
  const size = Math.max(sizeOf(request.bodySize), sizeOf(Number(header(headers, 'content-length') ?? 0)))
  if (request.postData == null) return { bytes: null, isCut: size > 0 }
  const data = objectAt(request.postData, `${place}.postData`)
  const params = Array.isArray(data.params) ? data.params.map(asNode) : []
  const type = mediaType(header(headers, 'content-type') ?? String(data.mimeType ?? ''))
  if (typeof data.text !== 'string' || data.text === '') {
    if (params.length === 0) return { bytes: new Uint8Array(), isCut: size > 0 }
    const isForm = type === 'application/x-www-form-urlencoded'
    const form = new URLSearchParams(
      params.map(({ name, value }) => [String(name), String(value ?? '')] as [string, string]),
    )
    return { bytes: Buffer.from(form.toString()), isCut: !isForm }
  }
  const bytes = Buffer.from(data.text, (data._encoding ?? data.encoding) === 'base64' ? 'base64' : 'utf8')
  // Browsers write the bytes of files as if they were text, which loses them.
  const isLossy = type?.startsWith('multipart/') === true && data.text.includes('\uFFFD')
  return { bytes, isCut: isLossy || bytes.length < sizeOf(request.bodySize) }
}

type Outcome = Pick<TrafficEntry, 'response' | 'failure' | 'unjudged'>

const outcomeOf = (response: DocumentNode, method: string, place: string, isOwn: boolean): Outcome => {
  const { status, _error: kind } = response
  if (typeof status !== 'number') throw new TrafficError(`\`${place}.status\` is no number`)
  if (isOwn && typeof kind === 'string' && Object.hasOwn(failureText, kind))
    return {
      response: null,
      failure: { kind: kind as Failure, detail: String(response.comment ?? kind) },
      unjudged: null,
    }
  // The browser may have refused or cancelled it, or another than the server.
  if (status < 100) return { response: null, failure: null, unjudged: 'there was no response' }
  const headers = headersOf(response.headers, `${place}.headers`)
  const { bytes, unjudged } = receivedBody(asNode(response.content), headers, method, status)
  return {
    response: { status, ...withoutCoding(headers, bytes, unjudged !== null) },
    failure: null,
    unjudged: unjudged ?? unjudgedStatus(status),
  }
}

const unjudgedStatus = (status: number): string | null => {
  if (status === 304) return 'a 304 follows from what the client has'
  return status === 101 ? 'it is another protocol from here on' : null
}

const receivedBody = (
  { text, size, encoding }: DocumentNode,
  headers: Headers,
  method: string,
  status: number,
): { readonly bytes: Uint8Array; readonly unjudged: string | null } => {
  const bytes =
    typeof text === 'string' ? Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8') : new Uint8Array()
  const isBodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304
  // Of an empty text, the size in the header says whether there was more. A byte order mark is no part of a text.
  const whole = Math.max(
    sizeOf(size) - byteOrderMark,
    bytes.length === 0 ? sizeOf(Number(header(headers, 'content-length') ?? 0)) : 0,
  )
  if (isBodiless || bytes.length >= whole) return { bytes, unjudged: null }
  return {
    bytes,
    unjudged:
      bytes.length === 0
        ? 'the file does not have the body of the response'
        : 'the file has only the beginning of the body of the response',
  }
}

const byteOrderMark = 3

/** A message without content codings. Whoever writes a file has mostly decoded the body, and left the field as it was. */
const withoutCoding = (
  headers: Headers,
  body: Uint8Array,
  isCut: boolean,
): Pick<HttpResponse, 'headers' | 'body'> => {
  if (header(headers, 'content-encoding') === null) return { headers, body }
  const decoded = isCut ? null : decodedBody({ headers, body })
  return {
    headers: headers.filter(([name]) => name.toLowerCase() !== 'content-encoding'),
    body: decoded === null || 'problem' in decoded ? body : decoded,
  }
}

/** Without the pseudo-header fields of HTTP/2. Chrome writes several lines of one name with line breaks between them. */
const headersOf = (list: unknown, place: string): Headers => {
  if (list === undefined) return []
  return listAt(list, place).flatMap((each, index): Headers => {
    const at = `${place}[${index}]`
    const field = objectAt(each, at)
    const name = textAt(field.name, `${at}.name`)
    if (name.startsWith(':')) return []
    return textAt(field.value, `${at}.value`)
      .split('\n')
      .map(value => [name, value] as const)
  })
}

/** Of what is not known, files have -1 or nothing. */
const sizeOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0

/** The parts of a file of somebody else: each throws TrafficError with the place of what is something else. */

export const objectAt = (value: unknown, place: string): DocumentNode => {
  if (isNode(value)) return value
  throw new TrafficError(`\`${place}\` is no object`)
}

const textAt = (value: unknown, place: string): string => {
  if (typeof value === 'string') return value
  throw new TrafficError(`\`${place}\` is no text`)
}

export const listAt = (value: unknown, place: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new TrafficError(`\`${place}\` is no list`)
}
