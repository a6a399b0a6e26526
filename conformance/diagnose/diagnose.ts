import {
  type Finding,
  isOneOfFew,
  isUndeclaredStatus,
  type Obligation,
  type ObligationId,
  type StabilityName,
  type StatusPolicy,
} from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { type Confirmations, confirmedOf, isFromDrift, mayBeDuplicate } from '../confirm/confirm.ts'
import { isOfWaiting, isUnasked } from '../confirm/confirm-incident.ts'
import { failedKinds, isGeneral, tellersOfAny } from '../confirm/failed-kinds.ts'
import { groupIncidents, isCrash, primaryOf, responseGroupsOf } from '../confirm/group.ts'
import { summary } from '../judge/observation-text.ts'
import { hasPassed, type Incident, incidentsOf, type RunStats } from '../judge/run-stats.ts'
import { isLost } from '../send/lost-connections.ts'
import { accounted, unexplained } from './accounted.ts'
import { byTextRule, byUndocumentedRule } from './by-undocumented-rule.ts'
import { mergeCauses } from './causes.ts'
import {
  type Cluster,
  clusterOf,
  driftCluster,
  flakyClusters,
  isExplainedBy,
  isOfConnection,
  isOneOfSeveral,
  joinClusters,
  pairingCluster,
  partition,
  promoted,
  reportedObligations,
  withTested,
} from './cluster.ts'
import { type FindingOptions, findingsOfCases, toFinding } from './finding.ts'
import { byAnswer, isWronglyAccepted, withoutFeature } from './not-repeated.ts'
import { connectionCluster, excusesOf, lostAsOthers, lostReason } from './of-load.ts'
import { asConflict, isRefusal, isRepetition, refusalReason, storedReason } from './of-state.ts'

export type Diagnosis = {
  readonly findings: readonly Finding[]
  /** Obligations whose incidents turn out to show nothing, and why. */
  readonly excused: ReadonlyMap<string, string>
  /** By the number of a failed case, the finding that reports it. */
  readonly findingOfCase: ReadonlyMap<number, Finding>
}

export type DiagnoseOptions = FindingOptions &
  StatusPolicy & {
    readonly model: OperationModel
    readonly confirmations: Confirmations
    /** The requirements that were met without what their requests were rejected for (see `metIn`). */
    readonly met: ReadonlySet<ObligationId>
    /** How the server rejects an identity that it has seen (see `summary`); empty: it accepts it. */
    readonly duplicateResponses: readonly string[]
    /** The valid request that the server rejected after the cases; null if it still accepted one. */
    readonly drifted: Incident | null
    /** What other operations answered to the right token from some time on (see `refusalsIn`). */
    readonly refusals: ReadonlySet<string>
    /** Whether the server went away, so that nothing could be sent again: only what shows on sight is a finding. */
    readonly isServerDown: boolean
  }

/** No run can do better on a server that keeps what earlier runs created. */
export const duplicateReason =
  'the server rejects what it has seen before, and may have seen this value in an earlier run'
const waitedReason = 'what it waits for did not come in time once, and came when it was repeated'
const driftReason = 'the server stopped accepting valid requests in the middle of the run'

