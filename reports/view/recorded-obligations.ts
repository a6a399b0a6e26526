import type { Ledger, RecordedObligation } from '../../spec/index.ts'

/** The obligations of a run by their ids. Every report asks for some of them, so they are put in order once. */
export const recordedObligations = ({
  obligations,
}: Ledger['start']): ReadonlyMap<string, RecordedObligation> => {
  const made = known.get(obligations) ?? new Map(obligations.map(each => [each.id, each]))
  known.set(obligations, made)
  return made
}

const known = new WeakMap<readonly RecordedObligation[], ReadonlyMap<string, RecordedObligation>>()
