import { isOneOfFew, type Obligation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isGeneral } from '../confirm/failed-kinds.ts'
import { primaryOf } from '../confirm/group.ts'
import type { RunStats } from '../judge/run-stats.ts'
import { isOfLength } from './causes.ts'
import {
  type Cluster,
  isAfterRejection,
  isExplainedBy,
  isOfKind,
  isRecovery,
  isUndeclared,
  joinClusters,
  reportedObligations,
} from './cluster.ts'

/** As many kinds have to be expected to fail by chance for one failure to be put down to it. */
const likely = 0.2

const isAnyKind = ({ subject }: Obligation): boolean => subject.kind === 'valid' || isOneOfFew(subject)

/**
 * If valid requests of no particular kind fail, then of the kinds with few cases some fail by chance in all of them, and so do
 * requests under load: these have no cause of their own.
 */
export const foldChance = (
  clusters: readonly Cluster[],
  valid: Obligation | undefined,
  all: readonly Obligation[],
  model: OperationModel,
  stats: RunStats,
): readonly Cluster[] => {
  const main = clusters.find(({ obligations }) => valid !== undefined && obligations[0] === valid)
  // What fails only after a rejection does not fail by chance.
  if (main === undefined || isAfterRejection(main)) return clusters
  const sumOf = (obligations: readonly Obligation[], what: 'cases' | 'failed'): number =>
    obligations.reduce((sum, { id }) => sum + (stats.obligations.get(id)?.[what] ?? 0), 0)
  const failureRate = (obligations: readonly Obligation[]): number =>
    sumOf(obligations, 'failed') / Math.max(1, sumOf(obligations, 'cases'))
  const tested = all.filter(obligation => isAnyKind(obligation) && sumOf([obligation], 'cases') > 0)
  const alike = clusters.filter(
    ({ signature, obligations }) => signature === main.signature && obligations.every(isAnyKind),
  )
  const isChance = (cluster: Cluster): boolean => {
    const incidents = alike.filter(other => other !== cluster).flatMap(other => other.incidents)
    const unrelated = incidents.filter(
      incident => !cluster.obligations.some(obligation => isOfKind(model, obligation, incident)),
    )
    const others = tested.filter(obligation => !cluster.obligations.includes(obligation))
    // Kinds of the same sort are generated alike, and so fail by chance alike.
    const kinds = new Set(cluster.obligations.map(({ subject }) => subject.kind))
    const sameSort = others.filter(({ subject }) => kinds.has(subject.kind))
    const rate = Math.max(failureRate(others), failureRate(sameSort))
    const fewest = Math.min(...cluster.obligations.map(obligation => sumOf([obligation], 'cases')))
    return unrelated.length * 8 > incidents.length && tested.length * rate ** fewest > likely
  }
  const isLoad = ({ obligations, signature }: Cluster): boolean =>
    signature === main.signature && obligations.every(({ family }) => family === 'stability')
  const byChance = clusters.filter(
    cluster => cluster !== main && (isLoad(cluster) || (alike.includes(cluster) && isChance(cluster))),
  )
  return fold(clusters, cluster => (byChance.includes(cluster) ? main : undefined))
}

/**
 * Every request has one of a few sets of properties and one of the values of a short list, and many have a common number: what
 * failed only together with one of these has no cause of its own.
 */
export const foldFew = (
  clusters: readonly Cluster[],
  all: readonly Obligation[],
  model: OperationModel,
  passed: (id: string) => boolean,
): readonly Cluster[] => {
  const primaryIn = (cluster: Cluster): Obligation =>
    primaryOf(reportedObligations(cluster, all, model, passed))
  const isCommon = ({ subject, id }: Obligation): boolean =>
    isOneOfFew(subject) || (subject.kind === 'value' && !passed(id))
  // If each may be the cause of the other, the one that passed at other times is not.
  const isRival = (cluster: Cluster, other: Cluster): boolean => {
    const [primary, rival] = [primaryIn(cluster), primaryIn(other)]
    return (
      (isOneOfFew(primary.subject) || !isOneOfFew(rival.subject)) &&
      isExplainedBy(cluster, primary, model) &&
      isExplainedBy(other, primary, model) &&
      (!passed(primary.id) || passed(rival.id)) &&
      !(primary.subject.kind === 'presence' && isOfLength(rival))
    )
  }
  const isCauseOf = (other: Cluster, cluster: Cluster): boolean => {
    const primary = primaryIn(other)
    return (
      other !== cluster &&
      other.signature === cluster.signature &&
      isCommon(primary) &&
      (!passed(primary.id) || passed(primaryIn(cluster).id)) &&
      isExplainedBy(other, primary, model) &&
      isExplainedBy(cluster, primary, model) &&
      cluster.incidents.every(({ testCase }) => testCase.expectation === 'accept') &&
      !isRival(cluster, other)
    )
  }
  return fold(clusters, cluster => clusters.find(other => isCauseOf(other, cluster)))
}

/**
 * What has no cause of its own beside the causes that were found: undeclared responses to open questions, and random valid requests
 * that fail as a named kind of them does.
 */
export const foldRest = (
  clusters: readonly Cluster[],
  declared: Obligation | undefined,
  valid: Obligation | undefined,
  model: OperationModel,
  passed: (id: string) => boolean,
): readonly Cluster[] => {
  const isFirst = (cluster: Cluster, obligation: Obligation | undefined): boolean =>
    cluster.obligations[0] === obligation && obligation !== undefined
  // What requests have that fail as well as requests that do not fail comes along by chance.
  const isVague = ({ obligations }: Cluster): boolean =>
    obligations.every(({ id, subject }) => isOneOfFew(subject) && passed(id))
  const comesFrom = (cluster: Cluster, other: Cluster): boolean =>
    other.obligations.some(obligation => isExplainedBy(cluster, obligation, model))
  const isCauseOf = (other: Cluster, cluster: Cluster): boolean => {
    if (other === cluster || other.signature !== cluster.signature || isFirst(other, declared)) return false
    const isRelated = isVague(cluster)
      ? (valid !== undefined && other.obligations.includes(valid)) || comesFrom(cluster, other)
      : !isFirst(other, valid) &&
        !isVague(other) &&
        (!other.obligations.every(({ subject }) => isOneOfFew(subject)) || comesFrom(cluster, other))
    return (
      isRelated &&
      (isFirst(cluster, declared) ||
        isVague(cluster) ||
        (isAfterRejection(cluster) && other.obligations.some(isRecovery)) ||
        other.obligations.some(({ family }) => family === 'accept'))
    )
  }
  const isLoose = (cluster: Cluster): boolean =>
    (isFirst(cluster, declared) && isUndeclared(model, cluster.confirmed.incident.outcome)) ||
    isVague(cluster) ||
    cluster.obligations.every(isGeneral)
  return fold(clusters, cluster =>
    isLoose(cluster) ? clusters.find(other => isCauseOf(other, cluster)) : undefined,
  )
}

/** Joins each cluster that has a cause among the others with it, one after the other. */
const fold = (
  clusters: readonly Cluster[],
  causeOf: (cluster: Cluster) => Cluster | undefined,
): readonly Cluster[] =>
  clusters.filter(cluster => {
    const cause = causeOf(cluster)
    if (cause !== undefined) joinClusters(cause, cluster)
    return cause === undefined
  })