/** Turns what a run saw of one operation into findings, one for each cause. Sends nothing. */
export const diagnose = (
  obligations: readonly Obligation[],
  stats: RunStats,
  options: DiagnoseOptions,
): Diagnosis => {
  const { model, drifted, isServerDown } = options
  const stable = (name: StabilityName): Obligation | undefined =>
    obligations.find(({ subject }) => subject.kind === 'stability' && subject.name === name)
  const declared = obligations.find(isUndeclaredStatus)
  const valid = obligations.find(({ subject }) => subject.kind === 'valid')
  const passed = (id: string): boolean => hasPassed(stats, id)
  const found = clustersOf(obligations, stats, options)
  const { onSight, flaky, excused, tellers } = found
  const [lostOnce, repeated] = lostAsOthers(found.steady, obligations, stats)
  const steady = isServerDown
    ? [...onSight, ...repeated.filter(isOfResponse)]
    : [...repeated, ...unexplained(onSight, repeated, excused)]
  const pairing = pairingCluster(stable('pairing'), stats)
  const drift = drifted === null ? null : driftCluster(stable('drift'), obligations, stats, drifted)
  const { ruled, others: ofFeatures } = byUndocumentedRule(
    byTextRule(byAnswer(steady, valid, obligations, stats, excused, tellers, found.unconfirmed)),
    valid,
    model,
    stats,
    excused,
    tellers,
    options.met,
  )
  const byCause = mergeCauses(ofFeatures, joinClusters)
  const merged = accounted(byCause, { declared, model, passed })
  // If responses are mixed up, or the server gave out, that is the cause of what does not come again.
  const inconsistent =
    isServerDown || pairing !== null || drift !== null
      ? []
      : flaky.filter(cluster => !isOfConnection(cluster, merged) && !isOneOfSeveral(cluster, steady))
  const [lostFlaky, others] = partition(inconsistent, each => isLost(each.confirmed.incident.outcome))
  const unanswered = [...lostOnce, ...lostFlaky]
  const connection = connectionCluster(
    obligations,
    stats,
    unanswered.flatMap(({ incidents }) => incidents),
  )
  for (const { id } of unanswered.flatMap(each => each.obligations))
    if (!passed(id)) excused.set(id, lostReason)
  const clusters = [
    // First, as a case whose connection was lost may have failed when it was sent again.
    ...(connection === null ? [] : [connection]),
    ...(drift === null ? [] : [drift]),
    ...ruled,
    ...merged,
    ...(pairing === null ? [] : [pairing]),
    ...flakyClusters(others, stable('consistency')),
  ]
  const findings = clusters.map(cluster =>
    findingOf(promoted(cluster, declared, model, options), obligations, stats, excused, options),
  )
  const findingOfCase = findingsOfCases(clusters, findings, tellers)
  return { findings, excused, findingOfCase }
}

/** Whether a response is wrong in itself, which nobody has to ask for again. What a proxy says of a server that is gone is not. */
const isOfResponse = ({ obligations, confirmed: { incident } }: Cluster): boolean =>
  obligations.every(({ family }) => family === 'response') &&
  incident.outcome.kind === 'response' &&
  ![502, 503, 504].includes(incident.outcome.response.status)

