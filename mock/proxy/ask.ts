import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../spec/index.ts'
import type { Passing } from './passing.ts'
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
  { request, response, sent, head, leave, added }: Passing,
  onGone: () => void,
): Promise<Asked> =>
  new Promise(resolve => {
    const isUpgrade = head !== null
    const outgoing = connections.open(request, isUpgrade, leave, added)
    let hasAnswer = false
    const gone = (): void => {
      if (response.writableFinished || outgoing.destroyed) return
      onGone()
      outgoing.destroy()
    }
    // A client that closes only its side looks like one that is gone, and is taken for one, as other proxies do.
    const { socket } = request
    const closed = (): void => {
      socket.off('end', gone)
      gone()
    }
    socket.on('end', gone)
    response.on('close', closed)
    outgoing.on('continue', () => {
      if (!response.headersSent && request.headers.expect !== undefined) response.writeContinue()
    })
    outgoing.on('information', ({ statusCode, headers: { link } }) => {
      if (statusCode === 103 && link !== undefined && !response.headersSent)
        response.writeEarlyHints({ link })
    })
    outgoing.on('upgrade', (incoming, server, first) => {
      hasAnswer = true
      socket.off('end', gone)
      response.off('close', closed)
      if (isUpgrade) resolve({ switched: { incoming, socket: server, head: first } })
      else {
        server.destroy()
        resolve({ failure: { kind: 'malformed', detail: 'it switched to another protocol unasked' } })
      }
    })
    outgoing.on('response', incoming => {
      hasAnswer = true
      resolve({ incoming })
    })
    outgoing.on('error', error => {
      // After the head, the body tells what happened.
      if (!hasAnswer) resolve({ failure: failureOf(error) })
    })
    sent.sendTo(outgoing)
    if (response.destroyed || socket.readableEnded) gone()
  })

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
