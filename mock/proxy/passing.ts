import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Headers, HttpResponse } from '../../spec/index.ts'
import type { Context, Forwarded, Handler } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { pairsOf } from './fields.ts'
import { judgeReceived, judgeSent, unjudgedStatus } from './judge-exchange.ts'
import type { Forwarding } from './options.ts'
import type { ReceivedBody } from './received-body.ts'
import type { SentBody } from './sent-body.ts'

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
