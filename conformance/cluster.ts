import {
  hasPresent,
  hasValue,
  isOneOfFew,
  type Obligation,
  takesBranch,
  type Unauthenticated,
} from '../spec/index.ts'
import { tellingFirst } from './causes.ts'
import { type Confirmed, isUndeclared, primaryOf } from './findings.ts'
import type { Group } from './group.ts'
import { judgeCase, signature } from './judge-case.ts'
import type { Model } from './model.ts'
import type { Incident, Seen } from './observe.ts'

/** Obligations that break for one cause, and the case that shows it. */
export type Cluster = {
  readonly obligations: Obligation[]
  readonly confirmed: Confirmed
  readonly incidents: Incident[]
  readonly key: string
  readonly signature: string
}

type DriftOptions = {
  readonly model: Model
  readonly policy: Unauthenticated
  readonly drifted: Pick<Incident, 'asked' | 'outcome'> | null
}

export const clusterOf = (
  { obligations, incidents }: Group,
  confirmed: Confirmed,
  speaker: Obligation,
): Cluster => ({
  obligations: [...obligations],
  confirmed,
  incidents: [...incidents],
  // What is not about acceptance differs by its obligation, however alike the requests are.
  key:
    confirmed.incident.asked.expected === 'accepted' &&
    speaker.family !== 'answer' &&
    speaker.family !== 'wire'
      ? confirmed.key
      : `${speaker.id} ${confirmed.key}`,
  signature: signature(confirmed.incident.outcome),
})

export const joinClusters = (into: Cluster, other: Cluster): void => {
  into.obligations.push(...other.obligations.filter(obligation => !into.obligations.includes(obligation)))
  into.incidents.push(...other.incidents)
}

export const bySignature = (incidents: readonly Incident[]): readonly (readonly Incident[])[] => [
  ...Map.groupBy(incidents, ({ outcome, asked }) => `${signature(outcome)} ${asked.expected}`).values(),
]

/** An undeclared status is told once, with the obligations that were answered so. */
export const withAsked = (cluster: Cluster): Cluster => ({
  ...cluster,
  obligations: [
    ...cluster.obligations,
    ...new Set(
      cluster.incidents
        .map(({ asked }) => asked.obligation)
        .filter(({ level, family }) => level !== 'OBSERVE' && family !== 'load'),
    ),
  ],
})

/** What fails every time does not hang on load. */
export const toldOf = ({ obligations, confirmed }: Cluster): readonly Obligation[] => {
  const others =
    confirmed.repeat === 'steady' ? obligations.filter(({ family }) => family !== 'load') : obligations
  return others.length > 0 ? others : obligations
}

/** The obligations that a cluster is told by, the one first that says it best. */
export const tellingOf = (
  cluster: Cluster,
  all: readonly Obligation[],
  model: Model,
  isKept: (id: string) => boolean,
): readonly Obligation[] => {
  const explains = (obligation: Obligation): boolean =>
    cluster.incidents.every(incident => isOf(model, obligation, incident))
  const sorted = tellingFirst(toldOf(cluster), all, isKept, explains)
  // Which of a few a request had says nothing where that was kept as well.
  const certain = sorted.filter(({ subject, id }) => !isOneOfFew(subject) || !isKept(id))
  const told = certain.length > 0 ? certain : sorted
  // Where a kind of them says it all, «any valid request» says no more.
  return told[0] !== undefined && explains(told[0])
    ? told.filter(({ subject, id }) => subject.kind !== 'valid' || !isKept(id))
    : told
}

/** Whether a request is one of those that an obligation about one of a few is about. */
const isOf = (
  { contract, body }: Model,
  { subject }: Obligation,
  { asked: { draft } }: Incident,
): boolean => {
  switch (subject.kind) {
    case 'presence':
      return body !== null && hasPresent(body.root, subject.present, draft.body)
    case 'branch':
      return takesBranch(contract, subject, draft)
    default:
      return subject.kind === 'value' && hasValue(subject, draft)
  }
}

/**
 * Every request has one of a few sets of properties, and one of the values of a short list: what was only seen
 * together with a broken one of these has no cause of its own.
 */
export const foldFew = (
  clusters: readonly Cluster[],
  all: readonly Obligation[],
  model: Model,
  isKept: (id: string) => boolean,
): readonly Cluster[] => {
  const tellerOf = (cluster: Cluster): Obligation => primaryOf(tellingOf(cluster, all, model, isKept))
  // Where each may be the cause of the other, what was kept at other times is not.
  const isRival = (cluster: Cluster, home: Cluster): boolean => {
    const own = tellerOf(cluster)
    return (
      isOneOfFew(own.subject) &&
      home.incidents.every(incident => isOf(model, own, incident)) &&
      (!isKept(own.id) || isKept(tellerOf(home).id))
    )
  }
  return clusters.filter(cluster => {
    const home = clusters.find(other => {
      const teller = tellerOf(other)
      return (
        other !== cluster &&
        other.signature === cluster.signature &&
        isOneOfFew(teller.subject) &&
        (!isKept(teller.id) || isKept(tellerOf(cluster).id)) &&
        other.incidents.every(incident => isOf(model, teller, incident)) &&
        cluster.incidents.every(({ asked }) => asked.expected === 'accepted') &&
        cluster.incidents.every(incident => isOf(model, teller, incident)) &&
        !isRival(cluster, other)
      )
    })
    if (home !== undefined) joinClusters(home, cluster)
    return home === undefined
  })
}

