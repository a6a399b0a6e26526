import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorCodes, type Failure } from '../../spec/index.ts'
import { type MockResponse, noBody, withHeader } from '../engine/compiled-response.ts'
import type { Context, Forwarded } from '../engine/context.ts'
import { rejectUndeclared } from '../engine/reject.ts'
import { judgeSent, nothing, type Passing } from './judge-exchange.ts'
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

/** Marks an answer of the mock in the place of the server's. */
const mockedHeader = 'Plantstore-Mocked'

/** What the client has got. */
export const delivered = (context: Context, forwarded: Forwarded): MockResponse => {
  context.forwarded = forwarded
  if (forwarded.unjudged !== null) context.scenario = `not judged: ${forwarded.unjudged}`
  const { status = 0, headers = [], body = noBody } = forwarded.response ?? {}
  return { status, headers, body, delivered: true }
}

/** The answer of the mock, because the contract declares none like the server's. */
export const mocked = async ({ context, next }: Passing, outcome: Forwarded): Promise<MockResponse> => {
  context.forwarded = { ...outcome, violations: [], replaced: true }
  const response = await next(context)
  context.scenario = `mocked: the server answered ${outcome.response?.status}`
  return withHeader(response, mockedHeader, String(outcome.response?.status))
}

export const badGateway = async (
  { engine, context }: Passing,
  outcome: Forwarded,
  detail: string,
): Promise<MockResponse> => {
  context.forwarded = { ...outcome, replaced: true }
  context.scenario = `replaced: ${detail}`
  const reason = { code: errorCodes.otherRule, messages: [detail] }
  const { judged } = context
  return rejectUndeclared(
    engine,
    502,
    reason,
    judged === null ? {} : { operation: judged.operation, context },
  )
}

/** The server gave no answer: a client of its own would have seen the connection close. */
export const unanswered = async (
  passing: Passing,
  failure: Extract<Asked, { failure: object }>['failure'],
): Promise<MockResponse> => {
  const { engine, context, request, response, sent, isLeft } = passing
  if (context.received.body === null) judgeSent(engine, context, sent)
  context.forwarded = { ...nothing, failure: isLeft ? null : failure }
  if (isLeft || response.headersSent) {
    context.scenario = 'not answered: the client has gone'
    return { status: 0, headers: [], body: noBody, delivered: true }
  }
  context.scenario = `no answer: ${failure.detail}`
  if (failure.kind === 'reset') {
    request.socket.destroy()
    return { status: 0, headers: [], body: noBody, delivered: true }
  }
  const reason = { code: errorCodes.mockFailed, messages: [`the server gave no answer: ${failure.detail}`] }
  return rejectUndeclared(engine, 502, reason)
}

/** The answer if the hook does not sign the request: that is nobody's fault but its own. */
export const unsigned = async ({ engine, context }: Passing, reason: string): Promise<MockResponse> => {
  context.forwarded = { ...nothing, unjudged: reason, replaced: true }
  context.scenario = `not forwarded: ${reason}`
  return rejectUndeclared(engine, 502, { code: errorCodes.mockFailed, messages: [reason] })
}
