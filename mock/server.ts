import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Headers } from '../spec/index.ts'
import type { Composed } from './compose.ts'
import type { Engine } from './engine.ts'

export type ServerOptions = { readonly host: string; readonly port: number; readonly maxBodyBytes: number }

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** The address cannot be listened on; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

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
      answer(engine, request, response, maxBodyBytes).catch(() => response.destroy())
    },
  )
  server.on('clientError', refuseMalformed(engine))
  await listen(server, host, port)
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(listenProblem(error, host, port))),
    )
    server.listen(port, host, resolve)
  })

const listenProblem = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another with --port, or --port 0 for any free one`
    case 'EACCES':
      return `port ${port} may not be listened on: choose one above 1023 with --port`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: choose another with --host`
    default:
      return `cannot listen on ${host}:${port}: ${message}`
  }
}

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
  })
  // The rest of a body that is too large is not read: the connection ends with the answer.
  const headers: [string, string][] = [
    ...composed.headers.map(([name, value]): [string, string] => [name, value]),
    ...(tooLarge ? [['Connection', 'close'] as [string, string]] : []),
  ]
  const empty = composed.status === 204 || composed.status === 304
  if (!empty) headers.push(['Content-Length', String(composed.body.length)])
  response.writeHead(composed.status, headers.flat())
  response.end(empty || request.method === 'HEAD' ? undefined : composed.body)
}

const pairs = (raw: readonly string[]): Headers =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))

type Body = { readonly body: Uint8Array | null; readonly tooLarge: boolean }

const readBody = (request: IncomingMessage, maxBodyBytes: number): Promise<Body> =>
  new Promise((resolve, reject) => {
    if (
      request.headers['content-length'] === undefined &&
      request.headers['transfer-encoding'] === undefined
    ) {
      resolve({ body: null, tooLarge: false })
      return
    }
    if (Number(request.headers['content-length']) > maxBodyBytes) {
      resolve({ body: null, tooLarge: true })
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBodyBytes) {
        request.pause()
        resolve({ body: null, tooLarge: true })
      } else chunks.push(chunk)
    })
    request.on('end', () =>
      resolve({ body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), tooLarge: false }),
    )
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed before the body was whole')))
  })

/** What is not HTTP is answered in the contract's own shape, and the connection ends. */
const refuseMalformed = (engine: Engine) => (error: NodeJS.ErrnoException, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  engine({ method: 'GET', target: '\0', headers: [], body: null, tooLarge: false })
    .then((composed: Composed) => {
      const body = Buffer.from(composed.body)
        .toString()
        .replace('this path is not declared', 'the request is not HTTP/1.1')
      const type = composed.headers.find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json'
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    })
    .catch(() => socket.destroy())
}
