import { isBelow, type ObligationPath, pathOf } from '../../spec/index.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { shownViolations } from '../middleware/shown-violations.ts'
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
  { id, code, message }: Violation,
  entry: Entry,
  served: ServedOperation | undefined,
  options: JudgeOptions,
): ViolationDetails => {
  const violation = shownViolations(entry).find(each => each.id === id)
  if (served === undefined || violation === undefined)
    return { id, code, message, requirement: null, place: null }
  const path = pathOf(violation.subject)
  const obligations = served.obligations()
  const below = (above: ObligationPath) =>
    obligations.filter(({ subject }) => isBelow(pathOf(subject), above))
  const members = below(path)
  const candidates = members.length > 0 ? members : below(path.slice(0, -1))
  const obligation =
    obligations.find(obligation => obligation.id === id) ?? exercisedBy(entry, candidates, served, options)[0]
  const source = obligation ?? members[0]
  return {
    code,
    message,
    id: obligation?.id ?? id,
    requirement: obligation?.requirement ?? null,
    place: source === undefined ? null : placeText(served.contract, source.clause.pointer),
  }
}