/**
 * What has no cause of its own among the causes that were found: undeclared answers to open questions, random valid
 * requests that fail as a named kind of them does.
 */
export const foldRest = (
  clusters: readonly Cluster[],
  declared: Obligation | undefined,
  valid: Obligation | undefined,
  model: Model,
  isKept: (id: string) => boolean,
): readonly Cluster[] => {
  const isOnly = (cluster: Cluster, obligation: Obligation | undefined): boolean =>
    cluster.obligations[0] === obligation && obligation !== undefined
  // Seen in requests that fail as well as in such that do not, it comes along by chance.
  const isVague = ({ obligations }: Cluster): boolean =>
    obligations.every(({ id, subject }) => isOneOfFew(subject) && isKept(id))
  const isExplained = (cluster: Cluster, home: Cluster): boolean =>
    home.obligations.some(obligation =>
      cluster.incidents.every(incident => isOf(model, obligation, incident)),
    )
  const homeOf = (cluster: Cluster): Cluster | undefined =>
    clusters.find(
      other =>
        other !== cluster &&
        other.signature === cluster.signature &&
        !isOnly(other, declared) &&
        (isVague(cluster)
          ? (valid !== undefined && other.obligations.includes(valid)) || isExplained(cluster, other)
          : !isOnly(other, valid) &&
            !isVague(other) &&
            (!other.obligations.every(({ subject }) => isOneOfFew(subject)) ||
              isExplained(cluster, other))) &&
        (isOnly(cluster, declared) ||
          isVague(cluster) ||
          other.obligations.some(({ family }) => family === 'accept')),
    )
  return clusters.filter(cluster => {
    const loose =
      (isOnly(cluster, declared) && isUndeclared(model, cluster.confirmed.incident.outcome)) ||
      (isOnly(cluster, valid) && cluster.obligations.length === 1) ||
      isVague(cluster)
    const home = loose ? homeOf(cluster) : undefined
    if (home !== undefined) joinClusters(home, cluster)
    return home === undefined
  })
}

/** Mixed-up answers need many requests in flight: one request alone does not show them. */
export const pairingCluster = (pairing: Obligation | undefined, seen: Seen): Cluster | null => {
  const incidents = (pairing === undefined ? undefined : seen.sightings.get(pairing.id)?.incidents) ?? []
  const [incident] = incidents
  if (incident === undefined || pairing === undefined) return null
  const repeat = incidents.length > 1 ? 'steady' : 'flaky'
  return {
    obligations: [pairing],
    confirmed: { incident, repeat, key: 'pairing' },
    incidents: [...incidents],
    key: 'pairing',
    signature: 'pairing',
  }
}

/** The first valid request that the server did not accept any more. */
export const driftCluster = (
  drift: Obligation | undefined,
  obligations: readonly Obligation[],
  seen: Seen,
  { model, drifted, policy }: DriftOptions,
): Cluster | null => {
  const incidents = obligations
    .flatMap(({ id }) => seen.sightings.get(id)?.incidents ?? [])
    .filter(({ asked, flaw }) => asked.expected === 'accepted' && flaw.id === asked.obligation.id)
    .sort((left, right) => left.asked.number - right.asked.number)
  const last = drifted === null ? null : judgeCase(model, drifted.asked, drifted.outcome, policy).own
  const incident =
    incidents[0] ?? (drifted === null || last === null ? undefined : { ...drifted, flaw: last })
  if (incident === undefined || drift === undefined) return null
  return {
    obligations: [drift],
    confirmed: { incident, repeat: 'steady', key: 'drift' },
    incidents,
    key: 'drift',
    signature: 'drift',
  }
}

/** What came once and not again: the server does not answer the same request the same way. */
export const flakyClusters = (
  flaky: readonly Cluster[],
  consistency: Obligation | undefined,
): readonly Cluster[] =>
  [...Map.groupBy(flaky, ({ signature: answered }) => answered).values()].map(rows => {
    const [first] = rows as [Cluster, ...Cluster[]]
    const obligations = [
      ...new Set([
        ...(consistency === undefined ? [] : [consistency]),
        ...rows.flatMap(row => row.obligations),
      ]),
    ]
    return { ...first, obligations, incidents: rows.flatMap(({ incidents }) => incidents) }
  })

/** A crash on what SHOULD be accepted is an answer that MUST NOT be. */
export const promoted = (cluster: Cluster, declared: Obligation | undefined, model: Model): Cluster =>
  // How malformed HTTP is answered is not the contract's business.
  cluster.obligations.every(
    ({ level, family }) => level !== 'MUST' && family !== 'answer' && family !== 'wire',
  ) &&
  declared !== undefined &&
  isUndeclared(model, cluster.confirmed.incident.outcome)
    ? { ...cluster, obligations: [declared, ...cluster.obligations] }
    : cluster
