import type { Contract } from './contract.ts'
import { documentClauses } from './document-clauses.ts'
import type { Obligation } from './obligation.ts'
import type { Pointer } from './pointer.ts'
import type { InterfaceClause } from './rules.ts'
import { namedBy } from './selection.ts'

/** A clause that a contract rests on, with what holds a server to it. */
export type RecordedClause = {
  readonly id: string
  /** Where it stands: a heading of the interface document, or file and line of the OpenAPI document. */
  readonly at: string
  readonly text: string
  /** The ids of the obligations that cover it, in the order of the contract. */
  readonly obligations: readonly string[]
  /** Why there are none; null where there are. */
  readonly because: string | null
}

/**
 * Every clause of the interface document with the obligations that cover it; of the OpenAPI document itself where no
 * rules file lists others. An obligation covers the clauses that name the nearest place around its own, and those
 * that name it.
 */
export const traceOf = (
  contract: Contract,
  obligations: readonly Obligation[],
): readonly RecordedClause[] => {
  const clauses = contract.clauses ?? documentClauses(contract)
  const byPlace = Map.groupBy(
    clauses.flatMap(clause => clause.places.map(place => ({ place, clause }))),
    ({ place }) => place,
  )
  const covered = new Map<InterfaceClause, Set<string>>(clauses.map(clause => [clause, new Set()]))
  for (const { id, clause } of obligations)
    for (const { clause: own } of nearestOf(byPlace, clause.pointer)) covered.get(own)?.add(id)
  const ids = obligations.map(({ id }) => id)
  for (const clause of clauses)
    for (const pattern of clause.obligations)
      for (const id of ids.filter(namedBy(pattern))) covered.get(clause)?.add(id)
  return clauses.map(clause => {
    const own = covered.get(clause) ?? new Set()
    return {
      id: clause.id,
      at: clause.at,
      text: clause.text,
      obligations: ids.filter(id => own.has(id)),
      because: own.size > 0 ? null : (clause.untestable ?? uncovered),
    }
  })
}

const uncovered = 'no obligation of this run covers it'

const nearestOf = <T>(byPlace: ReadonlyMap<Pointer, readonly T[]>, pointer: Pointer): readonly T[] => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = byPlace.get(at)
    if (found !== undefined) return found
    if (at === '') return []
  }
}
