import type { Obligation, ObligationId } from '../../spec/index.ts'
import { findingCause } from '../judge/mechanism.ts'
import { signature } from '../judge/observation-text.ts'
import { isConnection } from '../judge/record-outcome.ts'
import { hasPassed, type Incident, incidentsOf, type RunStats } from '../judge/run-stats.ts'
import type { Sent } from '../send/lost-connections.ts'
import { createBlame } from './blame.ts'
import {
  type Confirmed,
  confirmIncidents,
  isUnasked,
  shownPlainly,
  smallestFirst,
  unrepeated,
} from './confirm-incident.ts'
import { failedKinds } from './failed-kinds.ts'
import { type Group, groupIncidents, isCrash, primaryOf, responseGroupsOf } from './group.ts'
import { isCostly } from './resend.ts'
import type { ConfirmOptions, ResendOptions } from './resend-options.ts'

/** What came of sending incidents again, by obligation or by the key of a `ResponseGroup`. */
export type Confirmations = ReadonlyMap<string, Confirmed>

/** What is sent again in one go: what may be for load, and so has to be alone; the rest; or both. */
export type Turn = 'crashes' | 'others' | 'all'

type OperationOptions = ResendOptions & {
  readonly hasDrifted: boolean
  readonly accepted: Sent | null
  readonly turn: Turn
  /** The causes of which a failure came again, or is about to: no other one is sent. Null: all are. */
  readonly causes: Set<string> | null
  /** What came of an earlier turn. */
  readonly known: Confirmations
}

/** Sends the incidents of one operation again, those of one cause together as far as that shows by itself. */
export const confirmOperation = async (
  obligations: readonly Obligation[],
  stats: RunStats,
  { hasDrifted, accepted, turn, causes, known, ...rest }: OperationOptions,
): Promise<Confirmations> => {
  const failedKindsOf = failedKinds(obligations, stats, rest.model, mayBeDuplicate)
  const failed = obligations.filter(
    ({ id, family }) => family === 'accept' && incidentsOf(stats, id).length > 0,
  )
  const options: ConfirmOptions = {
    ...rest,
    failedKindsOf,
    blameOf: createBlame(accepted?.testCase ?? null, failed, id => hasPassed(stats, id)),
    any: obligations.find(({ subject }) => subject.kind === 'valid') ?? null,
    hasAccepted: accepted?.outcome.kind === 'response' && accepted.outcome.response.status < 400,
    shareOf: outcome => shareOf(signature(outcome), obligations, stats),
  }
  const confirmations = new Map<string, Confirmed>()
  const isTurn = (incidents: readonly Incident[]): boolean =>
    turn === 'all' || (turn === 'crashes') === incidents.some(each => isCrash(each.outcome))
  const confirm = async (
    key: string,
    obligation: Obligation,
    incidents: readonly Incident[],
  ): Promise<Confirmed | null> => {
    const before = known.get(key) ?? null
    const [first] = incidents.toSorted(smallestFirst)
    const isDone = before !== null && !isUnasked(before)
    if (isDone || first === undefined || !isTurn(incidents)) return before
    // One that hangs takes the time of many others.
    if (causes !== null && isCostly(first.outcome)) return before
    // That each comes again is worth more than what it came for, or that the first ones are small.
    const budget = options.budget.share(1 / Math.max(1, waiting))
    waiting -= 1
    const cause = causes === null ? '' : findingCause(obligation, first, 'unrepeated', []).key
    if (causes?.has(cause) === true) return before
    causes?.add(cause)
    const again = await confirmIncidents(obligation.id, incidents, { ...options, budget })
    // What there was no time for now is as it was in an earlier turn.
    const confirmed = again?.repeat === 'unrepeated' ? (before ?? again) : again
    if (confirmed === null) return null
    if (confirmed.repeat !== 'steady' || confirmed.excuse !== undefined) causes?.delete(cause)
    confirmations.set(key, confirmed)
    return confirmed
  }
  /** The requirements of a group that are met without what their requests are rejected for. */
  const metBy = async (
    { obligations: all }: Group,
    primary: ObligationId,
  ): Promise<readonly ObligationId[]> => {
    const met = [primary]
    for (const { id } of all) {
      const [first] = incidentsOf(stats, id).toSorted(smallestFirst)
      if (met.includes(id) || first === undefined || options.budget.left <= 0) continue
      const blame = await options.blameOf(first, options)
      if (blame.kind === 'rule' && blame.rule.isMet === true) met.push(id)
    }
    return met
  }
  const explained = new Set<number>()
  const groups = groupIncidents(obligations, stats, failedKindsOf)
  let waiting = [...groups, ...responseGroupsOf(obligations, stats, explained)].filter(
    ({ key, incidents }) => isTurn(incidents) && !known.has(key),
  ).length
  for (const group of groups) {
    const primary = primaryOf(group.obligations)
    const { id } = primary
    const incidents = group.incidents.filter(({ violation }) => violation.id === id)
    if (hasDrifted && isFromDrift(incidents)) continue
    const confirmed = await confirm(group.key, primary, incidents)
    const met = confirmed?.rule?.isMet === true && confirmed.met === undefined ? await metBy(group, id) : null
    if (confirmed !== null && met !== null) confirmations.set(group.key, { ...confirmed, met })
    // Whether a possible duplicate explains anything is known only when the run has seen everything.
    // A group explains its requests as well if nobody has sent one again.
    const shown = confirmed ?? unrepeated(incidents.toSorted(smallestFirst))
    if (shown !== null && shown.excuse === undefined && !mayBeDuplicate(shown.incident))
      for (const { testCase } of group.incidents) explained.add(testCase.number)
  }
  for (const { key, obligation, isDeclared, incidents } of responseGroupsOf(obligations, stats, explained)) {
    // Which statuses are explained is known only at the end, but nothing explains how an open question is answered.
    if (turn === 'crashes' && !(isDeclared && incidents.every(isOpenQuestion))) continue
    const confirmed = hasDrifted && isDeclared ? null : await confirm(key, obligation, incidents)
    if (confirmed !== null && isDeclared)
      confirmations.set(key, await shownPlainly(obligation.id, confirmed, options))
  }
  return confirmations
}

