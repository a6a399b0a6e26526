import type { Outcome } from '../../spec/index.ts'
import type { Incident } from '../judge/run-stats.ts'
import { resend } from './resend.ts'
import type { ConfirmOptions } from './resend-options.ts'

export const loadReason =
  'it failed only while other requests were in flight, and not when it was sent alone as often as it would have failed by chance'

/** If failures come by chance, so many times their usual distance show one with 95 %. */
const distances = 3
/** A server that fails this share of the requests cannot serve a few clients at once, which is a fault of its own. */
const shareOfFault = 0.25
/** Requests that this may take, and milliseconds. */
const most = 400
const longestMs = 4000

export const isCrash = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status >= 500

/**
 * Whether a crash that did not come again is one of load: sent alone, one after the other, the request passes as often as it takes to
 * tell that from chance. False also if that would take too many requests.
 */
export const passesAlone = async (
  obligation: string,
  { testCase, outcome }: Incident,
  options: ConfirmOptions,
): Promise<boolean> => {
  if (!options.isAlone || !isCrash(outcome)) return false
  const share = options.shareOf(outcome)
  const times = Math.ceil(distances / share)
  if (share > shareOfFault || times > most) return false
  const until = performance.now() + longestMs
  for (let time = 0; time < times; time++) {
    if (performance.now() > until) return false
    if (
      (await resend(obligation, testCase, testCase.spec, { ...options, budget: unlimited(options) })) !== null
    )
      return false
  }
  return true
}

/** What is sent for this leaves as many requests for everything else. */
const unlimited = ({ budget: { isOver } }: ConfirmOptions): ConfirmOptions['budget'] => ({
  left: most,
  isOver,
})
