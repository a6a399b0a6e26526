import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type Headers,
  header,
  headersByHook,
  type RequestHook,
  RequestHookError,
  type Route,
  type Router,
  requestPatterns,
  withoutLastSlashes,
} from '../../spec/index.ts'
import { type MockResponse, noBody } from '../engine/compiled-response.ts'
import type { Context, Middleware, ServedDocument } from '../engine/context.ts'
import { routeOf } from '../engine/judge.ts'
import { pathOf, withoutOrigin } from '../engine/request.ts'
import { cors } from '../middleware/cors.ts'
import { shownViolation } from '../middleware/journal.ts'
import { type Asked, ask, badGateway, delivered, mocked, type Switched, unanswered, unsigned } from './ask.ts'
import { createReceivedBody, createSentBody } from './bodies.ts'
import { pairsOf, withFields } from './fields.ts'
import { judged, judgeSent, judgeWhole, nothing, type Passing } from './judge-exchange.ts'
import type { Forwarding } from './options.ts'
import { createServerConnections, type ServerConnections } from './server-connections.ts'
import { writeHead } from './write-head.ts'

/** Forwards requests for a document to the server, and judges them and the responses; `next`, the mock, answers what is not forwarded. */
export const createForward = (forwarding: Forwarding, document: ServedDocument): Middleware => {
  const connections = createServerConnections(forwarding)
  const isLive = liveRequests(forwarding.live, document)
  return (context, next) => {
    const { wire } = context.received
    if (wire === undefined || context.document === null) return next(context)
    const request = wire.request as IncomingMessage
    const response = wire.response as ServerResponse
    const sent = createSentBody(request, forwarding.maxBodyBytes)
    const { engine } = context.document
    const passing: Passing = {
      forwarding,
      engine,
      context,
      next,
      request,
      response,
      sent,
      leave: wire.leave,
      head: wire.head ?? null,
      isLeft: false,
      added: [],
    }
    if (passing.head === null && !isLive(context)) return answerHere(passing)
    const pass = forwarding.mode === 'enforce' ? enforce : observe
    // At once: of a large body, what has come before somebody takes it is lost.
    if (forwarding.requestHook === undefined) return pass(connections, passing)
    return signedBy(forwarding.requestHook, passing).then(added => {
      if (typeof added === 'string') return unsigned(passing, added)
      // What the server gets is judged, and what the client sent is recorded.
      const { headers } = context.request
      context.request = { ...context.request, headers: pairsOf(withFields(headers.flat(), added)) }
      return pass(connections, { ...passing, added })
    })
  }
}

/** Leaves a request with its body to the mock. */
const answerHere = async ({
  engine,
  context,
  next,
  request,
  response,
  sent,
}: Passing): Promise<MockResponse> => {
  if (request.headers.expect !== undefined) response.writeContinue()
  if (!(await sent.ended)) return { status: 0, headers: [], body: noBody, delivered: true }
  judgeWhole(engine, context, sent)
  return cors(context, next)
}

const observe = async (connections: ServerConnections, passing: Passing): Promise<MockResponse> => {
  const { context, response, sent, forwarding } = passing
  const answer = await askFor(connections, passing)
  if ('failure' in answer) return unanswered(passing, answer.failure)
  if ('switched' in answer) return switchProtocol(passing, answer.switched)
  const { incoming } = answer
  const received = createReceivedBody(incoming, forwarding.maxBodyBytes)
  const isHeld = isPossiblyMissing(passing, incoming) || isShort(passing, incoming)
  if (isHeld && (await received.held)) {
    await sent.ended
    const outcome = judged(passing, incoming, received, true)
    context.forwarded = outcome
    if (isPossiblyMissing(passing, incoming) && outcome.violations.length > 0) return mocked(passing, outcome)
    writeHead(passing, incoming)
  } else if (response.headersSent) incoming.destroy()
  else writeHead(passing, incoming)
  const isWhole = await received.sendTo(response, forwarding.stalledMs)
  await sent.ended
  context.forwarded ??= judged(passing, incoming, received, isWhole)
  return delivered(context, context.forwarded)
}

const askFor = (connections: ServerConnections, passing: Passing): Promise<Asked> =>
  ask(connections, passing, () => {
    passing.isLeft = true
  })

/** The fields that a hook adds, which has to see the whole body; or why it cannot. */
const signedBy = async (
  hook: RequestHook,
  { request, response, sent, head, forwarding: { target } }: Passing,
): Promise<Headers | string> => {
  if (head === null && request.headers.expect !== undefined && !sent.isWhole()) response.writeContinue()
  if (head === null && !(await sent.ended)) return 'the client has gone'
  if (sent.copy.isTooLarge()) return 'the body is larger than --max-body, so the request hook cannot see it'
  const { method = 'GET', url = '/' } = request
  try {
    return await headersByHook(hook, {
      method,
      url: withoutLastSlashes(target.href) + withoutOrigin(url),
      headers: pairsOf(request.rawHeaders),
      body: sent.hasBody ? sent.copy.bytes() : null,
    })
  } catch (error) {
    if (!(error instanceof RequestHookError)) throw error
    return error.message
  }
}

