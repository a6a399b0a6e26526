import { isOneOfFew, type Obligation, type RequestViolation, violatedProperties } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { violationsOf } from '../cases/expectation.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isGeneral } from '../confirm/failed-kinds.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { type Cluster, isOfConnection, isOfKind, isRecovery, isUndeclared, joinClusters } from './cluster.ts'

export type Context = {
  readonly model: OperationModel
  /** The obligation that statuses are declared, if there is one. */
  readonly declared: Obligation | undefined
  readonly passed: (id: string) => boolean
}

/**
 * Joins each cluster with one that accounts for it, so that the fewest are left. Requests of a kind that fails every time fail, whatever else they
 * are about; a kind that passed at other times predicts nothing. What is about no kind of its own needs no other explanation than the first
 * failure that looks the same.
 */
export const accounted = (clusters: readonly Cluster[], context: Context): readonly Cluster[] => {
  const joined = new Set<Cluster>()
  for (const cluster of clusters) {
    const others = clusters.filter(other => other !== cluster && !joined.has(other))
    const cause =
      others.find(other => accountsFor(other, cluster, context)) ?? severalFor(others, cluster, context)
    if (cause === undefined) continue
    joined.add(cluster)
    joinClusters(cause, cluster)
  }
  return clusters.filter(cluster => !joined.has(cluster))
}

/** The first of several that account for a cluster together; undefined if they do not. */
const severalFor = (others: readonly Cluster[], cluster: Cluster, context: Context): Cluster | undefined => {
  if (isVague(cluster, context)) return undefined
  const parts = others.filter(
    other =>
      outcomeOf(other) === outcomeOf(cluster) &&
      cluster.incidents.some(incident => predicts(other, incident, context)) &&
      !other.incidents.some(incident => predicts(cluster, incident, context)),
  )
  const isWhole = cluster.incidents.every(incident => parts.some(other => predicts(other, incident, context)))
  return isWhole ? parts[0] : undefined
}

const accountsFor = (cause: Cluster, cluster: Cluster, context: Context): boolean =>
  outcomeOf(cause) === outcomeOf(cluster) &&
  (isVague(cluster, context)
    ? isAlike(cause, cluster, context) &&
      ((!isVague(cause, context) && !isOfLoad(cause)) || isMoreGeneral(cause, cluster))
    : cluster.incidents.every(incident => predicts(cause, incident, context)) &&
      !cause.incidents.every(incident => predicts(cluster, incident, context)))

/** A rejection of valid requests is not explained by one of invalid requests; an undeclared status is the same for both. */
const isAlike = (cause: Cluster, cluster: Cluster, { declared }: Context): boolean =>
  cause.signature === cluster.signature || cluster.obligations[0] === declared

const outcomeOf = ({ confirmed: { incident } }: Cluster): string => signature(incident.outcome)

/** Whether a cluster is about no kind of requests: any valid request, or an open question with an undeclared status. */
const isVague = ({ obligations, confirmed }: Cluster, { declared, model, passed }: Context): boolean =>
  (obligations[0] === declared && isUndeclared(model, confirmed.incident.outcome)) ||
  obligations.every(each => isGeneral(each) || (isOneOfFew(each.subject) && passed(each.id)))

/** Whether a cause fails only under load. */
const isOfLoad = ({ obligations }: Cluster): boolean =>
  obligations.every(({ family }) => family === 'stability') && !obligations.some(isRecovery)

/** Of two vague ones, that of any valid request tells more. */
const isMoreGeneral = ({ obligations: [first] }: Cluster, { obligations: [other] }: Cluster): boolean =>
  first?.subject.kind === 'valid' && other?.subject.kind !== 'valid'

/** Whether a request fails because of what a cluster is about. */
const predicts = ({ obligations }: Cluster, incident: Incident, { model, passed }: Context): boolean =>
  obligations.some(obligation => !passed(obligation.id) && isOfFailedKind(model, obligation, incident))

const judged = new WeakMap<TestCase, readonly RequestViolation[]>()

/** What a request violates, judged once however many groups are held against it. */
const brokenBy = (model: OperationModel, testCase: TestCase): readonly RequestViolation[] => {
  const violations =
    judged.get(testCase) ?? violationsOf(model, testCase.spec.path, testCase.request, 'token')
  judged.set(testCase, violations)
  return violations
}

/** Whether a request is of the kind that an obligation to accept or to reject is about. */
const isOfFailedKind = (model: OperationModel, obligation: Obligation, incident: Incident): boolean => {
  const { testCase } = incident
  if (testCase.obligation.id === obligation.id) return true
  if (obligation.family === 'accept') return isOfKind(model, obligation, incident)
  if (obligation.family !== 'reject') return false
  const violations = brokenBy(model, testCase)
  return obligation.subject.kind === 'several-violations'
    ? violatedProperties(violations).size > 1
    : violations.some(({ id }) => id === obligation.id)
}

/** The clusters that are not of a connection. Of the others, the cause is found, and they show no more. */
export const unexplained = (
  onSight: readonly Cluster[],
  steady: readonly Cluster[],
  excused: Map<string, string>,
): readonly Cluster[] =>
  onSight.filter(cluster => {
    const isExplained = isOfConnection(cluster, steady)
    if (isExplained)
      for (const { id } of cluster.obligations)
        excused.set(
          id,
          'it failed only after other requests on the same connection, which has a finding of its own',
        )
    return !isExplained
  })
