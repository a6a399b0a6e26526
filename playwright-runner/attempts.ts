import { type Evidence, mergeShards, readEvidence } from '../conformance/index.ts'
import { type Contract, foldLedger, type Ledger, type NoteEvent } from '../spec/index.ts'
import { countedOf } from './complaint.ts'

/**
 * The ledger of tests that each sent a cell, some of them more than once. The last attempt counts; what an earlier one
 * showed broken and the last did not is told as flaky. Throws PartError.
 */
export const ledgerOf = (contract: Contract, tests: readonly (readonly (string | null)[])[]): Ledger => {
  const cells = new Map<string, Evidence>()
  const notes: NoteEvent[] = []
  for (const attempts of tests) {
    const parts = attempts.map(text => (text === null ? null : readEvidence(text, contract)))
    const last = parts.at(-1) ?? null
    if (last === null) continue
    const name = last.results.slices.map(({ slice }) => slice).join(', ')
    cells.set(name, last)
    const left = brokenIn(contract, last)
    const flaky = new Set(
      parts
        .slice(0, -1)
        .flatMap(part => (part === null ? [] : [...brokenIn(contract, part)]))
        .filter(id => !left.has(id)),
    )
    if (flaky.size > 0)
      notes.push({
        type: 'note',
        level: 'warning',
        message: `flaky: ${[...flaky].join(', ')} was broken when the cell ${name} was first sent, and not at the last of ${parts.length} attempts`,
      })
  }
  const [start, ...rest] = mergeShards(contract, [...cells.values()]).events
  return foldLedger(start === undefined ? [] : [start, ...notes, ...rest])
}

const brokenIn = (contract: Contract, part: Evidence): ReadonlySet<string> =>
  new Set(
    countedOf(mergeShards(contract, [part]).ledger).flatMap(({ obligation, also }) => [obligation, ...also]),
  )
