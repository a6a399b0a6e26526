import type { TestCase } from '../cases/case.ts'
import type { CaseSender } from './case-sender.ts'
import { notSent, type Sent } from './lost-connections.ts'

/** Calls the listener when requests in flight are no longer waited for; gives back what takes it off. */
export type OnEnd = (listener: () => void) => () => void

/** Why a request whose response was not waited for shows nothing. */
export const cutReason = 'the time of the run was up before its response came'

/** The same sender, which sends nothing more once the time is up; and whether there was more to send. */
export const untilTimeIsUp = (
  sender: CaseSender,
  isUp: () => boolean,
): { readonly sender: CaseSender; readonly wasCut: () => boolean } => {
  let wasCut = false
  const inTime =
    (send: (testCase: TestCase) => Promise<Sent>) =>
    async (testCase: TestCase): Promise<Sent> => {
      if (!isUp()) return send(testCase)
      wasCut = true
      return { ...notSent(testCase, cutReason), lost: null }
    }
  return {
    sender: { ...sender, send: inTime(sender.send), sendAsIs: inTime(sender.sendAsIs) },
    wasCut: () => wasCut,
  }
}

/**
 * The same sender, which waits for no response beyond the end of the run: a slow server would hold it up for as long as a response may take.
 * What comes later is still noted, so that what was created can be removed.
 */
export const cutAtTheEnd = (sender: CaseSender, onEnd: OnEnd): CaseSender => {
  const inTime =
    (send: (testCase: TestCase) => Promise<Sent>) =>
    (testCase: TestCase): Promise<Sent> =>
      new Promise((resolve, reject) => {
        const off = onEnd(() => resolve({ ...notSent(testCase, cutReason), lost: null }))
        send(testCase).then(resolve, reject).finally(off)
      })
  return { ...sender, send: inTime(sender.send), sendAsIs: inTime(sender.sendAsIs) }
}
