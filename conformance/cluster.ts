import { isOneOfFew, type Obligation, type Unauthenticated } from '../spec/index.ts'
import { tellingFirst } from './causes.ts'
import { type Confirmed, isUndeclared } from './findings.ts'
import type { Group } from './group.ts'
import { judgeCase } from './judge-case.ts'
import { isOf } from './kin.ts'
import type { Model } from './model.ts'
import type { Incident, Seen } from './observe.ts'
import { signature } from './saying.ts'

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
        .filter(({ level, family }) => level !== 'OBSERVE' && family !== 'load' && family !== 'open'),
    ),
  ],
})

/** What fails every time does not hang on load. */
export const toldOf = ({ obligations, confirmed }: Cluster): readonly Obligation[] => {
  const others =
    confirmed.repeat === 'steady' ? obligations.filter(({ family }) => family !== 'load') : obligations
  return others.length > 0 ? others : obligations
}

/** Whether all that was seen is of the kind that an obligation is about. */
export const isExplained = ({ incidents }: Cluster, obligation: Obligation, model: Model): boolean =>
  incidents.every(incident => isOf(model, obligation, incident))

/** The obligations that a cluster is told by, the one first that says it best. */
export const tellingOf = (
  cluster: Cluster,
  all: readonly Obligation[],
  model: Model,
  isKept: (id: string) => boolean,
): readonly Obligation[] => {
  const explains = (obligation: Obligation): boolean => isExplained(cluster, obligation, model)
  const sorted = tellingFirst(toldOf(cluster), all, isKept, explains)
  // Which of a few a request had says nothing where that was kept as well.
  const certain = sorted.filter(({ subject, id }) => !isOneOfFew(subject) || !isKept(id))
  const told = certain.length > 0 ? certain : sorted
  // Where a kind of them says it all, «any valid request» says no more.
  return told[0] !== undefined && explains(told[0])
    ? told.filter(({ subject, id }) => subject.kind !== 'valid' || !isKept(id))
    : told
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
