import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  errorCodes,
  type Headers,
  type HttpResponse,
  header,
  isUndeclaredStatus,
  type Operation,
  type ResponseViolation,
} from '../../spec/index.ts'
import type { Context, Forwarded, Handler } from '../engine/context.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { ReceivedBody, SentBody } from './bodies.ts'
import { pairsOf } from './fields.ts'
import type { Forwarding } from './options.ts'

/** Gives the context of a request the copy of its body, and judges it. What is too large breaks a limit of the mock. */
export const judgeWhole = (
  engine: Engine,
  context: Context,
  { copy, hasBody }: SentBody,
): JudgedRequest | null => {
  const tooLarge = copy.isTooLarge()
  const body = hasBody ? copy.bytes() : null
  context.received = { ...context.received, body, tooLarge }
  context.request = { ...context.request, body, tooLarge }
  return judge(engine, context)
}

/** The same, but without that limit; returns why the body is not judged (null: it is). */
export const judgeSent = (engine: Engine, context: Context, sent: SentBody): string | null => {
  const judged = judgeWhole(engine, context, sent)
  if (!sent.copy.isTooLarge()) return null
  if (judged !== null)
    context.judged = {
      ...judged,
      violations: judged.violations.filter(({ code }) => code !== errorCodes.bodyTooLarge),
    }
  return 'the body of the request is too large'
}

/** What a response breaks of the contract; nothing if the request is for no declared operation. */
export const judgeReceived = (
  engine: Engine,
  { judged, request }: Context,
  response: HttpResponse,
): readonly ResponseViolation[] => {
  if (judged === null) return []
  const isAccepted = judged.violations.length === 0 && response.status < 300
  const { judgeResponse } = compiledOperation(engine, judged.operation)
  const violations = judgeResponse(response, isAccepted ? judged.body : undefined).filter(
    violation => !(isUndeclaredStatus(violation) && isUnspecified(engine, judged.operation, response.status)),
  )
  if (request.method !== 'HEAD') return violations
  // The response to HEAD has the fields of the one to GET, and no body.
  return violations.filter(
    ({ subject }) =>
      subject.kind === 'response' && ['declared', 'header', 'content-type'].includes(subject.aspect),
  )
}

/** Whether a failure is not declared because none is, or stands for missing credentials as the policy allows. */
const isUnspecified = (engine: Engine, { responses }: Operation, status: number): boolean =>
  (status === 401 && engine.unauthenticated !== 'declared') ||
  (status >= 400 && status < 500 && !responses.some(response => /^(?:4|default)/.test(response.status)))

/** Why the contract does not say how this response has to look; null: it does. */
export const unjudgedStatus = ({ request }: Context, status: number): string | null => {
  const has = (name: string): boolean => header(request.headers, name) !== null
  if (status === 304 && (has('if-none-match') || has('if-modified-since')))
    return 'a 304 follows from the condition of the request'
  return status === 206 && has('range') ? 'a part of a body follows from the range of the request' : null
}

/** One exchange on its way through the proxy. */
export type Passing = {
  readonly forwarding: Forwarding
  readonly engine: Engine
  readonly context: Context
  readonly next: Handler
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly sent: SentBody
  /** Ends the connection of the client after the current response. */
  readonly leave: () => void
  /** What followed a request for another protocol; null: it is for none. */
  readonly head: Uint8Array | null
  /** Header fields that a hook adds, in the place of those of the same names. */
  readonly added: Headers
  /** Whether the client has gone before the end. */
  isLeft: boolean
}

/** Of a request that never came to the server. */
export const nothing: Forwarded = {
  response: null,
  violations: [],
  failure: null,
  unjudged: null,
  isCut: false,
  replaced: false,
}

/** Judges an exchange by the copies of its bodies. */
export const judged = (
  { engine, context, sent, isLeft }: Passing,
  incoming: IncomingMessage,
  { copy }: ReceivedBody,
  isWhole: boolean,
): Forwarded => {
  const unjudgedRequest = context.received.body === null ? judgeSent(engine, context, sent) : null
  const received: HttpResponse = {
    status: incoming.statusCode ?? 0,
    headers: pairsOf(incoming.rawHeaders),
    body: copy.bytes(),
  }
  const tooLarge = copy.isTooLarge() ? 'the body of the response is too large' : null
  const cut = isWhole || tooLarge !== null ? null : isLeft ? 'the client has gone' : 'the response broke off'
  const unjudged = unjudgedStatus(context, received.status) ?? tooLarge ?? cut
  return {
    response: received,
    violations: unjudged === null ? judgeReceived(engine, context, received) : [],
    failure: cut === null || isLeft ? null : { kind: 'reset', detail: cut },
    unjudged: unjudged ?? unjudgedRequest,
    isCut: tooLarge !== null || cut !== null,
    replaced: false,
  }
}
