import type { Obligation } from '../spec/index.ts'
import { bySignature } from './cluster.ts'
import {
  type Confirmed,
  type ConfirmOptions,
  confirm,
  primaryOf,
  smallestFirst,
  unconfirmed,
} from './findings.ts'
import { groupIncidents } from './group.ts'
import type { Incident, Seen } from './observe.ts'
import { signature } from './saying.ts'

/** What came of sending incidents again, by what they are told as. */
export type Confirmations = ReadonlyMap<string, Confirmed>

/** Incidents of answers that are told as one. */
export type Question = {
  readonly key: string
  readonly obligation: Obligation
  readonly isDeclared: boolean
  readonly incidents: readonly Incident[]
}

/** What is wrong with answers beside what was asked: an undeclared status by what it is, and whatever nothing else explains. */
export const questionsOf = (
  obligations: readonly Obligation[],
  seen: Seen,
  explained: ReadonlySet<number>,
): readonly Question[] =>
  obligations
    .filter(({ family }) => family === 'answer')
    .flatMap((obligation): readonly Question[] => {
      const incidents = seen.sightings.get(obligation.id)?.incidents ?? []
      const isDeclared = obligation.subject.kind === 'answer' && obligation.subject.aspect === 'declared'
      if (!isDeclared)
        return incidents.length === 0 ? [] : [{ key: obligation.id, obligation, isDeclared, incidents }]
      return bySignature(incidents.filter(({ asked }) => !explained.has(asked.number))).map(alike => ({
        key: [obligation.id, signature((alike[0] as Incident).outcome), alike[0]?.asked.expected].join(' '),
        obligation,
        isDeclared,
        incidents: alike,
      }))
    })

/** Sends the incidents of one operation again, those of one cause as far as that shows by itself together. */
export const confirmAll = async (
  obligations: readonly Obligation[],
  seen: Seen,
  { hasDrifted, ...options }: ConfirmOptions & { readonly hasDrifted: boolean },
): Promise<Confirmations> => {
  const confirmations = new Map<string, Confirmed>()
  const ask = async (key: string, id: string, incidents: readonly Incident[]): Promise<Confirmed | null> => {
    const confirmed = await confirm(id, incidents, options)
    if (confirmed !== null) confirmations.set(key, confirmed)
    return confirmed
  }
  const explained = new Set<number>()
  for (const group of groupIncidents(obligations, seen)) {
    const { id } = primaryOf(group.obligations)
    const own = group.incidents.filter(({ flaw }) => flaw.id === id)
    if (hasDrifted && isFromDrift(own)) continue
    const confirmed = await ask(id, id, own)
    // Whether one that may be spent explains anything is known when all was seen.
    if (confirmed !== null && !isSpent(confirmed))
      for (const { asked } of group.incidents) explained.add(asked.number)
  }
  for (const { key, obligation, isDeclared, incidents } of questionsOf(obligations, seen, explained))
    if (!hasDrifted || !isDeclared) await ask(key, obligation.id, incidents)
  return confirmations
}

/** What came of these incidents; what was not sent again counts as what did not come again. Null where there are none. */
export const confirmedOf = (
  confirmations: Confirmations,
  key: string,
  incidents: readonly Incident[],
): Confirmed | null =>
  incidents.length === 0 ? null : (confirmations.get(key) ?? unconfirmed([...incidents].sort(smallestFirst)))

/** Whether all of these are what a server does that has given out. */
export const isFromDrift = (incidents: readonly Incident[]): boolean =>
  incidents.every(({ asked, outcome }) => asked.expected === 'accepted' || signature(outcome) >= '5')

/** A refused edge tells nothing where it may be a duplicate. */
export const isSpent = ({ incident: { asked, outcome } }: Confirmed): boolean =>
  asked.expected === 'accepted' &&
  !asked.draft.renewable &&
  asked.obligation.subject.kind === 'value' &&
  outcome.kind === 'answer' &&
  outcome.answer.status >= 400 &&
  outcome.answer.status < 500
