import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { codes, type Headers } from '../spec/index.ts'
import type { Certificate } from './certificate.ts'
import type { Composed } from './compose.ts'
import { deliver } from './deliver.ts'
import type { Engine, MockRequest } from './engine.ts'
import { framingProblem } from './framing.ts'
import { type Limits, maxHeadBytes } from './limits.ts'
import { listen } from './listen.ts'
import { readBody } from './read-body.ts'
import { createTurns, type Turns } from './turns.ts'

export type ServerOptions = {
  readonly host: string
  readonly port: number
  readonly maxBodyBytes: number
  /** Told of each connection that is opened (1) or closed (-1). */
  readonly connected: (change: 1 | -1) => void
  readonly limits: Limits
  /** Null: plain HTTP. */
  readonly tls: Certificate | null
}

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** Serves the engine over HTTP/1.1. Limits: docs/mock.md. */
export const serve = async (engine: Engine, options: ServerOptions): Promise<Listening> => {
  const { host, port, maxBodyBytes, limits, tls, connected } = options
  const server = openServer(options)
  const sockets = new Set<Socket>()
  const turns = createTurns()
  const hand = (request: IncomingMessage, response: ServerResponse, go: () => void): void => {
    turns.take(response, () => {
      const problem = framingProblem(request)
      if (problem === null) go()
      else refuse(engine, response, { status: 400, message: problem })
    })
  }
  const answering = (request: IncomingMessage, response: ServerResponse): void =>
    answer(engine, turns, request, response, options)
  const refuseRest = (socket: Socket, reason: Unreadable): void =>
    turns.takeLast(socket, response =>
      refuse(engine, response ?? answerTo(new IncomingMessage(socket)), reason),
    )
  server.on('request', (request, response) => hand(request, response, () => answering(request, response)))
  server.on('checkContinue', (request, response) =>
    hand(request, response, () => {
      if (!(Number(request.headers['content-length']) > maxBodyBytes)) response.writeContinue()
      answering(request, response)
    }),
  )
  server.on('checkExpectation', (request, response) =>
    hand(request, response, () => refuse(engine, response, unmetExpectation)),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    // A connection that was opened in advance and not used: there is nothing to answer.
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) socket.destroy()
    // After the last answer, what still comes is not looked at.
    else if (socket.writable) refuseRest(socket, unreadableOf(error))
  })
  // CONNECT asks for a tunnel to elsewhere; node gives its socket to nobody unless somebody listens.
  server.on('connect', (request, stream) => {
    const socket = stream as Socket
    socket.on('error', () => socket.destroy())
    turns.takeLast(socket, () => refuse(engine, answerTo(request), tunnel, [['Allow', '']]))
  })
  server.on('connection', (socket: Socket) => {
    connected(1)
    sockets.add(socket)
    socket.once('close', () => {
      connected(-1)
      sockets.delete(socket)
    })
  })
  server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    turns.enter(socket)
    // Node says nothing of a body that ends too early where the request asked for an upgrade.
    socket.on('end', () => {
      if (turns.isCut(socket)) refuseRest(socket, notHttp)
    })
  })
  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => closed(server, turns, sockets, limits.closeMs),
  }
}

const openServer = ({ limits, tls }: ServerOptions): Server => {
  const settings = {
    keepAliveTimeout: limits.idleMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    handshakeTimeout: limits.headersMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: maxHeadBytes,
    // Node's own answer to a missing Host has no body.
    requireHostHeader: false,
    noDelay: true,
    allowHalfOpen: true,
  }
  const server =
    tls === null
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, ALPNProtocols: ['http/1.1'] })
  // Node would drop the fields after the 2000th without a word.
  server.maxHeadersCount = 0
  // A client that ends its side after its request is answered, however long that takes.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/** Requests that have begun are answered; after a while all connections are closed. */
const closed = (server: Server, turns: Turns, sockets: ReadonlySet<Socket>, closeMs: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, closeMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    turns.end()
  })

const answer = (
  engine: Engine,
  turns: Turns,
  request: IncomingMessage,
  response: ServerResponse,
  { maxBodyBytes, limits }: ServerOptions,
): void => {
  const failed = (error: unknown): void => giveUp(engine, response, error as Error)
  const { socket } = request
  readBody(request, maxBodyBytes, (body, tooLarge) => {
    const give = (composed: Composed): void => {
      if (composed.fate === 'hang' || composed.stream !== undefined) turns.letGo(socket)
      const ends = tooLarge || !response.shouldKeepAlive || losesNext(request) || turns.isEnding(socket)
      deliver(composed, request, response, ends, limits.stalledMs)
    }
    try {
      const composed = engine({
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        headers: pairs(request.rawHeaders),
        body,
        tooLarge,
        connection: socket,
        whenGone: heard => {
          // Who ends his side alone cannot be told from who is gone: where an answer is held back, both are.
          if (socket.destroyed || socket.readableEnded) heard()
          socket.once('end', heard).once('close', heard)
          return () => socket.off('end', heard).off('close', heard)
        },
      })
      // No promise is made where none is needed: this is where most of the time goes.
      if (!(composed instanceof Promise)) give(composed)
      else composed.then(give).catch(failed)
    } catch (error) {
      failed(error)
    }
  })
}

/** Upgrades are not taken up, but node drops what came at once behind a request that asks for one. */
const losesNext = ({ headers }: IncomingMessage): boolean => headers.upgrade !== undefined

const pairs = (raw: readonly string[]): Headers => {
  const found: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    found.push([raw[index] as string, raw[index + 1] as string])
  return found
}

// A client that went away needs no answer; for a fault of the mock itself there is one.
const giveUp = (engine: Engine, response: ServerResponse, error: Error): void => {
  if (response.headersSent || !response.req.complete) response.req.socket.destroy()
  else
    refuse(engine, response, {
      status: 500,
      code: codes.mockFailed,
      message: `the mock failed: ${error.message}`,
    })
}

type Unreadable = NonNullable<MockRequest['unreadable']>

const notHttp: Unreadable = { status: 400, message: 'the request is not HTTP/1.1' }
const unmetExpectation: Unreadable = { status: 417, message: 'nothing is known of what is expected' }
const tunnel: Unreadable = { status: 405, message: 'CONNECT is not declared here' }
const unreadables: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `request line and header fields are larger than ${maxHeadBytes} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not sent in time' },
}
const unreadableOf = ({ code = '' }: NodeJS.ErrnoException): Unreadable => unreadables[code] ?? notHttp

/** An answer that node has not prepared. */
const answerTo = (request: IncomingMessage): ServerResponse => {
  const response = new ServerResponse(request)
  response.assignSocket(request.socket)
  return response
}

/** What cannot be taken for a request is answered in the contract's own shape, and the connection ends. */
const refuse = (
  engine: Engine,
  response: ServerResponse,
  unreadable: Unreadable,
  extra: Headers = [],
): void => {
  const { socket } = response.req
  const unread = { method: '', target: '', headers: [], body: null, tooLarge: false, connection: socket }
  new Promise<Composed>(resolve => resolve(engine({ ...unread, unreadable })))
    .then(composed =>
      deliver({ ...composed, headers: [...composed.headers, ...extra] }, response.req, response, true, 0),
    )
    .catch(() => socket.destroy())
}
