import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorCodes, type Headers } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import { type Context, createContext, type Handler } from '../engine/context.ts'
import type { MockRequest } from '../engine/request.ts'
import { deliver, lingeringClose } from './deliver.ts'
import { maxHeadBytes } from './limits.ts'
import type { Pipelining } from './pipelining.ts'
import { readArrivingBody } from './read-body.ts'

/** What a server needs to respond to a request. */
export type Endpoint = {
  readonly handle: Handler
  readonly pipelining: Pipelining
  readonly maxBodyBytes: number
  readonly stalledMs: number
  /** Whether the handler takes the bodies of these requests from the wire. */
  readonly isForwarded: (request: IncomingMessage) => boolean
}

/** Reads the body of a request, unless it is forwarded, and responds to it. */
export const respondTo = (endpoint: Endpoint, request: IncomingMessage, response: ServerResponse): void => {
  const failed = (error: unknown): void => respondToFailure(endpoint, response, error as Error)
  const respond = (received: MockRequest): void => {
    const context = createContext(received)
    const send = (mockResponse: MockResponse): void =>
      sendTo(endpoint, context, mockResponse, request, response)
    try {
      const mockResponse = endpoint.handle(context)
      // No promise unless one is needed: most of the time goes into this function.
      if (mockResponse instanceof Promise) mockResponse.then(send).catch(failed)
      else send(mockResponse)
    } catch (error) {
      failed(error)
    }
  }
  if (endpoint.isForwarded(request))
    respond({ ...mockRequest(request, null, false), wire: wireOf(endpoint, request, response) })
  else
    readArrivingBody(request, endpoint.maxBodyBytes, (body, tooLarge) =>
      respond(mockRequest(request, body, tooLarge)),
    )
}

/** Hands over a request for another protocol, with what followed it. Whatever comes of it, the connection has no other request. */
export const respondToUpgrade = (endpoint: Endpoint, request: IncomingMessage, head: Uint8Array): void => {
  const response = responseOn(request)
  const context = createContext({
    ...mockRequest(request, null, false),
    wire: { ...wireOf(endpoint, request, response), head },
  })
  new Promise<MockResponse>(resolve => resolve(endpoint.handle(context)))
    .then(mockResponse => {
      if (mockResponse.delivered !== true)
        deliver(mockResponse, request, response, { fault: null, isLast: true, stalledMs: 0 })
      else if (mockResponse.status !== 101) lingeringClose(request.socket)
    })
    .catch(() => request.socket.destroy())
}

const wireOf = (
  { pipelining }: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): NonNullable<MockRequest['wire']> => ({
  request,
  response,
  leave: () => pipelining.leave(request.socket),
})

const mockRequest = (request: IncomingMessage, body: Uint8Array | null, tooLarge: boolean): MockRequest => {
  const { socket } = request
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: pairs(request.rawHeaders),
    body,
    tooLarge,
    connection: socket,
    onDisconnect: listener => onDisconnect(socket, listener),
  }
}

// A client that closes only its side looks like one that is gone: a response that is held back is given up for both.
const onDisconnect = (socket: Socket, listener: () => void): (() => void) => {
  if (socket.destroyed || socket.readableEnded) listener()
  socket.once('end', listener).once('close', listener)
  return () => socket.off('end', listener).off('close', listener)
}

const pairs = (raw: readonly string[]): Headers => {
  const found: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    found.push([raw[index] as string, raw[index + 1] as string])
  return found
}

const sendTo = (
  { pipelining, stalledMs }: Endpoint,
  { fault, received }: Context,
  mockResponse: MockResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (mockResponse.delivered === true) return
  const { socket } = request
  if (fault === 'hang' || mockResponse.stream !== undefined) pipelining.release(socket)
  const isLast =
    received.tooLarge || !response.shouldKeepAlive || losesNext(request) || pipelining.isEnding(socket)
  deliver(mockResponse, request, response, { fault, isLast, stalledMs })
}

/** Node drops what a client sends behind a request for an upgrade, which the mock does not make. */
const losesNext = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