/** The groups of incidents that came again, those that did not, and what is excused of them. */
const clustersOf = (
  obligations: readonly Obligation[],
  stats: RunStats,
  { model, confirmations, drifted, duplicateResponses, refusals }: DiagnoseOptions,
) => {
  const excused = new Map<string, string>()
  const excuseOf = excusesOf(confirmations)
  const steady: Cluster[] = []
  const onSight: Cluster[] = []
  const flaky: Cluster[] = []
  const unconfirmed: Incident[] = []
  const isDuplicate = (incident: Incident): boolean =>
    mayBeDuplicate(incident) && duplicateResponses.includes(summary(incident.outcome))
  const failedKindsOf = failedKinds(obligations, stats, model, isDuplicate)
  const add = (cluster: Cluster): void => {
    const { incident, repeat } = cluster.confirmed
    // A success where a rejection is required fails on sight: the server may reject the second request as a duplicate.
    if (repeat !== 'steady' && isWronglyAccepted(incident, model)) onSight.push(cluster)
    else (repeat === 'flaky' ? flaky : steady).push(cluster)
  }
  for (const group of groupIncidents(obligations, stats, failedKindsOf)) {
    const excuse = (reason: string): void => {
      for (const { id } of group.obligations) excused.set(id, reason)
    }
    const primary = primaryOf(group.obligations)
    const incidents = group.incidents.filter(({ violation }) => violation.id === primary.id)
    if (drifted !== null && isFromDrift(incidents)) {
      excuse(driftReason)
      continue
    }
    const confirmed = confirmedOf(confirmations, group.key, incidents)
    if (confirmed === null) {
      unconfirmed.push(...incidents)
      continue
    }
    if (isRepetition(confirmed, incidentsOf(stats, primary.id), model)) continue
    const reason = excuseOf(confirmed) ?? storedReason(confirmed, primary, obligations, stats, model)
    if (reason !== null) excuse(reason)
    else if (isDuplicate(confirmed.incident)) excuse(duplicateReason)
    else if (isRefusal(confirmed.incident, refusals)) excuse(refusalReason)
    else if (confirmed.repeat === 'flaky' && isOfWaiting(confirmed.incident)) excuse(waitedReason)
    // One of several wrong answers that did not come again shows no more than the others.
    else if (
      group.key === primary.id ||
      confirmed.repeat !== 'flaky' ||
      isCrash(confirmed.incident.outcome) ||
      isWronglyAccepted(confirmed.incident, model)
    )
      add(clusterOf(group, confirmed, primary))
  }
  const explained = new Set(
    [...steady, ...onSight, ...flaky].flatMap(({ incidents }) =>
      incidents.map(({ testCase }) => testCase.number),
    ),
  )
  for (const { key, obligation, isDeclared, incidents } of responseGroupsOf(obligations, stats, explained)) {
    const confirmed =
      drifted !== null && isDeclared ? null : asConflict(confirmedOf(confirmations, key, incidents))
    const reason = confirmed === null ? null : excuseOf(confirmed)
    if (reason !== null) excused.set(obligation.id, reason)
    if (confirmed === null || reason !== null) continue
    const group = { key, obligations: [obligation], incidents, signature: '' }
    const cluster = clusterOf(group, isDeclared ? withoutFeature(confirmed) : confirmed, obligation)
    // What any request gets, as far as is known, is not about what its cases test.
    const isOfAny = isUnasked(confirmed) || isGeneral(confirmed.incident.testCase.obligation)
    add(!isDeclared ? { ...cluster, signature: 'response' } : isOfAny ? cluster : withTested(cluster))
  }
  const tellers = tellersOfAny(obligations, stats, failedKindsOf)
  return { steady, onSight, flaky, excused, tellers, unconfirmed }
}

const findingOf = (
  cluster: Cluster,
  obligations: readonly Obligation[],
  stats: RunStats,
  excused: Map<string, string>,
  options: DiagnoseOptions,
): Finding => {
  const { confirmed, incidents } = cluster
  const { model } = options
  const reported = reportedObligations(cluster, obligations, model, id => hasPassed(stats, id))
  const primary = primaryOf(reported)
  if (cluster.also !== undefined)
    return toFinding(primary, cluster.also, confirmed, cluster.cases ?? incidents.length, options)
  const also: string[] = []
  // Every request has one of the few sets of properties, or one of the few values: it says nothing that these have it by chance.
  const isLeading =
    isOneOfFew(primary.subject) ||
    primary.subject.kind === 'valid' ||
    (primary.subject.kind === 'value' && isExplainedBy(cluster, primary, model))
  for (const obligation of reported.filter(other => other !== primary)) {
    const { id, subject, family } = obligation
    // An accepted request that must be rejected is a failure, whatever came of other cases.
    const isOnSight = incidentsOf(stats, id).some(incident => isWronglyAccepted(incident, model))
    const passed = hasPassed(stats, id) && !isOnSight
    // Every kind of valid request is one of «any valid request», and what comes now and then may hit any of them.
    const isAny = isGeneral(obligation) || isOneOfFew(subject)
    if (passed && (isAny || confirmed.repeat === 'flaky')) continue
    // What has a few cases fails by chance in all of them.
    if ((subject.kind === 'protocol' || family === 'stability') && confirmed.repeat === 'flaky') {
      excused.set(id, `it failed once and passed when it was repeated: see ${primary.id}`)
      continue
    }
    if (isLeading && (family === 'accept' || family === 'stability' || family === 'auth')) {
      if (!passed) excused.set(id, `the same cases show ${primary.id} failed`)
    } else also.push(id)
  }
  return toFinding(primary, also, confirmed, cluster.cases ?? incidents.length, options)
}
