import { locationText, type Obligation, type ObligationId, type ValueLocation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isSettled } from '../confirm/confirm-incident.ts'
import { isAboutLength } from '../confirm/control.ts'
import type { Tellers } from '../confirm/failed-kinds.ts'
import { primaryOf } from '../confirm/group.ts'
import { textRule } from '../confirm/undocumented-rules.ts'
import { hasPassed, type RunStats } from '../judge/run-stats.ts'
import { answerOf, serverWords } from '../judge/server-words.ts'
import { beyondAscii } from './causes.ts'
import { type Cluster, isOfKind, partition } from './cluster.ts'
import { noteTeller } from './not-repeated.ts'

/**
 * Joins what failed for one rule that the document does not have, whatever the cases are about: any valid request is what failed. What
 * another cluster tells better is excused.
 */
export const byUndocumentedRule = (
  clusters: readonly Cluster[],
  valid: Obligation | undefined,
  model: OperationModel,
  stats: RunStats,
  excused: Map<string, string>,
  tellers: Tellers,
  met: ReadonlySet<ObligationId>,
): { readonly ruled: readonly Cluster[]; readonly others: readonly Cluster[] } => {
  const keys = new Set(clusters.map(({ confirmed: { rule } }) => rule?.key))
  const explained = new Set(
    clusters.flatMap(cluster => (isExplained(cluster, valid) ? [answerOf(cluster.confirmed.incident)] : [])),
  )
  /** The id of what tells it better; null if nothing does. */
  const teller = ({ confirmed: { rule }, obligations }: Cluster): ObligationId | null => {
    const { isToldBy = null } = rule ?? {}
    const isTold = clusters.some(
      other => other.confirmed.rule === undefined && other.obligations.some(({ id }) => id === isToldBy),
    )
    if (isTold && !obligations.some(({ id }) => id === isToldBy)) return isToldBy
    if (rule?.answer !== undefined && explained.has(rule.answer)) return valid?.id ?? null
    return rule?.parts.some(part => keys.has(part)) ? (valid?.id ?? null) : null
  }
  const [told, untold] = partition(clusters, cluster => teller(cluster) !== null)
  const excuse = (id: ObligationId, by: ObligationId): void => {
    if (!hasPassed(stats, id) && !met.has(id))
      excused.set(id, `its requests were rejected for another reason: see ${by}`)
  }
  for (const cluster of told) {
    const by = teller(cluster)
    if (by === null) continue
    noteTeller(cluster, by, tellers)
    for (const { id } of cluster.obligations) excuse(id, by)
  }
  const groups = Map.groupBy(untold, ({ confirmed }) => confirmed.rule?.key ?? null)
  const ruled: Cluster[] = []
  const others: Cluster[] = [...(groups.get(null) ?? [])]
  for (const [key, alike] of groups) {
    if (key === null) continue
    const obligations = new Set(alike.flatMap(cluster => cluster.obligations))
    const [first] = alike.toSorted(
      (left, right) => Number(isCombined(left)) - Number(isCombined(right)) || sizeOf(left) - sizeOf(right),
    )
    const incidents = alike.flatMap(cluster => cluster.incidents)
    // A property that all of them have, and that no accepted request has, says it better, and so does having none.
    const isOfValue = alike.some(({ confirmed }) => confirmed.rule?.isOfValue === true)
    const kind = [...(isOfValue ? [] : obligations)].find(
      obligation =>
        obligation.subject.kind === 'presence' &&
        obligation.subject.present.length < 2 &&
        !hasPassed(stats, obligation.id) &&
        incidents.every(incident => isOfKind(model, obligation, incident)),
    )
    if (kind !== undefined && first?.confirmed.rule?.answer !== undefined) {
      for (const { id } of obligations) if (id !== kind.id) excuse(id, kind.id)
      for (const each of alike) noteTeller(each, kind.id, tellers)
      continue
    }
    if (valid === undefined || first?.confirmed.rule === undefined || kind !== undefined) {
      others.push(...alike.map(withoutRule))
      continue
    }
    const { confirmed } = first
    const { title, answer } = first.confirmed.rule
    // A rule that shows only with values which a server need not accept is no more than that.
    const isOfShould = answer === undefined && [...obligations].every(({ level }) => level !== 'MUST')
    const main = isOfShould ? primaryOf([...obligations]) : valid
    const beside = [...obligations].map(({ id }) => id).filter(id => id !== main.id && !met.has(id))
    // What is rejected whatever the cases are about shows nothing of these.
    for (const id of answer === undefined ? [] : beside) excuse(id, main.id)
    const { incident } = confirmed
    const violation = { ...incident.violation, id: main.id, title }
    ruled.push({
      obligations: [main],
      also: answer === undefined ? beside : [],
      confirmed: { ...confirmed, incident: { ...incident, violation } },
      incidents,
      key,
      signature: first.signature,
    })
  }
  return { ruled, others }
}

