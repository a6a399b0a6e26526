import type { Outcome } from '../../spec/index.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { ConfirmOptions } from './resend-options.ts'

export const loadReason =
  'it failed while other requests were in flight, and not when it was sent again alone'

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
 * tell that from chance, or as the time of the run allows. False also if that would take too many requests.
 */
export const passesAlone = async (
  { testCase, outcome }: Incident,
  options: ConfirmOptions,
): Promise<boolean> => {
  if (!options.isAlone || !isCrash(outcome)) return false
  const share = options.shareOf(outcome)
  const times = Math.ceil(distances / share)
  if (share > shareOfFault || times > most) return false
  const until = performance.now() + longestMs
  const { sender, budget } = options
  for (let time = 0; time < times; time++) {
    if (budget.isOver()) return true
    // Every other time on a connection of its own, of which the first or second request may be what fails.
    const precondition = time % 2 === 0 ? testCase.precondition : 'after-accepted'
    const again = sender.variantOf({ ...testCase, precondition }, testCase.spec)
    if (again === null || performance.now() > until) return false
    const sent = await sender.send(again)
    if (sent.missing !== undefined || isCrash(sent.outcome)) return false
  }
  return true
}
