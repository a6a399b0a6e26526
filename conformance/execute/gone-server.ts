import type { TestCase } from '../cases/case.ts'
import { suspectsText } from '../judge/observation-text.ts'
import { isClosed, type Sent } from '../send/lost-connections.ts'
import { isRefused } from '../send/transport/failure.ts'
import type { OperationSession } from '../session/session.ts'

/** After so many requests in a row without a response the server is gone. */
const goneAfter = 20

/** A proxy before a server that is gone accepts each connection, and closes it: the requests of so many operations have to lose theirs. */
const fewestOperations = 3

/**
 * Hears what came of each case. Tells why no more are to be sent, once the server is gone, and which requests may have ended it; null as long as it
 * is there. `inFlight`: the most requests in flight.
 */
export const watchForGone = (
  inFlight: number,
): ((sent: Sent, operation: OperationSession) => Promise<string | null>) => {
  let refused = 0
  /** The cases since the last response that got none: one of them may have ended the server. */
  let unanswered: TestCase[] = []
  let answered: (() => Promise<Sent>) | null = null
  let isAsking = false
  const stopped = (detail: string): string =>
    `the server stopped responding: ${detail}${suspectsText(unanswered)}`
  /** Whether what was answered last is not answered any more. */
  const isSilent = async (): Promise<boolean> => {
    const operations = new Set(unanswered.map(({ obligation }) => obligation.operation))
    if (unanswered.length < goneAfter || operations.size < fewestOperations) return false
    if (answered === null || isAsking) return false
    isAsking = true
    const { outcome, missing } = await answered()
    isAsking = false
    return missing === undefined && (isRefused(outcome) || isClosed(outcome))
  }
  return async ({ testCase, outcome }, operation) => {
    if (outcome.kind === 'response') {
      refused = 0
      unanswered = []
      answered = () => operation.sender.send(testCase)
      return null
    }
    refused = isRefused(outcome) ? refused + 1 : 0
    // What broke a used connection was sent again on a new one, and refused.
    if (refused <= inFlight) unanswered.push(testCase)
    if (refused >= goneAfter) return stopped(outcome.detail)
    return isClosed(outcome) && (await isSilent()) ? stopped('it closes every connection') : null
  }
}
