import type { Outcome } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { Blockage } from './transport/blockage.ts'
import { isRefused } from './transport/failure.ts'
import { isLarge } from './transport/node-http.ts'
import { delay, type WaitLimits } from './transport/time-limit.ts'

/** A test case as it was sent in the end, and its outcome. */
export type Sent = {
  readonly testCase: TestCase
  readonly outcome: Outcome
  /** As it was sent first, if that connection was lost and a later one was not. */
  readonly lost: { readonly testCase: TestCase; readonly outcome: Outcome } | null
  /** When it was lost first, on the clock of `performance.now`, if it got no response then or later. */
  readonly lostAt?: number
  /** Why it was not sent: what it asks for has to exist, and nothing does; or it is left out. Absent if it was. */
  readonly missing?: string
  /** Whether it could not be told because the other user of the run is not accepted; absent if that is not why. */
  readonly isUnproven?: true
}

/**
 * What came of one attempt. `testCase`: as it was sent. `isClosable`: the server may end the connection at that point, so losing it
 * shows nothing.
 */
export type Attempt = Pick<Sent, 'testCase' | 'outcome' | 'missing'> & {
  readonly isClosable: boolean
  /** What came of the same request, sent before it on its connection. */
  readonly before?: Outcome
}

/** A case that was left out. */
export const notSent = (testCase: TestCase, reason: string): Sent => {
  const outcome: Outcome = { kind: 'failure', failure: 'unreachable', status: null, detail: reason, ms: 0 }
  return { testCase, outcome, lost: null, missing: reason }
}

/** Milliseconds before a request whose connection was lost is sent again: a server that restarts is back after a second or two. */
const waits = [0, 100, 400, 1600] as const

/** The kind of a case whose connection was refused. */
const refused = 'refused'

/** After so many cases in a row that no further attempt helped, the server ends connections on purpose, or is gone. */
const mostInVain = 3

/**
 * A network, a proxy or a restart may lose any connection, so a lost one shows nothing about its request until the request is lost
 * every time. `renewed` gives a case with a fresh identity, as the server may have processed the request before the connection ended.
 */
export const createRecoveringSend = (
  sendOnce: (testCase: TestCase) => Promise<Attempt>,
  renewed: (testCase: TestCase) => TestCase,
  limits: WaitLimits,
  silenceLimits: () => WaitLimits,
  blockage: Blockage,
): ((testCase: TestCase) => Promise<Sent>) => {
  const inVain = new Map<string, number>()
  let hasResponse = false
  const isServerDown = (outcome: Outcome): boolean => isLost(outcome) || (isRefused(outcome) && hasResponse)
  const waitsFor = (testCase: TestCase, kind: string): readonly number[] => {
    if (isRejectedUnread(testCase)) return [0, 0, 0, 0]
    return (inVain.get(kind) ?? 0) < mostInVain ? waits : [0]
  }
  return async planned => {
    const { isClosable, ...first } = await blockage.resolved(
      planned.obligation.operation,
      {
        send: () => sendOnce(planned),
        again: () => sendOnce(renewed(planned)),
        leftOut: reason => ({ ...notSent(planned, reason), isClosable: false }),
      },
      silenceLimits(),
    )
    const firstOutcome = first.outcome
    if (!isServerDown(firstOutcome) || !needsResponse(planned)) {
      hasResponse ||= firstOutcome.kind === 'response'
      return { ...first, lost: null }
    }
    const lostAt = performance.now()
    const kind = kindOf(first)
    let wasRefused = false
    for (const wait of waitsFor(planned, kind)) {
      if (limits.signal.aborted) break
      if (wait > 0) await delay(wait, limits)
      const { testCase, outcome, missing } = await sendOnce(renewed(planned))
      if (missing !== undefined) break
      wasRefused = isRefused(outcome)
      if (isServerDown(outcome)) continue
      hasResponse = true
      inVain.set(kind, 0)
      return { testCase, outcome, lost: isClosable || isRejectedUnread(planned) ? null : first }
    }
    inVain.set(kind, (inVain.get(kind) ?? 0) + 1)
    if (wasRefused) inVain.set(refused, mostInVain)
    // A server that is gone by now was there when the first connection was lost.
    return { ...first, lost: null, lostAt }
  }
}

/** Whether a case opens a connection with a valid request. */
export const isNewConnection = ({ precondition }: TestCase): boolean =>
  precondition === 'after-accepted' || precondition === 'twice'

/** A server may close the connection instead of responding to what is not HTTP. */
export const needsResponse = ({ request, expectation }: TestCase): boolean =>
  request.raw === undefined || expectation === 'accept'

/** A server may reject a large body unread and close the connection. That may cost the client the response (RFC 9112 9.6). */
const isRejectedUnread = ({ expectation, request }: TestCase): boolean =>
  expectation === 'reject' && isLarge(request)

/** Whether the connection ended before a byte of the response. */
export const isClosed = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && outcome.failure === 'reset' && outcome.status === null

/** Whether a connection was lost; a server that hangs keeps it open. */
export const isLost = (outcome: Outcome): boolean => outcome.kind === 'failure' && outcome.failure === 'reset'

/** Cases that are lost for the same reason, if it is not chance. */
const kindOf = ({ testCase: { expectation }, outcome }: Omit<Sent, 'lost'>): string =>
  outcome.kind === 'failure' && outcome.failure !== 'refused' ? `${expectation} ${outcome.status}` : refused

/** After so many requests in a row without a response the server is gone. */
export const goneAfter = 20

/** A proxy before a server that is gone accepts each connection, and closes it: the requests of so many operations have to lose theirs. */
const fewestOperations = 3

/** Whether a server closes every connection, also for what it has answered before. `unanswered`: the requests since its last response. */
export const closesEveryConnection = async (
  unanswered: readonly { readonly testCase: TestCase; readonly outcome: Outcome }[],
  { asked, hasAnswered }: Blockage,
): Promise<boolean> => {
  const closed = unanswered.filter(({ outcome }) => isClosed(outcome))
  const operations = new Set(closed.map(({ testCase }) => testCase.obligation.operation))
  if (closed.length < goneAfter || operations.size < fewestOperations) return false
  const outcome = await asked()
  return outcome === null ? !hasAnswered() : isRefused(outcome) || isClosed(outcome)
}

/** What is said of such a server. */
export const closesAll = 'it closes every connection'
