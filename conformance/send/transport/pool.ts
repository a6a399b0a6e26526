import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Client, type Dispatcher } from 'undici'
import type { HttpRequest, Outcome } from '../../../spec/index.ts'
import { collectResponse, headerPairs, limits, type Reading } from './collect-response.ts'
import { type Connect, socketErrorOf } from './connect.ts'
import { type IdlePolicy, isLarge, splitInTwo } from './node-http.ts'

/** A connection that is kept open, and its history. */
type Connection = {
  readonly client: Client
  socket: Socket | null
  connected: () => void
  /** Responses that came over the socket, and its bytes when the last of them was complete. */
  responses: number
  bytes: number
  /** When the last 5xx was complete: many servers end a connection without a word after an error that nothing caught. */
  errorAt: number
  /** When the last response was complete, and how long the connection was idle after that. */
  since: number
  idleMs: number
}

/** The end of a connection this soon after a 5xx is a consequence of that. */
const afterErrorMs = 1000

export type Pool = {
  readonly send: (request: HttpRequest) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** Sends most of the requests, over as many connections as there are requests in flight. */
export const createPool = (target: URL, connect: Connect, reading: Reading, idlePolicy: IdlePolicy): Pool => {
  const connections = new Set<Connection>()
  const idle: Connection[] = []
  const open = (): Connection => {
    const client = new Client(target.origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: limits.headBytes,
      connect: (_options, callback) => {
        connect().then(
          socket => {
            Object.assign(connection, { socket, responses: 0, bytes: 0 })
            connection.connected()
            callback(null, socket)
          },
          (error: Error) => callback(error, null),
        )
      },
    })
    const connection: Connection = {
      client,
      socket: null,
      connected: () => {},
      responses: 0,
      bytes: 0,
      errorAt: Number.NEGATIVE_INFINITY,
      since: 0,
      idleMs: 0,
    }
    connections.add(connection)
    return connection
  }
  const drop = (connection: Connection): void => {
    connections.delete(connection)
    connection.client.destroy().catch(() => {})
  }
  const sendOver = async (connection: Connection, request: HttpRequest): Promise<Outcome> => {
    connection.idleMs = performance.now() - connection.since
    const outcome = await exchange(connection, request, reading)
    if (outcome.kind === 'failure') {
      drop(connection)
      return outcome
    }
    if (hasSurplus(connection)) {
      drop(connection)
      const { status } = outcome.response
      const detail = 'more bytes came than the response announced'
      return { kind: 'failure', failure: 'malformed', status, detail, ms: outcome.ms }
    }
    // A stream was left before its end. A server that rejects a large body unread may close the connection (RFC 9112 9.6).
    const { status } = outcome.response
    if (connection.client.destroyed || (isLarge(request) && status >= 400)) {
      drop(connection)
      return outcome
    }
    connection.responses += 1
    connection.since = performance.now()
    if (status >= 500) connection.errorAt = connection.since
    connection.bytes = connection.socket?.bytesRead ?? 0
    idle.push(connection)
    return outcome
  }
  return {
    send: async request => {
      const connection = idle.pop() ?? open()
      if (connection.responses > 0) await idlePolicy.rested(connection.since)
      const isAfterError = performance.now() - connection.errorAt < afterErrorMs
      const outcome = await sendOver(connection, request)
      if (!isStale(connection, outcome) || !(isAfterError || idlePolicy.excuses(connection.idleMs)))
        return outcome
      const again = await sendOver(open(), request)
      // It may have ended the server the first time.
      return again.kind === 'failure' ? { ...again, ms: outcome.ms + again.ms } : again
    },
    close: async () => {
      await Promise.all([...connections].map(({ client }) => client.destroy()))
    },
  }
}

/** Bytes that follow a response, and belong to none, make undici end the connection at once. */
const hasSurplus = ({ socket }: Connection): boolean => socket?.errored?.message === 'bad response'

/** A used connection that ended without a byte of a response, or with a 408 (RFC 9110 15.5.9): see `IdlePolicy`. */
const isStale = ({ socket, responses, bytes }: Connection, outcome: Outcome): boolean => {
  if (outcome.kind === 'response') return responses > 1 && outcome.response.status === 408
  // Over TLS the end of a connection has bytes of its own.
  const isUntouched = socket?.bytesRead === bytes || (socket !== null && 'encrypted' in socket)
  return responses > 0 && outcome.failure === 'reset' && outcome.status === null && isUntouched
}

const exchange = (connection: Connection, request: HttpRequest, reading: Reading): Promise<Outcome> =>
  new Promise(done => {
    const { method, target, headers, body, chunked } = request
    const { client } = connection
    const abort = (error: Error): void => void client.destroy(error).catch(() => {})
    let controller: Dispatcher.DispatchController | null = null
    const collector = collectResponse({
      ...reading,
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      abort,
      done,
    })
    connection.connected = collector.connected
    if (connection.socket !== null) collector.connected()
    client.dispatch(
      {
        method: method as 'POST',
        path: target,
        headers: headers.flat(),
        body: body === null ? null : chunked ? Readable.from(splitInTwo(body)) : body,
      },
      {
        onRequestStart: started => {
          controller = started
        },
        onResponseStart: ({ rawHeaders }, status) => {
          if (status < 200) collector.interim()
          else collector.head(status, headerPairs((rawHeaders ?? []) as Buffer[]))
        },
        onResponseData: (_controller, chunk) => collector.data(chunk),
        onResponseEnd: () => {
          // What follows in the same bytes is read first.
          queueMicrotask(collector.end)
        },
        onResponseError: (_controller, error) => collector.fail(socketErrorOf(connection.socket) ?? error),
      },
    )
  })
