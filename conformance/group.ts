import type { Obligation } from '../spec/index.ts'
import type { Incident, Seen } from './observe.ts'
import { sameSignature } from './observe.ts'

/** Obligations that break for one cause, as far as that shows without further requests. */
export type Group = {
  readonly obligations: readonly Obligation[]
  readonly incidents: readonly Incident[]
  readonly signature: string
}

/** Faults of credentials that follow from a broader one: who takes any token takes a token that was cut. */
const follows: Readonly<Record<string, readonly string[]>> = {
  'absent-invalid-body': ['absent'],
  'sticky-connection': ['absent'],
  'sticky-connection-token': ['wrong-token'],
  'wrong-token-invalid-body': ['wrong-token'],
  'token-changed': ['wrong-token'],
  'token-cut': ['wrong-token'],
  'token-lengthened': ['wrong-token'],
  'token-letter-case': ['wrong-token'],
  'two-tokens': ['wrong-token', 'token-lengthened'],
  spaces: ['scheme-alone'],
  'scheme-alone': ['empty'],
  'wrong-scheme-basic': ['wrong-scheme'],
  'wrong-scheme-digest': ['wrong-scheme'],
  'wrong-scheme-token': ['wrong-scheme'],
  'wrong-scheme-prefix': ['joined'],
}

/**
 * Puts obligations together that were broken in the same way: all that lie below one name (every wrong type of `tag`,
 * all malformed JSON), and what follows from a broader fault.
 */
export const groupIncidents = (obligations: readonly Obligation[], record: Seen): readonly Group[] => {
  const tested = obligations.filter(
    ({ id, family }) => family !== 'answer' && (record.sightings.get(id)?.cases ?? 0) > 0,
  )
  const broken = new Map<Obligation, string>()
  for (const obligation of tested) {
    const incidents = record.sightings.get(obligation.id)?.incidents ?? []
    if (incidents.length > 0) broken.set(obligation, sameSignature(incidents) ?? 'mixed')
  }
  const groups: Obligation[][] = []
  let left = [...broken.keys()]
  for (const prefix of prefixes(left)) {
    const inside = (obligation: Obligation): boolean => obligation.id.startsWith(prefix)
    for (const family of ['accept', 'refuse', 'bearer'] as const) {
      const siblings = tested.filter(
        obligation => inside(obligation) && obligation.family === family && !isAcceptedCredential(obligation),
      )
      const signatures = new Set(siblings.map(obligation => broken.get(obligation)))
      const whole =
        siblings.length > 1 && signatures.size === 1 && !signatures.has(undefined) && !signatures.has('mixed')
      if (!whole || !siblings.every(obligation => left.includes(obligation))) continue
      groups.push(siblings)
      left = left.filter(obligation => !siblings.includes(obligation))
    }
  }
  for (const obligation of left) {
    const broader = groups.find(group =>
      group.some(other => isFollowed(obligation, other) && broken.get(other) === broken.get(obligation)),
    )
    const later = left.find(
      other => isFollowed(obligation, other) && broken.get(other) === broken.get(obligation),
    )
    if (broader !== undefined) broader.push(obligation)
    else if (later === undefined) groups.push([obligation])
    else {
      const home = groups.find(group => group.includes(later))
      if (home !== undefined) home.push(obligation)
      else groups.push([later, obligation])
    }
  }
  return merged(groups).map(group => ({
    obligations: group,
    incidents: group.flatMap(({ id }) => record.sightings.get(id)?.incidents ?? []),
    signature: broken.get(group[0] as Obligation) ?? '',
  }))
}

const isAcceptedCredential = ({ subject }: Obligation): boolean =>
  subject.kind === 'credentials' && subject.accepted

const isFollowed = (obligation: Obligation, broader: Obligation): boolean =>
  obligation.operation === broader.operation &&
  obligation.subject.kind === 'credentials' &&
  broader.subject.kind === 'credentials' &&
  (follows[obligation.subject.name] ?? []).includes(broader.subject.name)

/** Groups that share an obligation are one; the obligations of each in the order of the contract. */
const merged = (groups: readonly Obligation[][]): readonly (readonly Obligation[])[] => {
  const found: Obligation[][] = []
  for (const group of groups) {
    const home = found.find(other => other.some(obligation => group.includes(obligation)))
    if (home === undefined) found.push([...new Set(group)])
    else home.push(...group.filter(obligation => !home.includes(obligation)))
  }
  return found
}

/** `op/request/`, `op/request/body/`, …: the names above the obligations, the shortest first. */
const prefixes = (obligations: readonly Obligation[]): readonly string[] => {
  const found = new Set<string>()
  for (const { id } of obligations)
    for (let at = id.indexOf('/'); at >= 0; at = id.indexOf('/', at + 1)) found.add(id.slice(0, at + 1))
  return [...found].sort((left, right) => left.split('/').length - right.split('/').length)
}
