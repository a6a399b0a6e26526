import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { plantStoreDocument } from '../../spec/index.ts'
import { consoleRoutes } from '../console/console.ts'
import { adminPrefix, declares } from '../documents/documents.ts'
import { type Fault, isBodiless, type MockResponse } from '../engine/compiled-response.ts'
import { createContext, type Handler } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'
import { readBody } from '../server/read-body.ts'
import { type Built, buildMock } from './build.ts'
import { type Mounted, mounted } from './fetch-handler.ts'
import { headersWithLength } from './fetch-response.ts'
import { type HandlerOptions, settingsOf } from './options.ts'

/** Writes a response by means of a server that is not the mock's own, HTTP/1.1 or HTTP/2, or fails to as `fault` says. */
const sendNode = async (
  made: MockResponse,
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  // The server ends it when the client is gone.
  if (fault === 'hang') return
  if (fault === 'reset') {
    reset(response)
    return
  }
  response.statusCode = made.status
  const headers = headersWithLength(made, fault)
  // What middleware before the mock has set (X-Powered-By, say) stays, but for what the mock sets itself.
  for (const [name] of headers) response.removeHeader(name)
  for (const [name, value] of headers) response.appendHeader(name, value)
  // What is left of a body that is too large is not kept.
  request.resume()
  if (request.method === 'HEAD' || isBodiless(made.status)) response.end()
  else if (made.stream !== undefined) await writeStream(made.body, made.stream, response)
  else if (fault === 'truncate') cutShort(made.body, response)
  else response.end(made.body)
}

/** Closes the connection with RST; of TLS and of HTTP/2 only what this request has of it. */
const reset = (response: ServerResponse): void => {
  const { socket, httpVersionMajor } = response.req
  if (httpVersionMajor < 2 && !('encrypted' in socket)) socket.resetAndDestroy()
  else response.destroy()
}

const cutShort = (body: Uint8Array, response: ServerResponse): void => {
  response.write(body.subarray(0, body.length >> 1), () => response.destroy())
}

const writeStream = async (
  body: Uint8Array,
  stream: AsyncIterable<Uint8Array>,
  response: ServerResponse,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]()
  response.once('close', () => void iterator.return?.())
  response.flushHeaders()
  if (body.length > 0) response.write(body)
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true || response.destroyed) break
    // Waits for a client that reads too slowly, so that no more than one chunk is held for it.
    if (response.write(value)) continue
    await new Promise(resolve => response.once('drain', resolve).once('close', resolve))
  }
  response.end()
}

/** Hands a request on to what comes after the mock; with an error, to what handles errors. */
type Next = (error?: unknown) => void

/** The options of every mount, and what a server with other routes needs. */
export type MiddlewareOptions = HandlerOptions & {
  /** Serve `contract` below this path (`/api`); requests for other paths go to `next`. Default: it is served at `/`. */
  readonly prefix?: string | undefined
  /** Whether paths that the document does not declare go to `next`, instead of getting a 404. Default false. */
  readonly fallthrough?: boolean | undefined
  /** A name besides `localhost` and addresses under which the console may be used. Default: none. */
  readonly host?: string | undefined
}

/** An `IncomingMessage` and a `ServerResponse` of Node: those who use other mounts need not have its types. */
type NodeRequest = { readonly method?: string | undefined; readonly url?: string | undefined }
type NodeResponse = { readonly headersSent: boolean }

/** For `app.use(…)` of Express and Connect, and `server.middlewares.use(…)` of Vite. */
export type Middleware = ((request: NodeRequest, response: NodeResponse, next: Next) => void) & Mounted

/**
 * Makes middleware of the form that Connect, Express and Vite take. The console is at `/__plantstore/` of the server. Throws
 * DocumentError if the document is not a usable contract, and OptionError if options cannot be used.
 *
 * @example
 * app.use(await createMiddleware({ contract: 'openapi.yaml', prefix: '/api' }))
 */
export const createMiddleware = async (options: MiddlewareOptions = {}): Promise<Middleware> => {
  const { fallthrough = false, host = 'localhost' } = options
  const settings = settingsOf(belowPrefix(options))
  const built = await buildMock(settings, consoleRoutes, host)
  const respond = (request: NodeRequest, response: NodeResponse, next: Next): void => {
    const { url = '/', method = 'GET' } = request
    if (isOurs(built, method, url, fallthrough))
      respondTo(
        built.handle,
        settings.maxBodyBytes,
        request as IncomingMessage,
        response as ServerResponse,
      ).catch(next)
    else next()
  }
  return mounted(respond, built)
}

const belowPrefix = ({ prefix, contract, documents = {}, ...rest }: MiddlewareOptions): HandlerOptions =>
  prefix === undefined || prefix === '/' || prefix === ''
    ? { ...rest, contract, documents }
    : {
        ...rest,
        documents: { [prefix]: contract ?? fileURLToPath(plantStoreDocument), ...documents },
      }

const isOurs = (
  { locate }: Pick<Built, 'locate'>,
  method: string,
  url: string,
  fallthrough: boolean,
): boolean => {
  if (`${pathOf(url)}/`.startsWith(`${adminPrefix}/`)) return true
  const located = locate(url)
  if (located === null) return false
  return !fallthrough || declares(located, method)
}

const respondTo = async (
  handle: Handler,
  maxBodyBytes: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { body, tooLarge } = await requestBody(request, maxBodyBytes)
  const context = createContext({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: headersOf(request),
    body,
    tooLarge,
    connection: request.socket,
    onDisconnect: listener => {
      if (response.destroyed) listener()
      response.once('close', listener)
      return () => response.off('close', listener)
    },
  })
  const made = await handle(context)
  await sendNode(made, context.fault, request, response)
}

const headersOf = ({ rawHeaders, httpVersionMajor, headers }: IncomingMessage): [string, string][] => {
  const found: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // HTTP/2 has the method, the path and the authority among the fields; the last is the Host of HTTP/1.1.
    if (!name.startsWith(':')) found.push([name, rawHeaders[index + 1] as string])
  }
  const authority = headers[':authority']
  return httpVersionMajor < 2 || typeof authority !== 'string' || headers.host !== undefined
    ? found
    : [['host', authority], ...found]
}

type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

/** What body parsers put on a request that they have read. */
type Parsed = { readonly body?: unknown; readonly rawBody?: unknown }

/**
 * The body of a request of a server that is not the mock's own. Middleware before it may have read the body: then it is what
 * that left, bytes and text as they are, and a value written as JSON. Rejects if that left nothing; stays
 * pending if the client disconnects.
 */
const requestBody = async (request: IncomingMessage, maxBodyBytes: number): Promise<Body> => {
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
