import type { Contract } from '../contract/contract.ts'
import type { Pointer } from '../json/pointer.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { patternFilter } from '../obligations/selection.ts'
import type { InterfaceClause } from '../openapi/rules-file.ts'
import { documentClauses } from './document-clauses.ts'

/** A clause of a contract, with the obligations that cover it. */
export type RecordedClause = {
  readonly id: string
  /** Its place: a heading of the interface document, or file and line of the OpenAPI document. */
  readonly at: string
  readonly text: string
  /** The ids of the obligations that cover it, in the order of the contract. */
  readonly obligations: readonly string[]
  /** Why there are none; null if there are some. */
  readonly reason: string | null
}

/**
 * Every clause of the interface document with the obligations that cover it; or of the OpenAPI document itself, if no rules
 * file lists others. An obligation covers the clauses of the nearest place around its own, and those that name it.
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
    for (const { clause: found } of nearestOf(byPlace, clause.pointer)) covered.get(found)?.add(id)
  for (const clause of clauses) {
    const named = clause.obligations.map(patternFilter)
    const nearest = covered.get(clause)
    if (named.length === 0) continue
    const covers = ({ id }: Obligation): boolean => nearest?.has(id) === true || named.some(is => is(id))
    covered.set(clause, new Set(obligations.filter(covers).map(({ id }) => id)))
  }
  return clauses.map(clause => {
    const covering = covered.get(clause) ?? new Set<string>()
    return {
      id: clause.id,
      at: clause.at,
      text: clause.text,
      obligations: [...covering],
      reason: covering.size > 0 ? null : (clause.untestable ?? uncovered),
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
