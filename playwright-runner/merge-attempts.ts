import { type Evidence, mergeShards, readEvidence } from '../conformance/index.ts'
import { type Contract, foldLedger, type Ledger, type NoteEvent } from '../spec/index.ts'
import { countedFindings } from './failure-message.ts'

/** The shard results of one test, one for each attempt; null for an attempt without one. */
export type Attempts = readonly (string | null)[]

/**
 * The ledger of tests that each sent a plan slice, some of them more than once. The last attempt counts; what failed in an
 * earlier one only gets a note as flaky. Throws ShardError.
 */
export const mergeAttempts = (contract: Contract, tests: readonly Attempts[]): Ledger => {
  const results = new Map<string, Evidence>()
  const notes: NoteEvent[] = []
  for (const attempts of tests) {
    const read = attempts.map(text => (text === null ? null : readEvidence(text, contract)))
    const last = read.at(-1) ?? null
    if (last === null) continue
    const slice = last.results.slices.map(digest => digest.slice).join(', ')
    results.set(slice, last)
    const failedLast = failedIn(contract, last)
    const flaky = read
      .slice(0, -1)
      .flatMap(result => (result === null ? [] : [...failedIn(contract, result)]))
      .filter(id => !failedLast.has(id))
    if (flaky.length > 0) notes.push(flakyNote(slice, [...new Set(flaky)], attempts.length))
  }
  const [start, ...rest] = mergeShards(contract, [...results.values()]).events
  return foldLedger(start === undefined ? [] : [start, ...notes, ...rest])
}

const flakyNote = (slice: string, obligations: readonly string[], attempts: number): NoteEvent => ({
  type: 'note',
  level: 'warning',
  message: `flaky: ${obligations.join(', ')} failed in an earlier attempt at ${slice}, but not in the last of ${attempts}`,
})

/** The ids of the obligations that fail in a shard result by itself. */
const failedIn = (contract: Contract, result: Evidence): ReadonlySet<string> =>
  new Set(
    countedFindings(mergeShards(contract, [result]).ledger).flatMap(({ obligation, also }) => [
      obligation,
      ...also,
    ]),
  )
