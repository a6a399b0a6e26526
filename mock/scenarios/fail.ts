import { type Operation, rejectionStatuses, responseFor } from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import type { Engine } from '../engine/engine.ts'
import { errorBody, type Reason } from '../engine/error-body.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { reject, rejectUndeclared } from '../engine/reject.ts'

/** A failure of this status; if that is not declared, it has the shape of a declared failure. */
export const failWith = async (
  engine: Engine,
  operation: Operation,
  status: number,
  reason: Reason,
): Promise<MockResponse> => {
  const [declaredStatus] = rejectionStatuses(operation, 'body')
  const declared =
    responseFor(operation, status) ?? operation.responses.find(response => response.status === declaredStatus)
  if (declared === undefined) return rejectUndeclared(engine, status, reason, { operation })
  const failure = await buildResponse(engine, operation, {
    declared,
    status,
    known: errorBody(reason, status, null),
  })
  return { ...failure, status }
}

/**
 * A failure of this status if it is declared, may be `undeclared`, or no failure is declared at all; else the declared
 * failure that fits best.
 */
export const failBy = (
  engine: Engine,
  operation: Operation,
  status: number,
  reason: Reason,
  undeclared: boolean,
): MaybePromise<MockResponse> =>
  undeclared || responseFor(operation, status) !== null || rejectionStatuses(operation, 'body').length === 0
    ? failWith(engine, operation, status, reason)
    : reject(engine, operation, 'body', reason)
