import {
  isOneOfFew,
  isUndeclaredStatus,
  matches,
  type Obligation,
  type ObligationId,
  type Outcome,
  type StatusPolicy,
} from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import type { Group } from '../confirm/group.ts'
import { isInGap } from '../judge/expected-status.ts'
import { signature } from '../judge/observation-text.ts'
import { type Incident, incidentsOf, type RunStats } from '../judge/run-stats.ts'
import { isLost } from '../send/lost-connections.ts'
import { mostSpecificFirst } from './causes.ts'

/** Obligations that fail for one cause, and the incident that shows it. */
export type Cluster = {
  readonly obligations: Obligation[]
  readonly confirmed: Confirmed
  readonly incidents: Incident[]
  /** If more cases failed than there are incidents. */
  readonly cases?: number
  /** The ids of what failed for the same cause, if that is known. */
  readonly also?: readonly ObligationId[]
  readonly key: string
  readonly signature: string
}

export const clusterOf = (
  { obligations, incidents }: Group,
  confirmed: Confirmed,
  primary: Obligation,
): Cluster => ({
  obligations: [...obligations],
  confirmed,
  incidents: [...incidents],
  // Failures that are not about acceptance differ by obligation, however alike the requests are.
  key:
    confirmed.incident.testCase.expectation === 'accept' &&
    primary.family !== 'response' &&
    primary.family !== 'protocol'
      ? confirmed.key
      : `${primary.id} ${confirmed.key}`,
  signature: signatureOf(confirmed.incident),
})

/** The same status is one fault for what has to be accepted, and another one for what has to be rejected. */
const signatureOf = ({ testCase: { expectation }, outcome }: Incident): string => {
  const isRejected = outcome.kind === 'response' && outcome.response.status >= 400
  return expectation === 'reject' || (expectation === 'either' && isRejected)
    ? `${signature(outcome)}, not accepted`
    : signature(outcome)
}

export const joinClusters = (into: Cluster, other: Cluster): void => {
  into.obligations.push(...other.obligations.filter(obligation => !into.obligations.includes(obligation)))
  into.incidents.push(...other.incidents)
}

/** An undeclared status, reported once with all obligations whose cases got it. */
export const withTested = (cluster: Cluster): Cluster => ({
  ...cluster,
  obligations: [
    ...cluster.obligations,
    ...new Set(
      cluster.incidents
        .map(({ testCase }) => testCase.obligation)
        .filter(
          ({ level, family }) => level !== 'OBSERVE' && family !== 'stability' && family !== 'unspecified',
        ),
    ),
  ],
})

/** Whether all incidents of a cluster are of the kind that an obligation is about. */
export const isExplainedBy = (
  { incidents }: Cluster,
  obligation: Obligation,
  model: OperationModel,
): boolean => incidents.every(incident => isOfKind(model, obligation, incident))

/** Whether a request is of the kind that an obligation to accept is about. */
export const isOfKind = (
  model: OperationModel,
  { subject }: Obligation,
  { testCase: { spec, request } }: Incident,
): boolean => matches(model, subject, { body: spec.body, parameters: spec.parameters, request }, [])

/** The obligations to report a cluster by, the one first that says most about the cause. */
export const reportedObligations = (
  cluster: Cluster,
  all: readonly Obligation[],
  model: OperationModel,
  passed: (id: string) => boolean,
): readonly Obligation[] => {
  const explains = (obligation: Obligation): boolean => isExplainedBy(cluster, obligation, model)
  const sorted = mostSpecificFirst(withoutLoad(cluster), all, passed, explains)
  // Which of a few values a request had says nothing if that value passed as well.
  const certain = sorted.filter(({ subject, id }) => !isOneOfFew(subject) || !passed(id))
  const reported = certain.length > 0 ? certain : sorted
  // If a kind of requests says it all, «any valid request» adds nothing.
  return reported[0] !== undefined && explains(reported[0])
    ? reported.filter(({ subject, id }) => subject.kind !== 'valid' || !passed(id))
    : reported
}

/** Whether an obligation is that a valid request is accepted after a rejected one. */
export const isRecovery = ({ subject }: Obligation): boolean =>
  subject.kind === 'stability' && subject.name === 'recovery'

/** What fails every time does not depend on load, but may depend on a rejection before it on its connection. */
const withoutLoad = (cluster: Cluster): readonly Obligation[] => {
  const { obligations, confirmed } = cluster
  const isAfterRejection = confirmed.incident.testCase.precondition === 'after-rejected'
  const mayStay = (obligation: Obligation): boolean => isAfterRejection && isRecovery(obligation)
  const others =
    confirmed.repeat !== 'flaky'
      ? obligations.filter(obligation => obligation.family !== 'stability' || mayStay(obligation))
      : obligations
  return others.length > 0 ? others : obligations
}

