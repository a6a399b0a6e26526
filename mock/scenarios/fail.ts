import { type Operation, rejectionStatuses, responseFor } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Engine } from '../engine/engine.ts'
import type { Reason } from '../engine/error-body.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import { failWith, reject } from '../engine/reject.ts'

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
