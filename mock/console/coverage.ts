import type { Journal } from '../middleware/journal.ts'
import { exercisedBy, type JudgeOptions } from './exercised.ts'
import type { Coverage } from './messages.ts'
import type { ServedOperation } from './served-operations.ts'

export type CoverageOptions = JudgeOptions & {
  readonly journal: Journal
  /** The operation with this id; undefined: none is served any more. */
  readonly operationOf: (id: string) => ServedOperation | undefined
}

/** Tracks which parts of the contract the requests so far have exercised. */
export type CoverageTracker = { readonly report: () => Coverage; readonly clear: () => void }

type Tally = { readonly statuses: Map<number, number>; readonly exercised: Set<string> }

/**
 * Responses and violations are counted as they happen, which costs next to nothing. All other exercised obligations are
 * computed when a report is requested, from the requests that the journal still has.
 */
export const createCoverage = (options: CoverageOptions): CoverageTracker => {
  const { operationOf, journal } = options
  const tallies = new Map<string, Tally>()
  let undeclared = 0
  let lastExamined = 0
  journal.listen(({ operation, status, violations }) => {
    if (operation === null) {
      undeclared += 1
      return
    }
    const { statuses, exercised } = tallies.get(operation) ?? addTally(tallies, operation)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const { id } of violations) exercised.add(id)
  })
  const examineNewEntries = (): void => {
    for (const entry of journal.entries()) {
      const operation = operationOf(entry.operation ?? '')
      const tally = tallies.get(entry.operation ?? '')
      if (entry.number <= lastExamined || operation === undefined || tally === undefined) continue
      const candidates = operation.obligations().filter(({ id }) => !tally.exercised.has(id))
      for (const { id } of exercisedBy(entry, candidates, operation, options)) tally.exercised.add(id)
    }
    lastExamined = journal.entries().at(-1)?.number ?? lastExamined
  }
  return {
    report: () => {
      examineNewEntries()
      return {
        undeclared,
        operations: Object.fromEntries(
          [...tallies].map(([id, { statuses, exercised }]) => [
            id,
            {
              requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
              statuses: Object.fromEntries(statuses),
              exercised: [...exercised],
            },
          ]),
        ),
      }
    },
    clear: () => {
      tallies.clear()
      undeclared = 0
    },
  }
}

const addTally = (tallies: Map<string, Tally>, operation: string): Tally => {
  const tally = { statuses: new Map<number, number>(), exercised: new Set<string>() }
  tallies.set(operation, tally)
  return tally
}
