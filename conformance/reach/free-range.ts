import { deriveSeed } from '../../generator/index.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import { type OperationSession, operationInRange, type RunSession } from '../session/session.ts'
import { isAccepted } from './accepted.ts'

/** After so many runs with one seed on one store, the time of the run chooses the range. */
const rangesInOrder = 12

/**
 * The first range of identities that the server accepts, and the request that shows it, if it rejects a plain request for its identity alone: again when the
 * request comes again, but not with another identity. `again`: the same request is accepted now. Null if that is not the reason.
 */
export const freeRange = async (
  session: RunSession,
  operation: OperationSession,
  { testCase, outcome }: Sent,
): Promise<{ readonly range: number; readonly sent: Sent } | 'again' | null> => {
  const { model, sender } = operation
  if (model.identity === null || outcome.kind !== 'response' || outcome.response.status >= 500) return null
  // A 404 says that nothing has this identity, so another one is no better.
  if (isAbsence(outcome.response.status)) return null
  if (isAccepted(operation, await sender.send(testCase))) return 'again'
  const inOrder = Array.from({ length: rangesInOrder }, (_, index) => index + 1)
  for (const range of [...inOrder, deriveSeed(session.options.seed, session.options.at)]) {
    const other = operationInRange(session, model.operation.id, range)
    const sent = await other.sender.send(other.sender.validCase(testCase.obligation, 'plain'))
    if (isAccepted(other, sent)) return { range, sent }
  }
  return null
}
