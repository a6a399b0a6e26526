import type { Outcome } from '../../spec/index.ts'
import { suspectsText, type Unanswered, unansweredAfter } from '../judge/observation-text.ts'
import { closesAll, closesEveryConnection, goneAfter, isClosed, type Sent } from '../send/lost-connections.ts'
import type { Blockage } from '../send/transport/blockage.ts'
import { isHanging, isRefused } from '../send/transport/failure.ts'

export type GoneWatch = {
  /** Hears what came of each case. Tells why no more are to be sent, once the server is gone; null as long as it is there. */
  readonly hear: (sent: Sent) => Promise<string | null>
  /** Whether a server that is gone could not answer this any more, whatever it is. */
  readonly isUnheard: (outcome: Outcome) => boolean
  /** The requests that may have ended it, as the rest of a sentence; empty if it is there. Complete when no request is in flight any more. */
  readonly suspects: () => string
}

/** `inFlight`: the most requests in flight. */
export const watchForGone = (inFlight: number, blockage: Blockage): GoneWatch => {
  let refused = 0
  /** The cases since the last response that got none. */
  let unanswered: readonly Unanswered[] = []
  let isAsking = false
  let isGone = false
  const stopped = (detail: string): string => {
    isGone = true
    return `the server stopped responding: ${detail}`
  }
  const isClosing = async (): Promise<boolean> => {
    if (isAsking) return false
    isAsking = true
    const isEnd = await closesEveryConnection(unanswered, blockage)
    isAsking = false
    return isEnd
  }
  return {
    hear: async ({ testCase, outcome, lostAt }) => {
      if (outcome.kind === 'response') {
        refused = 0
        unanswered = unansweredAfter(unanswered, testCase, outcome)
        return null
      }
      refused = isRefused(outcome) ? refused + 1 : 0
      // What broke a used connection was sent again on a new one, and refused.
      if (refused <= inFlight) unanswered = unansweredAfter(unanswered, testCase, outcome, lostAt)
      if (refused >= goneAfter) return stopped(outcome.detail)
      const silent = blockage.silence()
      if (isHanging(outcome) && silent !== null)
        return stopped(`it has answered nothing for ${Math.round(silent / 1000)} s`)
      return isClosed(outcome) && (await isClosing()) ? stopped(closesAll) : null
    },
    isUnheard: outcome => isRefused(outcome) || (isHanging(outcome) && blockage.silence() !== null),
    suspects: () => (isGone ? suspectsText(unanswered) : ''),
  }
}
