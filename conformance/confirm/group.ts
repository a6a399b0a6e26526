import { isBelow, type Obligation, type ObligationPath, type Outcome, pathOf } from '../../spec/index.ts'
import { signature } from '../judge/observation-text.ts'
import { isConnection } from '../judge/record-outcome.ts'
import { commonSignature, type Incident, incidentsOf, type RunStats } from '../judge/run-stats.ts'
import { type FailedKindsOf, isGeneral } from './failed-kinds.ts'
import type { ConfirmOptions } from './resend-options.ts'

/** Obligations that fail for one cause, as far as that shows without further requests. */
export type Group = {
  /** Under which its confirmation is kept. */
  readonly key: string
  readonly obligations: readonly Obligation[]
  readonly incidents: readonly Incident[]
  readonly signature: string
}

/** The obligation that stands for a group: of the strictest level, the first in the contract. */
export const primaryOf = (obligations: readonly Obligation[]): Obligation =>
  obligations.find(({ level }) => level === 'MUST') ??
  obligations.find(({ level }) => level === 'SHOULD') ??
  (obligations[0] as Obligation)

/**
 * Groups obligations that failed in the same way and are all that was tested below one name: every wrong type of `tag`, all
 * malformed JSON, all credentials that have to be rejected.
 */
export const groupIncidents = (
  obligations: readonly Obligation[],
  stats: RunStats,
  failedKindsOf: FailedKindsOf,
): readonly Group[] => {
  const tested = obligations.filter(
    ({ id, family, subject }) =>
      family !== 'response' &&
      !isConnection({ subject }) &&
      !(subject.kind === 'stability' && subject.name === 'pairing') &&
      (stats.obligations.get(id)?.cases ?? 0) > 0,
  )
  const failed = new Map<Obligation, string>()
  for (const obligation of tested) {
    const incidents = incidentsOf(stats, obligation.id)
    if (incidents.length > 0) failed.set(obligation, commonSignature(incidents) ?? 'mixed')
  }
  const groups: (readonly Obligation[])[] = []
  let left = [...failed.keys()]
  const takeWhole = (siblings: readonly Obligation[]): void => {
    const signatures = new Set(siblings.map(obligation => failed.get(obligation)))
    const isOneCause =
      siblings.length > 1 && signatures.size === 1 && !signatures.has(undefined) && !signatures.has('mixed')
    if (!isOneCause || !siblings.every(obligation => left.includes(obligation))) return
    groups.push(siblings)
    left = left.filter(obligation => !siblings.includes(obligation))
  }
  const paths = new Map(tested.map(obligation => [obligation, pathOf(obligation.subject)]))
  for (const prefix of prefixesOf(left.map(obligation => paths.get(obligation) ?? []))) {
    const below = tested.filter(obligation => isBelow(paths.get(obligation) ?? [], prefix))
    for (const family of ['accept', 'reject', 'auth'] as const)
      takeWhole(below.filter(obligation => obligation.family === family && !isExempt(obligation)))
    takeWhole(below.filter(({ subject }) => subject.kind === 'keyword'))
  }
  return [
    ...groups.map(
      (group): Group => ({
        key: primaryOf(group).id,
        obligations: group,
        incidents: group.flatMap(({ id }) => incidentsOf(stats, id)),
        signature: failed.get(group[0] as Obligation) ?? '',
      }),
    ),
    ...left.flatMap(obligation => {
      const incidents = incidentsOf(stats, obligation.id)
      // What every request of some kind shows is reported for that kind.
      const others = isGeneral(obligation)
        ? incidents.filter(incident => failedKindsOf(incident).length === 0)
        : incidents
      return groupsByAnswer(obligation, others)
    }),
  ].filter(({ incidents }) => incidents.length > 0)
}

/** Different wrong answers of one obligation that are told apart, at most. */
const fewAnswers = 3

/**
 * One group for each kind of wrong answer to what has to be rejected, the most frequent first: a server that crashes on 1e400 and
 * accepts 2^63 has two faults. What has to be accepted is one group, because its causes are sorted out by kind of request, and another one if
 * some requests got a server error and others were rejected.
 */
const groupsByAnswer = (obligation: Obligation, incidents: readonly Incident[]): readonly Group[] => {
  const { id, family } = obligation
  const one = { obligations: [obligation], incidents }
  const isByAnswer = family === 'reject' || family === 'auth'
  const answers = [...Map.groupBy(incidents, isByAnswer ? answerOf : severityOf).values()]
  if (answers.length < 2) return [{ ...one, key: id, signature: commonSignature(incidents) ?? 'mixed' }]
  const sorted = isByAnswer
    ? answers.toSorted((left, right) => right.length - left.length).slice(0, fewAnswers)
    : answers.toSorted(([left], [right]) => Number(hasCrashed(left)) - Number(hasCrashed(right)))
  return sorted.map((alike, index) => {
    const [first] = alike as [Incident]
    return {
      key: index === 0 ? id : `${id} ${isByAnswer ? answerOf(first) : severityOf(first)}`,
      obligations: [obligation],
      incidents: alike,
      signature: commonSignature(alike) ?? 'mixed',
    }
  })
}

const hasCrashed = (incident: Incident | undefined): boolean =>
  incident !== undefined && isCrash(incident.outcome)

const severityOf = (incident: Incident): string => (hasCrashed(incident) ? 'crash' : 'other')

/** No response is one answer, whatever became of the connection. */
const answerOf = ({ outcome }: Incident): string =>
  outcome.kind === 'failure' ? 'no response' : signature(outcome)

/** Credentials that are accepted say nothing of those that are rejected, and an invalid body is rejected for itself. */
const isExempt = ({ subject }: Obligation): boolean =>
  subject.kind === 'credentials' && (subject.isAccepted || subject.name.endsWith('invalid-body'))

/** What is above these paths, the shortest first: all of the operation, `request`, `request/body`, … */
const prefixesOf = (paths: readonly ObligationPath[]): readonly ObligationPath[] => {
  const prefixes = paths.flatMap(path => path.map((_, length) => path.slice(0, length)))
  const unique = new Map(prefixes.map(prefix => [JSON.stringify(prefix), prefix]))
  return [...unique.values()].sort((left, right) => left.length - right.length)
}

/** Incidents of responses that are confirmed as one. */
export type ResponseGroup = {
  readonly key: string
  readonly obligation: Obligation
  /** Whether the obligation is that statuses are declared. */
  readonly isDeclared: boolean
  readonly incidents: readonly Incident[]
}

/** What is wrong with responses themselves. Undeclared statuses are grouped by status, and left out if another group explains them. */
export const responseGroupsOf = (
  obligations: readonly Obligation[],
  stats: RunStats,
  explained: ReadonlySet<number>,
): readonly ResponseGroup[] =>
  obligations
    .filter(({ family }) => family === 'response')
    .flatMap((obligation): readonly ResponseGroup[] => {
      const { id, subject } = obligation
      const incidents = incidentsOf(stats, id)
      const isDeclared = subject.kind === 'response' && subject.aspect === 'declared'
      if (!isDeclared) return incidents.length === 0 ? [] : [{ key: id, obligation, isDeclared, incidents }]
      const unexplained = incidents.filter(({ testCase }) => !explained.has(testCase.number))
      return [...Map.groupBy(unexplained, keyOf)].map(([key, alike]) => ({
        key: `${id} ${key}`,
        obligation,
        isDeclared,
        incidents: alike,
      }))
    })

const keyOf = ({ outcome, testCase }: Incident): string => `${signature(outcome)} ${testCase.expectation}`

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
