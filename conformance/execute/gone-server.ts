import type { Outcome } from '../../spec/index.ts'
import { suspectsText, type Unanswered } from '../judge/observation-text.ts'
import { isClosed, type Sent } from '../send/lost-connections.ts'
import type { Blockage } from '../send/transport/blockage.ts'
import { isHanging, isRefused } from '../send/transport/failure.ts'
import type { OperationSession } from '../session/session.ts'

/** After so many requests in a row without a response the server is gone. */
const goneAfter = 20

/** A proxy before a server that is gone accepts each connection, and closes it: the requests of so many operations have to lose theirs. */
const fewestOperations = 3

export type GoneWatch = {
  /** Hears what came of each case. Tells why no more are to be sent, once the server is gone; null as long as it is there. */
  readonly hear: (sent: Sent, operation: OperationSession) => Promise<string | null>
  /** Whether a server that is gone could not answer this any more, whatever it is. */
  readonly isUnheard: (outcome: Outcome) => boolean
  /** The requests that may have ended it, as the rest of a sentence; empty if it is there. Complete when no request is in flight any more. */
  readonly suspects: () => string
}

/** `inFlight`: the most requests in flight. */
export const watchForGone = (inFlight: number, { silence }: Blockage): GoneWatch => {
  let refused = 0
  /** The cases since the last response that got none. */
  let unanswered: Unanswered[] = []
  let answered: (() => Promise<Sent>) | null = null
  let isAsking = false
  let isGone = false
  const stopped = (detail: string): string => {
    isGone = true
    return `the server stopped responding: ${detail}`
  }
  /** Whether what was answered last is not answered any more. */
  const isClosing = async (): Promise<boolean> => {
    const operations = new Set(unanswered.map(({ testCase }) => testCase.obligation.operation))
    if (unanswered.length < goneAfter || operations.size < fewestOperations) return false
    if (answered === null || isAsking) return false
    isAsking = true
    const { outcome, missing } = await answered()
    isAsking = false
    return missing === undefined && (isRefused(outcome) || isClosed(outcome))
  }
  return {
    hear: async ({ testCase, outcome, lostAt = performance.now() }, operation) => {
      if (outcome.kind === 'response') {
        refused = 0
        unanswered = []
        answered = () => operation.sender.send(testCase)
        return null
      }
      refused = isRefused(outcome) ? refused + 1 : 0
      // What broke a used connection was sent again on a new one, and refused.
      if (refused <= inFlight) unanswered.push({ testCase, sentAt: lostAt - outcome.ms, lostAt })
      if (refused >= goneAfter) return stopped(outcome.detail)
      const silent = silence()
      if (isHanging(outcome) && silent !== null)
        return stopped(`it has answered nothing for ${Math.round(silent / 1000)} s`)
      return isClosed(outcome) && (await isClosing()) ? stopped('it closes every connection') : null
    },
    isUnheard: outcome => isRefused(outcome) || (isHanging(outcome) && silence() !== null),
    suspects: () => (isGone ? suspectsText(unanswered) : ''),
  }
}
