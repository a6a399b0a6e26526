import { clauseOf, type Operation, refusals } from '../../spec/index.ts'
import type { Composed } from '../compose.ts'
import type { Desk } from '../engine.ts'
import { failureBody, type Reason } from '../failure.ts'
import type { Soon } from '../soon.ts'

/** A failure of this status; where it is not declared, in the shape of the failure that is. */
export const failWith = async (
  desk: Desk,
  operation: Operation,
  status: number,
  reason: Reason,
): Promise<Composed> => {
  const own = refusals(operation, 'body')[0]
  const clause = clauseOf(operation, status) ?? operation.responses.find(other => other.status === own)
  const answer =
    clause === undefined
      ? await desk.refuse(operation, 'body', reason)
      : await desk.compose(operation, clause, status, failureBody(reason, status, null))
  return { ...answer, status }
}

/**
 * The failure of this status where it is declared, asked for all the same, or where no failure is declared at all; else
 * the declared failure that fits best.
 */
export const failBy = (
  desk: Desk,
  operation: Operation,
  status: number,
  reason: Reason,
  anyway: boolean,
): Soon<Composed> =>
  anyway || clauseOf(operation, status) !== null || refusals(operation, 'body').length === 0
    ? failWith(desk, operation, status, reason)
    : desk.refuse(operation, 'body', reason)
