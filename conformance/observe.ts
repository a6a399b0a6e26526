import type { Flaw, Obligation, Outcome, Verdict } from '../spec/index.ts'
import { beyondPlan, type Case } from './case.ts'
import { cellOf } from './cell.ts'
import { signature } from './saying.ts'

/** A case with an outcome that shows an obligation broken. */
export type Incident = { readonly asked: Case; readonly outcome: Outcome; readonly flaw: Flaw }

/** What was seen of one obligation. */
export type Sighting = {
  cases: number
  /** Cases that showed it broken; the first of them are kept as incidents. */
  failed: number
  readonly incidents: Incident[]
}

/** All that a run has seen so far. */
export type Seen = {
  readonly sightings: Map<string, Sighting>
  /** For the open questions: what was said, in short, and how often. */
  readonly said: Map<string, Map<string, number>>
}

export const createSeen = (): Seen => ({ sightings: new Map(), said: new Map() })

export const sightingOf = (record: Seen, id: string): Sighting => {
  const known = record.sightings.get(id)
  if (known !== undefined) return known
  const made: Sighting = { cases: 0, failed: 0, incidents: [] }
  record.sightings.set(id, made)
  return made
}

/**
 * At most this many incidents of one obligation are kept for each cell, the first of its plan: memory stays flat on a
 * server that fails always, and who sends a cell by itself keeps the same as who sends them all.
 */
const keptIncidents = 40

export const addIncident = (record: Seen, incident: Incident): void => {
  const sighting = sightingOf(record, incident.flaw.id)
  const { incidents } = sighting
  sighting.failed += 1
  incidents.push(incident)
  const sender = senderOf(incident.asked)
  const own = incidents.filter(({ asked }) => senderOf(asked) === sender)
  if (own.length <= keptIncidents) return
  const last = own.reduce((left, right) => (right.asked.number >= left.asked.number ? right : left))
  incidents.splice(incidents.indexOf(last), 1)
}

// What is sent beyond the plan is sent for another obligation than its own.
const senderOf = ({ obligation, number }: Case): string =>
  number >= beyondPlan ? 'beyond the plan' : cellOf(obligation)

/** Adds what others have seen. */
export const addSightings = (record: Seen, { sightings, said }: Seen): void => {
  for (const [id, { cases, failed, incidents }] of sightings) {
    const own = sightingOf(record, id)
    own.cases += cases
    own.failed += failed
    own.incidents.push(...incidents)
  }
  for (const [id, sayings] of said) for (const [what, count] of sayings) addSaying(record, id, what, count)
}

/** What was seen, whatever order the answers came in, as if they had come in the order of the plan. */
export const inOrderOfPlan = ({ sightings, said }: Seen): Seen => ({
  said,
  sightings: new Map(
    [...sightings].map(([id, sighting]) => [
      id,
      {
        ...sighting,
        incidents: sighting.incidents.toSorted((left, right) => left.asked.number - right.asked.number),
      },
    ]),
  ),
})

/** Whether some case showed it kept. */
export const wasKept = (seen: Seen, id: string): boolean => {
  const sighting = seen.sightings.get(id)
  return sighting !== undefined && sighting.cases > sighting.failed
}

export const addSaying = (record: Seen, id: string, what: string, count = 1): void => {
  const sayings = record.said.get(id) ?? new Map<string, number>()
  sayings.set(what, (sayings.get(what) ?? 0) + count)
  record.said.set(id, sayings)
}

/** What was said of an open question. */
export const saidOf = (seen: Seen, id: string): readonly string[] => [...(seen.said.get(id)?.keys() ?? [])]

export const observedVerdict = (record: Seen, id: string): Verdict | null => {
  const sayings = record.said.get(id)
  if (sayings === undefined) return null
  const sorted = [...sayings].sort(([left], [right]) => left.localeCompare(right))
  const cases = sorted.reduce((sum, [, count]) => sum + count, 0)
  return {
    kind: 'observed',
    cases,
    what: sorted.map(([what, count]) => (sorted.length > 1 ? `${what} (${count})` : what)).join(' · '),
  }
}

/** Obligations that are judged on every answer, by what they are about. */
export const answerObligationsOf = (obligations: readonly Obligation[]) => {
  const answers = obligations.flatMap(({ id, subject }) =>
    subject.kind === 'answer' ? [{ id, subject }] : [],
  )
  const always = answers.filter(({ subject }) => subject.aspect === 'declared').map(({ id }) => id)
  const byClause = new Map<
    string,
    { readonly ids: string[]; readonly echoes: { readonly id: string; readonly name: string }[] }
  >()
  const challenges = answers.flatMap(({ id, subject }) =>
    subject.aspect === 'challenge' ? [{ id, asked: subject.asked }] : [],
  )
  for (const { id, subject } of answers) {
    if (subject.aspect === 'declared' || subject.aspect === 'challenge') continue
    const own = byClause.get(subject.status) ?? { ids: [], echoes: [] }
    if (subject.aspect === 'echo') own.echoes.push({ id, name: subject.name })
    else own.ids.push(id)
    byClause.set(subject.status, own)
  }
  return { always, byClause, challenges }
}

export const sameSignature = (incidents: readonly Incident[]): string | null => {
  const found = new Set(incidents.map(({ outcome }) => signature(outcome)))
  return found.size === 1 ? ([...found][0] ?? null) : null
}
