import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { plantStoreDocument } from '../../spec/index.ts'
import { consoleRoutes } from '../console/console.ts'
import { adminPrefix, declares } from '../documents/prefix.ts'
import { createContext, type Handler } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'
import { type Built, buildMock } from './build.ts'
import { type Mounted, mounted } from './mounted.ts'
import { requestBody } from './node-body.ts'
import { sendNode } from './node-response.ts'
import { type HandlerOptions, settingsOf } from './options.ts'

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
