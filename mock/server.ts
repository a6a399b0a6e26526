import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Headers } from '../spec/index.ts'
import type { Engine } from './engine.ts'
import { framingProblem } from './framing.ts'
import { listen } from './listen.ts'
import { readBody } from './read-body.ts'

export type ServerOptions = { readonly host: string; readonly port: number; readonly maxBodyBytes: number }

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** Serves the engine over HTTP/1.1. Limits: docs/mock.md. */
export const serve = async (
  engine: Engine,
  { host, port, maxBodyBytes }: ServerOptions,
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
        refuseRaw(engine, request.socket, '400 Bad Request', problem)
        return
      }
      answer(engine, request, response, maxBodyBytes).catch(error => giveUp(response, error as Error))
    },
  )
  server.on('clientError', refuseMalformed(engine))
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

const answer = async (
  engine: Engine,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): Promise<void> => {
  const { body, tooLarge } = await readBody(request, maxBodyBytes)
  const composed = await engine({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: pairs(request.rawHeaders),
    body,
    tooLarge,
    connection: request.socket,
  })
  const headers: [string, string][] = [
    ...composed.headers.map(([name, value]): [string, string] => [name, value]),
    ...(tooLarge ? [['Connection', 'close'] as [string, string]] : []),
  ]
  const empty = composed.status === 204 || composed.status === 304
  if (!empty) headers.push(['Content-Length', String(composed.announced ?? composed.body.length)])
  response.writeHead(composed.status, headers.flat())
  const bytes = empty || request.method === 'HEAD' ? null : composed.body
  if (!tooLarge) {
    // One character for each byte: Node writes head and body at once only where the body is text.
    if (bytes === null || bytes.length > mostAtOnce) response.end(bytes ?? undefined)
    else
      response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 'latin1')
    return
  }
  response.flushHeaders()
  if (bytes !== null) response.write(bytes)
  drain(request, () => response.end())
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

const mostAtOnce = 16 * 1024
const drainMs = 2000

/**
 * Reads on for a while what a client is still sending: closing the connection on unread bytes resets it, and may
 * take the answer with it before the client has read it.
 */
const drain = (request: IncomingMessage, done: () => void): void => {
  const timer = setTimeout(done, drainMs)
  const stop = (): void => {
    clearTimeout(timer)
    done()
  }
  request.once('end', stop)
  request.once('close', stop)
  request.resume()
}

const pairs = (raw: readonly string[]): Headers =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))

const notHttp: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the header fields are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request was not sent in time'],
}

/** What is not HTTP is answered in the contract's own shape, and the connection ends. */
const refuseMalformed = (engine: Engine) => (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = notHttp[error.code ?? ''] ?? ['400 Bad Request', 'the request is not HTTP/1.1']
  refuseRaw(engine, socket, status, message)
}

/** CONNECT asks for a tunnel to elsewhere; node gives its socket to nobody unless somebody listens. */
const refuseTunnel = (engine: Engine) => (_request: IncomingMessage, socket: Duplex) => {
  socket.on('error', () => socket.destroy())
  refuseRaw(engine, socket, '405 Method Not Allowed', 'CONNECT is not declared here', 'Allow: \r\n')
}

const refuseRaw = (engine: Engine, socket: Duplex, status: string, message: string, extra = ''): void => {
  engine({ method: 'GET', target: '\0', headers: [], body: null, tooLarge: false, connection: socket })
    .then(composed => {
      const body = Buffer.from(composed.body).toString().replace('this path is not declared', message)
      const type = composed.headers.find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json'
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${extra}Connection: close\r\n\r\n${body}`,
        () => (socket as Socket).destroySoon?.(),
      )
    })
    .catch(() => socket.destroy())
}