/** Whether a cluster says of any valid request why it is rejected. */
const isExplained = (
  { obligations, confirmed: { rule, incident } }: Cluster,
  valid: Obligation | undefined,
): boolean =>
  rule === undefined
    ? valid !== undefined && obligations[0] === valid && incident.testCase.expectation === 'accept'
    : rule.answer === undefined && rule.isToldBy === undefined

/** Then the rule is not what a finding is about. */
const withoutRule = ({ confirmed: { rule: _, ...confirmed }, ...cluster }: Cluster): Cluster => ({
  ...cluster,
  confirmed,
})

const isCombined = ({ confirmed: { rule } }: Cluster): boolean => rule?.isCombined === true

const sizeOf = ({ confirmed: { incident } }: Cluster): number =>
  (incident.testCase.request.body?.length ?? 0) + incident.testCase.request.target.length

/** So many kinds of text in ASCII that are rejected at one place with the same words are rejected for one rule. */
const fewestKinds = 3

/** Gives each cluster of a text its rule, if the server says the same of other texts at that place. */
export const byTextRule = (clusters: readonly Cluster[]): readonly Cluster[] => {
  const keyOf = (cluster: Cluster): string | null => {
    const location = textLocationOf(cluster)
    return location === null ? null : `${locationText(location)} ${answerOf(cluster.confirmed.incident)}`
  }
  const groups = Map.groupBy(
    clusters.filter(({ confirmed }) => isSettled(confirmed)),
    keyOf,
  )
  return clusters.map(cluster => {
    const { confirmed } = cluster
    const alike = groups.get(keyOf(cluster)) ?? []
    const location = textLocationOf(cluster)
    const kinds = new Set(alike.flatMap(({ obligations }) => obligations.flatMap(asciiKindOf)))
    const isOfRule = kinds.size >= fewestKinds || alike.some(each => each.confirmed.rule !== undefined)
    return location === null || !isSettled(confirmed) || confirmed.rule !== undefined || !isOfRule
      ? cluster
      : { ...cluster, confirmed: { ...confirmed, rule: textRule(location, confirmed.incident) } }
  })
}

const asciiKindOf = ({ subject }: Obligation): readonly string[] =>
  subject.kind === 'value' && !beyondAscii.includes(subject.name) ? [subject.name] : []

/** The place of the texts that a cluster is about; null if it is about anything else, or the server does not say why it rejects them. */
const textLocationOf = ({ obligations, confirmed: { incident, rule } }: Cluster): ValueLocation | null => {
  if (serverWords(incident) === '' || rule?.answer !== undefined) return null
  const locations = obligations.map(({ subject }) =>
    subject.kind === 'value' && !isAboutLength(subject) && subject.texts.every(text => text.startsWith('"'))
      ? subject.location
      : null,
  )
  const [first] = locations
  return first != null && locations.every(each => each !== null && locationText(each) === locationText(first))
    ? first
    : null
}
