import type { Entry } from '../middleware/journal-entry.ts'
import { exercisedBy, type JudgeOptions } from './exercised.ts'
import type { Violation, ViolationDetails } from './messages.ts'
import { placeText } from './place-text.ts'
import type { ServedOperation } from './served-operations.ts'

/**
 * A violation with its requirement. Some violations stand for a group of obligations (`…/body/json`, or
 * `…/content-type/undeclared` beside its members): then `id` and requirement are those of the member that the request
 * exercises. There is no requirement if the operation is no longer served.
 */
export const violationDetailsOf = (
  violation: Violation,
  entry: Entry,
  served: ServedOperation | undefined,
  options: JudgeOptions,
): ViolationDetails => {
  if (served === undefined) return { ...violation, requirement: null, place: null }
  const { id } = violation
  const obligations = served.obligations()
  const startingWith = (prefix: string) => obligations.filter(obligation => obligation.id.startsWith(prefix))
  const members = startingWith(`${id}/`)
  const candidates = members.length > 0 ? members : startingWith(id.slice(0, id.lastIndexOf('/') + 1))
  const obligation =
    obligations.find(obligation => obligation.id === id) ?? exercisedBy(entry, candidates, served, options)[0]
  const source = obligation ?? members[0]
  return {
    ...violation,
    id: obligation?.id ?? id,
    requirement: obligation?.requirement ?? null,
    place: source === undefined ? null : placeText(served.contract, source.clause.pointer),
  }
}