const isOpenQuestion = ({ testCase }: Incident): boolean => testCase.expectation === 'either'

/** The share of the requests of an operation that had this outcome; 0 if that was not counted. */
const shareOf = (outcome: string, obligations: readonly Obligation[], stats: RunStats): number => {
  const connection = obligations.find(isConnection)
  const all = connection === undefined ? 0 : (stats.obligations.get(connection.id)?.cases ?? 0)
  const failed = new Set(
    obligations
      .flatMap(({ id }) => incidentsOf(stats, id))
      .flatMap(each => (signature(each.outcome) === outcome ? [each.testCase.number] : [])),
  )
  return all === 0 ? 0 : failed.size / all
}

/** What came of these incidents; those that were not sent again are said to be that. Null if there are none. */
export const confirmedOf = (
  confirmations: Confirmations,
  key: string,
  incidents: readonly Incident[],
): Confirmed | null =>
  incidents.length === 0 ? null : (confirmations.get(key) ?? unrepeated([...incidents].sort(smallestFirst)))

/** The requirements that were met once the requests for them were without what they had been rejected for. */
export const metIn = (confirmations: Confirmations): ReadonlySet<ObligationId> =>
  new Set([...confirmations.values()].flatMap(({ met }) => met ?? []))

/** Whether all of these are what a server does that has stopped accepting valid requests; what came of a callback may be why it has. */
export const isFromDrift = (incidents: readonly Incident[]): boolean =>
  incidents.every(
    ({ testCase, outcome }) =>
      testCase.callback === undefined && (testCase.expectation === 'accept' || signature(outcome) >= '5'),
  )

/** A boundary value of an identity cannot be renewed: if it was rejected, the server may have seen it before. */
export const mayBeDuplicate = ({ testCase, outcome }: Incident): boolean =>
  testCase.expectation === 'accept' &&
  !testCase.spec.renewable &&
  testCase.obligation.subject.kind === 'value' &&
  outcome.kind === 'response' &&
  outcome.response.status >= 400 &&
  outcome.response.status < 500
