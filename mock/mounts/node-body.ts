import type { IncomingMessage } from 'node:http'
import { readBody } from '../server/read-body.ts'

type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

/** What body parsers put on a request that they have read. */
type Parsed = { readonly body?: unknown; readonly rawBody?: unknown }

/**
 * The body of a request of a server that is not the mock's own. Middleware before it may have read the body: then it is what
 * that left, bytes and text as they are, and a value written as JSON. Rejects if that left nothing; stays
 * pending if the client disconnects.
 */
export const requestBody = async (request: IncomingMessage, maxBodyBytes: number): Promise<Body> => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  // The frames of HTTP/2 need neither header.
  const isFramed = request.httpVersionMajor > 1 && !bodiless.has(request.method ?? 'GET')
  const hasBody = (length !== undefined && length !== '0') || encoding !== undefined || isFramed
  if (hasBody && request.readableEnded) return { body: parsedBody(request as Parsed), tooLarge: false }
  return new Promise(resolve =>
    readBody(request, maxBodyBytes, (body, tooLarge) => resolve({ body, tooLarge }), isFramed),
  )
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

const parsedBody = ({ body, rawBody }: Parsed): Uint8Array => {
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  if (body === undefined)
    throw new Error(
      'the body was read before it came to the mock: put the mock before what reads it, such as express.json()',
    )
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}
