import { type Headers, type HttpResponse, latin1, placeholder, type TrafficEntry } from '../../spec/index.ts'

/** The placeholders of a recorded text, as files of the proxy and of the suite have them. */
export const placeholders: RegExp = /\{\{(?:token(?:@\w+)?(?::[a-z-]+)?|header)\}\}/g

const filled = (text: string, secret: string): string =>
  text
    .replaceAll(placeholder('basic'), () => Buffer.from(`user:${secret}`).toString('base64'))
    .replace(placeholders, () => secret)

const filledBytes = (bytes: Uint8Array, secret: string): Uint8Array => {
  // One character for each byte, so that any bytes come back as they were.
  const text = latin1(bytes)
  return text.includes('{{') ? Buffer.from(filled(text, secret), 'latin1') : bytes
}

const filledHeaders = (headers: Headers, secret: string): Headers =>
  headers.map(([name, value]) => [name, filled(value, secret)])

/** A response with a secret in the place of placeholders. */
export const filledResponse = ({ status, headers, body }: HttpResponse, secret: string): HttpResponse => ({
  status,
  headers: filledHeaders(headers, secret),
  body: filledBytes(body, secret),
})

/** A request with a secret in the place of placeholders; `target`: without what stands before the paths of the document. */
export const filledRequest = (
  { method, headers, body, isBodyCut }: TrafficEntry,
  target: string,
  secret: string,
) => ({
  method,
  target: filled(decodedPlaceholders(target), secret),
  headers: filledHeaders(headers, secret),
  body: body === null ? null : filledBytes(body, secret),
  tooLarge: isBodyCut,
})

/** In URLs the braces of placeholders are percent-encoded. */
const decodedPlaceholders = (target: string): string =>
  target.replace(/%7B%7B((?:token|header)[\w@:-]*)%7D%7D/gi, '{{$1}}')
