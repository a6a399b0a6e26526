import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { adminPrefix } from '../documents/documents.ts'
import type { Handler } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'
import {
  connectMethod,
  type Endpoint,
  http,
  https,
  notHttp,
  rejectUnreadable,
  requestOn,
  respondTo,
  respondToUpgrade,
  responseOn,
  type Unreadable,
  unreadableBy,
  unsupportedExpectation,
} from './exchange.ts'
import { type Limits, maxHeadBytes } from './limits.ts'
import { listen } from './listen.ts'
import { createPipelining, type Pipelining } from './pipelining.ts'
import type { Certificate } from './self-signed.ts'

export type ServerOptions = {
  readonly host: string
  readonly port: number
  readonly maxBodyBytes: number
  readonly limits: Limits
  /** Null: plain HTTP. */
  readonly certificate: Certificate | null
  /** Called for each connection that is opened (1) or closed (-1). */
  readonly connected: (change: 1 | -1) => void
  /** Whether the handler takes the bodies of requests from the wire, but for those of admin routes. */
  readonly forwards: boolean
}

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** Serves a handler over HTTP/1.1, within the limits of docs/mock.md. */
export const serve = async (handle: Handler, options: ServerOptions): Promise<Listening> => {
  const { host, port, maxBodyBytes, limits, certificate } = options
  const server = createHttpServer(options)
  const sockets = new Set<Socket>()
  const pipelining = createPipelining()
  const isForwarded = ({ url = '' }: IncomingMessage): boolean =>
    options.forwards && !`${pathOf(url)}/`.startsWith(`${adminPrefix}/`)
  const endpoint = { handle, pipelining, maxBodyBytes, stalledMs: limits.stalledMs, isForwarded }
  onRequests(server, endpoint)
  onUnreadable(server, endpoint)
  if (options.forwards) onUpgrades(server, endpoint)
  onConnections(server, options, endpoint, sockets)
  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  const scheme = certificate === null ? 'http' : 'https'
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => closeServer(server, pipelining, sockets, limits.closeMs),
  }
}

const createHttpServer = ({ limits, certificate, forwards }: ServerOptions): Server => {
  const settings = {
    keepAliveTimeout: limits.idleMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    handshakeTimeout: limits.headersMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: maxHeadBytes,
    // Node's own response to a missing Host has no body.
    requireHostHeader: false,
    noDelay: true,
    allowHalfOpen: true,
    // A client may offer HTTP/2 beside a body (h2c), which a proxy does not pass on.
    ...(forwards ? { shouldUpgradeCallback: isUpgrade } : {}),
  }
  const server =
    certificate === null
      ? http.createServer(settings)
      : https().createServer({ ...settings, ...certificate, ALPNProtocols: ['http/1.1'] })
  // Node would silently drop the fields after the 2000th.
  server.maxHeadersCount = 0
  // A client that closes its side after its request gets its response, however long that takes.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

const isUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  !/\bh2c\b/i.test(headers.upgrade ?? '')

/** Requests that Node could read. */
const onRequests = (server: Server, endpoint: Endpoint): void => {
  const inTurn = (request: IncomingMessage, response: ServerResponse, respond: () => void): void =>
    endpoint.pipelining.enqueue(response, () => {
      const message = headProblem(request)
      if (message === null) respond()
      else rejectUnreadable(endpoint, response, { status: 400, message })
    })
  server.on('request', (request, response) =>
    inTurn(request, response, () => respondTo(endpoint, request, response)),
  )
  server.on('checkContinue', (request, response) =>
    inTurn(request, response, () => {
      const isRead = !endpoint.isForwarded(request)
      if (isRead && !(Number(request.headers['content-length']) > endpoint.maxBodyBytes))
        response.writeContinue()
      respondTo(endpoint, request, response)
    }),
  )
  server.on('checkExpectation', (request, response) =>
    inTurn(request, response, () => rejectUnreadable(endpoint, response, unsupportedExpectation)),
  )
}

/** Bytes that Node could not read, and requests that it hands over without a response. */
const onUnreadable = (server: Server, endpoint: Endpoint): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    // A connection that was opened in advance and never used needs no response.
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) socket.destroy()
    // What follows the last response is ignored.
    else if (socket.writable)
      rejectRest(endpoint, socket, unreadableBy(error), error.code === 'HPE_INVALID_EOF_STATE')
  })
  // CONNECT asks for a tunnel. Without a listener, Node would close the connection.
  server.on('connect', (request, stream) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    endpoint.pipelining.enqueueLast(socket, () =>
      rejectUnreadable(endpoint, responseOn(request), connectMethod, [['Allow', '']]),
    )
  })
}

/** Requests for another protocol, such as WebSocket. Without a listener, Node takes them for requests like any other. */
const onUpgrades = (server: Server, endpoint: Endpoint): void => {
  server.on('upgrade', (request: IncomingMessage, stream, head: Buffer) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    endpoint.pipelining.enqueueLast(socket, () => {
      const message = headProblem(request)
      if (message === null) respondToUpgrade(endpoint, request, head)
      else rejectUnreadable(endpoint, responseOn(request), { status: 400, message })
    })
  })
}

const onConnections = (
  server: Server,
  { certificate, connected }: ServerOptions,
  endpoint: Endpoint,
  sockets: Set<Socket>,
): void => {
  server.on('connection', (socket: Socket) => {
    connected(1)
    sockets.add(socket)
    socket.once('close', () => {
      connected(-1)
      sockets.delete(socket)
    })
  })
  server.on(certificate === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    endpoint.pipelining.open(socket)
    // Node does not report a body that ends too early if the request asked for an upgrade.
    socket.on('end', () => {
      if (endpoint.pipelining.isIncomplete(socket)) rejectRest(endpoint, socket, notHttp, true)
    })
  })
}

/** Rejects what a connection sent after its last complete request. `hasEnded`: the client closed it in the middle of a request. */
const rejectRest = (endpoint: Endpoint, socket: Socket, reason: Unreadable, hasEnded = false): void =>
  endpoint.pipelining.enqueueLast(socket, response => {
    // The server behind learns of it the same way.
    if (hasEnded && response !== null && endpoint.isForwarded(response.req)) socket.destroy()
    else rejectUnreadable(endpoint, response ?? responseOn(requestOn(socket)), reason)
  })

/** Responds to the requests that have begun; after a while closes all connections. */
const closeServer = (
  server: Server,
  pipelining: Pipelining,
  sockets: ReadonlySet<Socket>,
  closeMs: number,
): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, closeMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    pipelining.end()
  })

/** `uri-host [ ":" port ]` (RFC 9110, 7.2); empty if there is no authority. */
const host = /^(?:\[[0-9a-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/i

/** What is wrong with the head of a request that node:http accepts; null: nothing. */
const headProblem = ({ httpVersion, rawHeaders }: IncomingMessage): string | null => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'the request is not HTTP/1.1'
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    hosts += 1
    if (!host.test(rawHeaders[index + 1] as string)) return 'the Host header is invalid'
  }
  // RFC 9112, 3.2.
  if (hosts === 0 && httpVersion === '1.1') return 'the Host header is missing'
  return hosts > 1 ? 'there is more than one Host header' : null
}
