/** What may come once alone, or not at all, and what a server does with a callback that is refused. */
import {
  type Callback,
  duration,
  type HttpResponse,
  type ReceivedCallback,
  statusOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { summary } from '../judge/observation-text.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Hearing, Parts, Ways } from './hearing.ts'

type Way = Ways<'once'>['once']

/** How often a callback is answered with 503, while somebody counts how often it comes. */
const mostRefused = 3
const busy: HttpResponse = { status: 503, headers: [['Retry-After', '0']], body: new Uint8Array() }

export const waysToComeAgain = (
  operation: string,
  sender: CaseSender,
  { ask, success, askForOne, wait, quietMs, hasCome, text }: Hearing,
  { listener }: Parts,
): Ways<'once' | 'rejected' | 'refused' | 'repeated'> => {
  const isOnce: Way = async (testCase, callback) => {
    const asked = await askForOne(testCase, callback)
    if ('missing' in asked) return asked
    const repeated = (): ReceivedCallback | undefined => {
      const seen = new Set<string>()
      return asked.received(callback).find(({ arrival: { body, method, target: at } }) => {
        const key = `${method} ${at} ${Buffer.from(body ?? []).toString('base64')}`
        return seen.size === seen.add(key).size
      })
    }
    await wait(asked, () => repeated() !== undefined, quietMs())
    const again = repeated()
    return {
      asked,
      problem:
        again === undefined
          ? null
          : {
              expected: `the callback ${callback.name} once, as it was answered with a success`,
              actual: `it came ${asked.received(callback).length} times: ${text(again)}`,
              title: `sent the callback ${callback.name} again after a success`,
            },
    }
  }

  /** Whether any comes: a valid request shows it, if no other case has. */
  let shown: Promise<boolean> | null = null
  const comes = ({ obligation }: TestCase, callback: Callback): Promise<boolean> => {
    if (hasCome()) return Promise.resolve(true)
    // Its request has to be accepted.
    const subject = { kind: 'callback', callback: callback.name, name: 'sent' } as const
    const plain = sender.validCase({ ...obligation, subject }, 'plain')
    shown ??= askForOne({ ...plain, expectation: 'either' }, callback).then(asked => !('missing' in asked))
    return shown
  }

  const isHeldBack: Way = async (testCase, callback) => {
    if (!(await comes(testCase, callback)))
      return { missing: 'no callback came after accepted requests either' }
    const asked = await ask(testCase, callback, () => success(callback))
    if ('missing' in asked) return asked
    const { outcome } = asked.sent
    const status = statusOf(outcome)
    if (status < 400 || status > 499) return { missing: `the request was not rejected (${summary(outcome)})` }
    await wait(asked, () => asked.received(callback).length > 0, quietMs())
    const [came] = asked.received(callback)
    return {
      asked,
      problem:
        came === undefined
          ? null
          : {
              expected: `no callback ${callback.name}, as the request was rejected`,
              actual: text(came),
              title: `sent the callback ${callback.name} after it had rejected the request (${status})`,
            },
    }
  }

  const goesOn: Way = async (testCase, callback) => {
    const first = await askForOne(testCase, callback, () => busy)
    if ('missing' in first) return first
    // What goes wrong after an answer does so a little later.
    await wait(first, () => false, Math.min(quietMs(), 500))
    const plain = sender.validCase(testCase.obligation, 'plain')
    const again = await ask({ ...plain, expectation: 'either' }, callback, () => success(callback))
    const { sent } = again
    if (sent === undefined) return { missing: 'missing' in again ? again.missing : '' }
    const { outcome } = sent
    const isBroken = outcome.kind === 'failure' || outcome.response.status >= 500
    return {
      asked: { sent },
      before: first,
      problem: isBroken
        ? {
            expected: `${operation} answers as before`,
            actual: summary(outcome),
            title: `does not answer any more after its callback ${callback.name} was answered with 503`,
          }
        : null,
    }
  }

  const comesAgain: Way = async (testCase, callback) => {
    const asked = await askForOne(testCase, callback, (_arrival, count) =>
      count <= mostRefused ? busy : success(callback),
    )
    if ('missing' in asked) return asked
    await wait(asked, () => asked.received(callback).length > mostRefused, listener.waitMs)
    const times = asked.received(callback).map(({ arrival: { at } }) => at)
    const pauses = times.slice(1).map((at, index) => Math.ceil((at - (times[index] as number)) / 1000))
    const observed =
      pauses.length === 0
        ? `did not come again in ${duration(listener.waitMs)}`
        : `came again within ${pauses.map(seconds => `${seconds} s`).join(', then ')}`
    return { asked, problem: null, observed }
  }
  return { once: isOnce, rejected: isHeldBack, refused: goesOn, repeated: comesAgain }
}
