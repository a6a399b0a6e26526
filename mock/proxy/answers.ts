import { errorCodes } from '../../spec/index.ts'
import type { Context, Forwarded } from '../engine/context.ts'
import { type MockResponse, noBody, withHeader } from '../engine/mock-response.ts'
import { rejectUndeclared } from '../engine/reject.ts'
import type { Asked } from './ask.ts'
import { judgeSent } from './judge-exchange.ts'
import { nothing, type Passing } from './passing.ts'

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
