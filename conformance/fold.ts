import { isOneOfFew, type Obligation } from '../spec/index.ts'
import { isOfLength } from './causes.ts'
import { type Cluster, isExplained, joinClusters, tellingOf } from './cluster.ts'
import { isUndeclared, primaryOf } from './findings.ts'
import { isOf } from './kin.ts'
import type { Model } from './model.ts'
import type { Seen } from './observe.ts'

/**
 * Where valid requests of no kind in particular fail, some of the few cases of many kinds all fail by chance, and what
 * is sent under load fails as well: these have no cause of their own.
 */
export const foldChance = (
  clusters: readonly Cluster[],
  valid: Obligation | undefined,
  all: readonly Obligation[],
  model: Model,
  seen: Seen,
): readonly Cluster[] => {
  const home = clusters.find(({ obligations }) => valid !== undefined && obligations[0] === valid)
  if (home === undefined) return clusters
  const sumOf = (rows: readonly Obligation[], what: 'cases' | 'failed'): number =>
    rows.reduce((sum, { id }) => sum + (seen.sightings.get(id)?.[what] ?? 0), 0)
  const rateOf = (rows: readonly Obligation[]): number =>
    sumOf(rows, 'failed') / Math.max(1, sumOf(rows, 'cases'))
  const isAny = ({ subject }: Obligation): boolean => subject.kind === 'valid' || isOneOfFew(subject)
  const tested = all.filter(own => isAny(own) && sumOf([own], 'cases') > 0)
  const alike = clusters.filter(
    ({ signature, obligations }) => signature === home.signature && obligations.every(isAny),
  )
  const isChance = (cluster: Cluster): boolean => {
    const others = alike.filter(other => other !== cluster).flatMap(({ incidents }) => incidents)
    const apart = others.filter(
      incident => !cluster.obligations.some(obligation => isOf(model, obligation, incident)),
    )
    const beside = tested.filter(own => !cluster.obligations.includes(own))
    // Kinds of the same sort are made alike, and so fail by chance alike.
    const kinds = new Set(cluster.obligations.map(({ subject }) => subject.kind))
    const kindred = beside.filter(({ subject }) => kinds.has(subject.kind))
    const failing = Math.max(rateOf(beside), rateOf(kindred))
    const least = Math.min(...cluster.obligations.map(own => sumOf([own], 'cases')))
    return apart.length * 8 > others.length && tested.length * failing ** least > likely
  }
  const isLoad = ({ obligations, signature }: Cluster): boolean =>
    signature === home.signature && obligations.every(({ family }) => family === 'load')
  const folded = clusters.filter(
    cluster => cluster !== home && (isLoad(cluster) || (alike.includes(cluster) && isChance(cluster))),
  )
  for (const cluster of folded) joinClusters(home, cluster)
  return clusters.filter(cluster => !folded.includes(cluster))
}

/** How many kinds have to be expected to fail by chance for one that fails to be put down to it. */
const likely = 0.2

/**
 * Every request has one of a few sets of properties, and one of the values of a short list, and many have a number
 * that is common: what was only seen together with a broken one of these has no cause of its own.
 */
export const foldFew = (
  clusters: readonly Cluster[],
  all: readonly Obligation[],
  model: Model,
  isKept: (id: string) => boolean,
): readonly Cluster[] => {
  const tellerOf = (cluster: Cluster): Obligation => primaryOf(tellingOf(cluster, all, model, isKept))
  const isCommon = ({ subject, id }: Obligation): boolean =>
    isOneOfFew(subject) || (subject.kind === 'value' && !isKept(id))
  // Where each may be the cause of the other, what was kept at other times is not.
  const isRival = (cluster: Cluster, home: Cluster): boolean => {
    const [own, teller] = [tellerOf(cluster), tellerOf(home)]
    return (
      (isOneOfFew(own.subject) || !isOneOfFew(teller.subject)) &&
      isExplained(cluster, own, model) &&
      isExplained(home, own, model) &&
      (!isKept(own.id) || isKept(teller.id)) &&
      !(own.subject.kind === 'presence' && isOfLength(teller))
    )
  }
  return clusters.filter(cluster => {
    const home = clusters.find(other => {
      const teller = tellerOf(other)
      return (
        other !== cluster &&
        other.signature === cluster.signature &&
        isCommon(teller) &&
        (!isKept(teller.id) || isKept(tellerOf(cluster).id)) &&
        isExplained(other, teller, model) &&
        isExplained(cluster, teller, model) &&
        cluster.incidents.every(({ asked }) => asked.expected === 'accepted') &&
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
  const comesFrom = (cluster: Cluster, home: Cluster): boolean =>
    home.obligations.some(obligation => isExplained(cluster, obligation, model))
  const homeOf = (cluster: Cluster): Cluster | undefined =>
    clusters.find(
      other =>
        other !== cluster &&
        other.signature === cluster.signature &&
        !isOnly(other, declared) &&
        (isVague(cluster)
          ? (valid !== undefined && other.obligations.includes(valid)) || comesFrom(cluster, other)
          : !isOnly(other, valid) &&
            !isVague(other) &&
            (!other.obligations.every(({ subject }) => isOneOfFew(subject)) || comesFrom(cluster, other))) &&
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
