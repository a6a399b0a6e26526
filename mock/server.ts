import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Headers } from '../spec/index.ts'
import { deliver } from './deliver.ts'
import type { Engine, MockRequest } from './engine.ts'
import { framingProblem } from './framing.ts'
import { listen } from './listen.ts'
import { readBody } from './read-body.ts'

export type ServerOptions = {
  readonly host: string
  readonly port: number
  readonly maxBodyBytes: number
  /** Told of each connection that is opened (1) or closed (-1). */
  readonly connected: (change: 1 | -1) => void
}

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** Serves the engine over HTTP/1.1. Limits: docs/mock.md. */
export const serve = async (
  engine: Engine,
  { host, port, maxBodyBytes, connected }: ServerOptions,
): Promise<Listening> => {
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1000,
      noDelay: true,
    },
    (request, response) => {
      const problem = framingProblem(request)
      if (problem !== null) {
        refuseRaw(engine, request.socket, { status: 400, message: problem })
        return
      }
      answer(engine, request, response, maxBodyBytes)
    },
  )
  // Many requests of one connection may be waiting at once.
  server.on('connection', socket => socket.setMaxListeners(0))
  server.on('clientError', refuseMalformed(engine))
  server.on('connection', socket => {
    connected(1)
    socket.once('close', () => connected(-1))
  })
  server.on('connect', refuseTunnel(engine))
  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => closed(server),
  }
}

const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const answer = (
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): void => {
  const failed = (error: unknown): void => giveUp(response, error as Error)
  const { socket } = request
  readBody(request, maxBodyBytes, (body, tooLarge) => {
    try {
      const composed = engine({
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        headers: pairs(request.rawHeaders),
        body,
        tooLarge,
        connection: socket,
        whenGone: heard => {
          if (socket.destroyed) heard()
          socket.once('close', heard)
          return () => socket.off('close', heard)
        },
      })
      // No promise is made where none is needed: this is where most of the time goes.
      if (!(composed instanceof Promise)) deliver(composed, request, response, tooLarge)
      else composed.then(own => deliver(own, request, response, tooLarge)).catch(failed)
    } catch (error) {
      failed(error)
    }
  })
}

// A fault of the mock itself, or a client that went away: whoever is still there gets an answer.
const giveUp = (response: ServerResponse, error: Error): void => {
  if (response.headersSent || (response.req.destroyed === true && !response.req.complete)) {
    response.destroy()
    return
  }
  response.writeHead(500, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify({ error: 500, message: `the mock failed: ${error.message}` }))
}

const pairs = (raw: readonly string[]): Headers => {
  const found: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    found.push([raw[index] as string, raw[index + 1] as string])
  return found
}

type Unreadable = NonNullable<MockRequest['unreadable']>

const unreadables: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the header fields are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'the request was not sent in time' },
}

/** What is not HTTP is answered in the contract's own shape, and the connection ends. */
const refuseMalformed = (engine: Engine) => (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const otherwise = { status: 400, message: 'the request is not HTTP/1.1' }
  refuseRaw(engine, socket, unreadables[error.code ?? ''] ?? otherwise)
}

/** CONNECT asks for a tunnel to elsewhere; node gives its socket to nobody unless somebody listens. */
const refuseTunnel = (engine: Engine) => (_request: IncomingMessage, socket: Duplex) => {
  socket.on('error', () => socket.destroy())
  refuseRaw(engine, socket, { status: 405, message: 'CONNECT is not declared here' }, 'Allow: \r\n')
}

const refuseRaw = (engine: Engine, socket: Duplex, unreadable: Unreadable, extra = ''): void => {
  const request = { method: '', target: '', headers: [], body: null, tooLarge: false, connection: socket }
  Promise.resolve(engine({ ...request, unreadable }))
    .then(({ status, headers, body }) => {
      const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json'
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n${extra}Connection: close\r\n\r\n`,
      )
      socket.end(body, () => (socket as Socket).destroySoon?.())
    })
    .catch(() => socket.destroy())
}
