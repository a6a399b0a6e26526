/** Sends the requests whose callbacks are to come, and those after which none may come. */
import { type CallbackName, type Obligation, sentBy } from '../../spec/index.ts'
import type { TestCase, ValidKind } from '../cases/case.ts'
import type { RunStats } from '../judge/run-stats.ts'
import { operationsAtATime } from '../options/run-options.ts'
import type { Preflight } from '../reach/preflight.ts'
import { inFlight } from '../send/in-flight.ts'
import { timeFor } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { createBesidePlan, firstInvalid, isOfInvalid, type SentBeside } from './beside-plan.ts'

/** Of the time of a run, this share at most goes to waiting for callbacks. */
const shareOfTime = 0.25

/** Invalid requests of one operation, at most: each of another kind. */
const mostRejected = 6

export const sendCallbacks = async (
  session: RunSession,
  { unreachable, noAccess }: Preflight,
  stats: RunStats,
): Promise<SentBeside> => {
  const { listener, gate, operations, clock, options } = session
  const beside = createBesidePlan(session, stats)
  if (listener === null || unreachable !== null || noAccess !== null) return beside.sent()
  const isShareOver = timeFor(clock.end(), shareOfTime)
  const isOver = (): boolean => gate.isClosed() || options.signal.aborted || isShareOver()
  const asked = [...Map.groupBy(beside.due('callback'), ({ operation }) => operation)].map(
    ([id, obligations]) => ({ operation: operations.get(id) as OperationSession, obligations }),
  )
  const sendAll = async (
    { operation, obligations }: (typeof asked)[number],
    turn: readonly CallbackName[],
  ): Promise<void> => {
    const due = obligations.filter(
      ({ subject }) => subject.kind === 'callback' && turn.includes(subject.name),
    )
    const { contract, operation: of } = operation.model
    const webhooks = new Set(sentBy(contract, of).flatMap(({ name, isWebhook }) => (isWebhook ? [name] : [])))
    const all = due.flatMap(obligation => casesOf(operation, obligation, webhooks))
    await inFlight(all, mostAtOnce, isOver, async testCase => {
      await beside.send(operation, testCase)
    })
  }
  for (const turn of turns)
    await inFlight(asked, turn.includes('refused') ? 1 : operationsAtATime(options), isOver, group =>
      sendAll(group, turn),
    )
  return beside.sent()
}

/** Cases of one operation that wait at the same time. */
const mostAtOnce = 8

/** Whether and how soon callbacks come tells how long to wait for what should not come. A refused one may end the server, so it comes late. */
const turns: readonly (readonly CallbackName[])[] = [
  ['sent'],
  ['request', 'credentials', 'own', 'once', 'rejected'],
  ['refused'],
  ['repeated'],
]

/** The valid requests that each requirement is tried with. */
const validKinds: Readonly<Record<string, readonly ValidKind[]>> = {
  sent: ['plain', 'full', 'random'],
  request: ['plain', 'full', 'random', 'random'],
  credentials: ['plain', 'full'],
  own: ['random'],
  once: ['plain', 'full'],
  repeated: ['plain'],
  refused: ['plain'],
}

const casesOf = (
  operation: OperationSession,
  obligation: Obligation,
  webhooks: ReadonlySet<string>,
): readonly TestCase[] => {
  const { subject } = obligation
  const { valid, sender } = operation
  if (valid === undefined || subject.kind !== 'callback') return []
  if (subject.name === 'rejected') return rejectedCases(operation, obligation)
  // What is listened for after one request tells of all webhooks.
  const kinds = webhooks.has(subject.callback) ? (['plain'] as const) : (validKinds[subject.name] ?? [])
  return kinds.map(kind => ({
    ...sender.validCase(valid, kind),
    obligation,
    expectation: 'either',
  }))
}

/** Invalid requests of different kinds, with other credentials first. */
const rejectedCases = (operation: OperationSession, obligation: Obligation): readonly TestCase[] => {
  const found = new Map<string, TestCase>()
  const invalid = operation.obligations.filter(isOfInvalid)
  for (const each of invalid.toSorted((left, right) => rankOf(left) - rankOf(right))) {
    if (found.size >= mostRejected) break
    const kind = each.subject.kind === 'keyword' ? each.subject.keyword : each.subject.kind
    const made = found.has(kind) ? null : firstInvalid(operation, each)
    if (made !== null) found.set(kind, { ...made, obligation, expectation: 'either', cause: null })
  }
  return [...found.values()]
}

const rankOf = ({ subject }: Obligation): number => (subject.kind === 'credentials' ? 0 : 1)
