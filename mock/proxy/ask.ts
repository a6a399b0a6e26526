import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../spec/index.ts'
import type { SentBody } from './sent-body.ts'
import type { ServerConnections } from './server-connections.ts'

/** The head of the server's response, or why there is none. */
export type Asked =
  | { readonly incoming: IncomingMessage }
  | { readonly switched: Switched }
  | { readonly failure: { readonly kind: Failure; readonly detail: string } }

/** The server's answer to a request for another protocol, and the connection that speaks it from then on. */
export type Switched = {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Uint8Array
}

/** Sends a request to the server. Ends it when the client is gone, which `onGone` learns before. */
export const ask = (
  connections: ServerConnections,
  request: IncomingMessage,
  response: ServerResponse,
  body: SentBody,
  isUpgrade: boolean,
  onGone: () => void,
): Promise<Asked> =>
  new Promise(resolve => {
    let outgoing: ClientRequest
    const gone = (): void => {
      if (response.writableFinished || outgoing.destroyed) return
      onGone()
      outgoing.destroy()
    }
    const attempt = (): void => {
      outgoing = connections.open(request, isUpgrade)
      let hasAnswer = false
      outgoing.on('continue', () => {
        if (!response.headersSent && request.headers.expect !== undefined) response.writeContinue()
      })
      outgoing.on('information', ({ statusCode, headers: { link } }) => {
        if (statusCode === 103 && link !== undefined && !response.headersSent)
          response.writeEarlyHints({ link })
      })
      outgoing.on('upgrade', (incoming, server, head) => {
        hasAnswer = true
        leave()
        if (isUpgrade) resolve({ switched: { incoming, socket: server, head } })
        else {
          server.destroy()
          resolve({ failure: { kind: 'malformed', detail: 'it switched to another protocol unasked' } })
        }
      })
      outgoing.on('response', incoming => {
        hasAnswer = true
        resolve({ incoming })
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // After the head, the body tells what happened.
        if (hasAnswer) return
        // The server has closed an idle connection while the request was on its way. Nobody knows whether it has seen it.
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        const isAgain = isStale && idempotent.has(request.method ?? '') && !body.copy.isTooLarge()
        if (isAgain && !response.destroyed) attempt()
        else resolve({ failure: failureOf(error) })
      })
      body.sendTo(outgoing)
    }
    // A client that closes only its side looks like one that is gone, and is taken for one, as other proxies do.
    const { socket } = request
    const closed = (): void => {
      socket.off('end', gone)
      gone()
    }
    const leave = (): void => {
      socket.off('end', gone)
      response.off('close', closed)
    }
    socket.on('end', gone)
    response.on('close', closed)
    attempt()
    if (response.destroyed || socket.readableEnded) gone()
  })

/** A proxy must not repeat others by itself (RFC 9110, 9.2.2). */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

const kinds: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  HPE_HEADER_OVERFLOW: 'too-large',
}

const failureOf = ({ code = '', message }: NodeJS.ErrnoException): { kind: Failure; detail: string } => ({
  kind: kinds[code] ?? (code.startsWith('HPE_') ? 'malformed' : 'unreachable'),
  detail: message === 'socket hang up' ? 'the connection was closed' : message || code,
})