const enforce = async (connections: ServerConnections, passing: Passing): Promise<MockResponse> => {
  const { context, engine, next, response, sent, forwarding } = passing
  if (passing.request.headers.expect !== undefined) response.writeContinue()
  if (!(await sent.ended)) return delivered(context, nothing)
  const request = judgeWhole(engine, context, sent)
  if (request === null || request.violations.length > 0) {
    context.forwarded = { ...nothing, replaced: true }
    context.scenario = 'not forwarded'
    return next(context)
  }
  const answer = await askFor(connections, passing)
  if ('failure' in answer)
    return badGateway(
      passing,
      { ...nothing, failure: answer.failure },
      `the server gave no answer: ${answer.failure.detail}`,
    )
  if ('switched' in answer) return switchProtocol(passing, answer.switched)
  const received = createReceivedBody(answer.incoming, forwarding.maxBodyBytes)
  const isWhole = await received.held
  const outcome = judged(passing, answer.incoming, received, isWhole)
  if (!isWhole) {
    answer.incoming.destroy()
    return badGateway(passing, outcome, `the server’s response was not judged: ${outcome.unjudged}`)
  }
  if (isPossiblyMissing(passing, answer.incoming) && outcome.violations.length > 0)
    return mocked(passing, outcome)
  const [first] = outcome.violations
  if (first !== undefined)
    return badGateway(
      passing,
      outcome,
      `the server’s response breaks the contract: ${shownViolation(first).message}`,
    )
  context.forwarded = outcome
  writeHead(passing, answer.incoming)
  await received.sendTo(response, forwarding.stalledMs)
  return delivered(context, outcome)
}

/** Responses that are held, so that their violations can stand in a header. */
const maxShort = 64 * 1024

const isShort = ({ forwarding }: Passing, { headers }: IncomingMessage): boolean =>
  forwarding.violationsHeader === true &&
  Number(headers['content-length'] ?? 0) <= maxShort &&
  headers['transfer-encoding'] === undefined &&
  headers['content-length'] !== undefined

/** Whether a server may answer like this because it does not have the operation yet. */
const isPossiblyMissing = ({ forwarding, context }: Passing, { statusCode }: IncomingMessage): boolean =>
  forwarding.mockMissing === true &&
  context.document !== null &&
  (statusCode === 404 || statusCode === 405 || statusCode === 501)

/**
 * Whether a request goes to the server: what belongs to no operation does, and what the patterns name. Throws SelectionError if one names
 * nothing.
 */
const liveRequests = (
  live: readonly string[] | undefined,
  { contract, engine }: ServedDocument,
): ((context: Context) => boolean) => {
  if (live === undefined) return () => true
  const patterns = requestPatterns(contract, live, '--live')
  return context => {
    const route = preflightRoute(context, engine.router) ?? routeOf(engine, context)
    return (
      route.kind !== 'operation' || patterns.some(({ matchesOperation }) => matchesOperation(route.operation))
    )
  }
}

/** Of the question whether a page may send a request, the route of that request. */
const preflightRoute = ({ request }: Context, router: Router): Route | null => {
  const method = header(request.headers, 'access-control-request-method')
  return request.method === 'OPTIONS' && method !== null ? router(method, pathOf(request.target)) : null
}

/** Passes on that the server speaks another protocol, such as WebSocket, and then all bytes of both sides, unjudged. */
const switchProtocol = (
  { engine, context, request, response, sent, head }: Passing,
  { incoming, socket: server, head: first }: Switched,
): MockResponse => {
  const { socket: client } = request
  const { rawHeaders, statusCode = 101, statusMessage = '' } = incoming
  const headers = pairsOf(rawHeaders)
  response.detachSocket(client)
  const lines = [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  client.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  client.setTimeout(0)
  if (first.length > 0) client.write(first)
  if (head !== null && head.length > 0) server.write(head)
  join(client, server)
  join(server, client)
  judgeSent(engine, context, sent)
  return delivered(context, {
    ...nothing,
    response: { status: statusCode, headers, body: new Uint8Array() },
    unjudged: 'it is another protocol from here on',
  })
}

const join = (from: Duplex, to: Duplex): void => {
  from.pipe(to)
  from.on('error', () => to.destroy())
  // One that has ended has said so to the other side, which may still have something to say.
  from.on('close', () => from.readableEnded || to.destroy())
}
