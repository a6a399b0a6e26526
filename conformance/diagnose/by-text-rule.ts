import { locationText, type Obligation, type ValueLocation } from '../../spec/index.ts'
import { isSettled } from '../confirm/confirm-incident.ts'
import { isAboutLength } from '../confirm/control.ts'
import { textRule } from '../confirm/undocumented-rules.ts'
import { answerOf, serverWords } from '../judge/server-words.ts'
import { beyondAscii } from './causes.ts'
import type { Cluster } from './cluster.ts'

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
