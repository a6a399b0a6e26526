import type { Entry, Ledger } from '../../spec/index.ts'
import { isStrict, needingLook, type Status, statusOf } from './status.ts'

/** What needs a look comes first. What was not tested comes last: it is listed by its reasons. */
const order: readonly Status[] = [...needingLook, 'observed', 'passed', 'untested']

/**
 * The ids of the requirements that a report lists: all, or of a large contract those that say most, so that passed ones give way. `room`:
 * how many characters they may take; `sizeOf`: how many one takes.
 */
export const sayMost = (
  ledger: Ledger,
  room: number,
  sizeOf: (entry: Entry) => number,
): ReadonlySet<string> => {
  const strict = isStrict(ledger)
  const groups = Map.groupBy(ledger.entries, entry => statusOf(entry, strict))
  const ids = new Set<string>()
  let left = room
  for (const entry of order.flatMap(status => groups.get(status) ?? [])) {
    left -= sizeOf(entry)
    if (left < 0) break
    ids.add(entry.obligation.id)
  }
  return ids
}
