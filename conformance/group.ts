import type { Obligation } from '../spec/index.ts'
import { type Incident, type Seen, sameSignature } from './observe.ts'

/** Obligations that break for one cause, as far as that shows without further requests. */
export type Group = {
  readonly obligations: readonly Obligation[]
  readonly incidents: readonly Incident[]
  readonly signature: string
}

/**
 * Puts obligations together that were broken in the same way and are all that was tested below one name: every wrong
 * type of `tag`, all malformed JSON, all credentials that are to be refused.
 */
export const groupIncidents = (obligations: readonly Obligation[], seen: Seen): readonly Group[] => {
  const tested = obligations.filter(
    ({ id, family }) =>
      family !== 'answer' && !id.endsWith('/load/pairing') && (seen.sightings.get(id)?.cases ?? 0) > 0,
  )
  const broken = new Map<Obligation, string>()
  for (const obligation of tested) {
    const incidents = seen.sightings.get(obligation.id)?.incidents ?? []
    if (incidents.length > 0) broken.set(obligation, sameSignature(incidents) ?? 'mixed')
  }
  const groups: (readonly Obligation[])[] = []
  let left = [...broken.keys()]
  const take = (siblings: readonly Obligation[]): void => {
    const signatures = new Set(siblings.map(obligation => broken.get(obligation)))
    const whole =
      siblings.length > 1 && signatures.size === 1 && !signatures.has(undefined) && !signatures.has('mixed')
    if (!whole || !siblings.every(obligation => left.includes(obligation))) return
    groups.push(siblings)
    left = left.filter(obligation => !siblings.includes(obligation))
  }
  for (const prefix of prefixes(left)) {
    const inside = tested.filter(({ id }) => id.startsWith(prefix))
    for (const family of ['accept', 'refuse', 'bearer'] as const)
      take(inside.filter(obligation => obligation.family === family && !isExempt(obligation)))
    take(inside.filter(({ subject }) => subject.kind === 'keyword'))
  }
  return [...groups, ...left.map(obligation => [obligation])].map(group => ({
    obligations: group,
    incidents: group.flatMap(({ id }) => seen.sightings.get(id)?.incidents ?? []),
    signature: broken.get(group[0] as Obligation) ?? '',
  }))
}

/** Credentials that are accepted say nothing of those that are refused, and a wrong body is refused by itself. */
const isExempt = ({ subject }: Obligation): boolean =>
  subject.kind === 'credentials' && (subject.accepted || subject.name.endsWith('invalid-body'))

/** `op/request/`, `op/request/body/`, …: the names above the obligations, the shortest first. */
const prefixes = (obligations: readonly Obligation[]): readonly string[] => {
  const found = new Set<string>()
  for (const { id } of obligations)
    for (let at = id.indexOf('/'); at >= 0; at = id.indexOf('/', at + 1)) found.add(id.slice(0, at + 1))
  return [...found].sort((left, right) => left.split('/').length - right.split('/').length)
}