// A client that is gone needs no response; one that waits is told that the mock itself failed.
const respondToFailure = (endpoint: Endpoint, response: ServerResponse, error: Error): void => {
  if (response.headersSent || !response.req.complete) response.req.socket.destroy()
  else
    rejectUnreadable(endpoint, response, {
      status: 500,
      code: errorCodes.mockFailed,
      message: `the mock failed: ${error.message}`,
    })
}

/** Responds to unreadable bytes in the shape of the contract's own failures, and ends the connection. */
export const rejectUnreadable = (
  { handle }: Endpoint,
  response: ServerResponse,
  unreadable: Unreadable,
  headers: Headers = [],
): void => {
  const { socket } = response.req
  const context = createContext({
    method: '',
    target: '',
    headers: [],
    body: null,
    tooLarge: false,
    connection: socket,
    unreadable,
  })
  const options = { fault: null, isLast: true, stalledMs: 0 }
  new Promise<MockResponse>(resolve => resolve(handle(context)))
    .then(rejection =>
      deliver({ ...rejection, headers: [...rejection.headers, ...headers] }, response.req, response, options),
    )
    .catch(() => socket.destroy())
}

/** A response for a request that Node has none for. */
export const responseOn = (request: IncomingMessage): ServerResponse => {
  const response = new http.ServerResponse(request)
  response.assignSocket(request.socket)
  return response
}

/** A request that stands for bytes of a connection which are none. */
export const requestOn = (socket: Socket): IncomingMessage => new http.IncomingMessage(socket)

/** Why bytes are not a request that the mock can respond to by the contract, and the status of the response to them. */
export type Unreadable = NonNullable<MockRequest['unreadable']>

export const notHttp: Unreadable = { status: 400, message: 'the request is not HTTP/1.1' }
export const unsupportedExpectation: Unreadable = { status: 417, message: 'unsupported Expect header' }
export const connectMethod: Unreadable = { status: 405, message: 'CONNECT is not declared here' }

const byCode: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `request line and header fields are larger than ${maxHeadBytes} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not sent in time' },
}

/** What is wrong with the framing, by the reason that Node's parser gives. */
const byReason: Readonly<Record<string, string>> = {
  "Transfer-Encoding can't be present with Content-Length":
    'Transfer-Encoding and Content-Length cannot stand together',
  "Content-Length can't be present with Transfer-Encoding":
    'Transfer-Encoding and Content-Length cannot stand together',
  'Duplicate Content-Length': 'there is more than one Content-Length header',
  'Invalid character in Content-Length': 'the Content-Length header is not a number',
  'Request has invalid `Transfer-Encoding`': 'the Transfer-Encoding header does not end with chunked',
}

const requestLine = /^([!#$%&'*+.^`|~\w-]{1,40}) \S+ HTTP\/1\.[01]\r?\n/

type ParserError = NodeJS.ErrnoException & { readonly reason?: string; readonly rawPacket?: Uint8Array }

/** For an error of Node's HTTP parser. */
export const unreadableBy = ({ code = '', reason = '', rawPacket }: ParserError): Unreadable => {
  const message = byReason[reason] ?? (code === 'HPE_INVALID_METHOD' ? unknownMethod(rawPacket) : undefined)
  return message === undefined ? (byCode[code] ?? notHttp) : { status: 400, message }
}

/** HTTP allows any method, and Node's parser knows thirty. */
const unknownMethod = (bytes: Uint8Array | undefined): string | undefined => {
  const [, method] = requestLine.exec(Buffer.from(bytes ?? []).toString('latin1', 0, 1000)) ?? []
  // The packet may begin with a request that could be read.
  return method === undefined || http.METHODS.includes(method)
    ? undefined
    : `${method} is not a method that this server can read`
}

/**
 * Node's `node:http`. Imported as a module, it would load the client behind `fetch` as well, which takes as long as the rest of Node's
 * own start: a module shows every property that `node:http` has, and some are loaded when they are read.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** Loaded only where it is wanted. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https')