/** Responses are mixed up only with many requests in flight: one request alone does not show it. */
export const pairingCluster = (pairing: Obligation | undefined, stats: RunStats): Cluster | null => {
  const incidents = pairing === undefined ? [] : incidentsOf(stats, pairing.id)
  const [incident] = incidents
  if (incident === undefined || pairing === undefined) return null
  return {
    obligations: [pairing],
    confirmed: { incident, repeat: 'unrepeated', key: 'pairing' },
    incidents: [...incidents],
    key: 'pairing',
    signature: 'pairing',
  }
}

/** The first valid request that the server did not accept any more; `last`: one after the cases. */
export const driftCluster = (
  drift: Obligation | undefined,
  obligations: readonly Obligation[],
  stats: RunStats,
  last: Incident,
): Cluster | null => {
  if (drift === undefined) return null
  const incidents = obligations
    .flatMap(({ id }) => incidentsOf(stats, id))
    .filter(
      ({ testCase, outcome, violation }) =>
        testCase.expectation === 'accept' &&
        violation.id === testCase.obligation.id &&
        // What was rejected in another way before has another reason.
        signature(outcome) === signature(last.outcome),
    )
    .sort((left, right) => left.testCase.number - right.testCase.number)
  const [incident = last] = incidents
  return {
    obligations: [drift],
    confirmed: { incident, repeat: 'unrepeated', key: 'drift' },
    incidents: incidents.length === 0 ? [last] : incidents,
    key: 'drift',
    signature: 'drift',
  }
}

/** Failures that did not come again, one cluster for each outcome: the server does not treat equal requests alike. */
export const flakyClusters = (
  flaky: readonly Cluster[],
  consistency: Obligation | undefined,
): readonly Cluster[] =>
  [...Map.groupBy(flaky, ({ confirmed }) => signature(confirmed.incident.outcome)).values()].map(alike => {
    const [first] = alike as [Cluster, ...Cluster[]]
    const obligations = [
      ...(consistency === undefined ? [] : [consistency]),
      ...alike.flatMap(cluster => cluster.obligations),
    ]
    return {
      ...first,
      obligations: [...new Set(obligations)],
      incidents: alike.flatMap(({ incidents }) => incidents),
    }
  })

/**
 * A crash on input that SHOULD be accepted is an undeclared response, which MUST NOT be. So is a rejection, unless the document declares
 * none at all.
 */
export const promoted = (
  cluster: Cluster,
  declared: Obligation | undefined,
  model: OperationModel,
  policy: StatusPolicy,
): Cluster =>
  // The contract has no say in the response to malformed HTTP, and what ends a chain is that to another operation. Nor is it a crash to close
  // the connection on an unusual way to write HTTP, such as an offer of another protocol.
  cluster.obligations.every(
    ({ level, family, subject }) =>
      level !== 'MUST' &&
      family !== 'response' &&
      subject.kind !== 'state' &&
      family !== 'protocol' &&
      !(subject.kind === 'protocol' && isLost(cluster.confirmed.incident.outcome)),
  ) &&
  declared !== undefined &&
  isUndeclared(model, cluster.confirmed.incident.outcome) &&
  !isOfGap(model, cluster.confirmed.incident, policy)
    ? { ...cluster, obligations: [declared, ...cluster.obligations] }
    : cluster

const isOfGap = (
  { operation }: OperationModel,
  { testCase, outcome }: Incident,
  policy: StatusPolicy,
): boolean => outcome.kind === 'response' && isInGap(operation, testCase, outcome.response.status, policy)

export const isUndeclared = (model: OperationModel, outcome: Outcome): boolean =>
  outcome.kind === 'failure' || model.judgeResponse(outcome.response, undefined).some(isUndeclaredStatus)

export const partition = <T>(all: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] => [
  all.filter(isFirst),
  all.filter(item => !isFirst(item)),
]

/** If a response depends on what came before it on the connection, requests that share one by chance fail now and then. */
export const isOfConnection = ({ incidents, signature }: Cluster, steady: readonly Cluster[]): boolean =>
  steady.some(
    ({ confirmed: { incident }, signature: other }) =>
      other === signature &&
      incident.testCase.precondition !== 'none' &&
      incidents.every(({ testCase }) => testCase.expectation === incident.testCase.expectation),
  )

/** Whether another wrong answer of the same obligation came again. */
export const isOneOfSeveral = ({ obligations }: Cluster, steady: readonly Cluster[]): boolean =>
  obligations.every(obligation => steady.some(other => other.obligations.includes(obligation)))
