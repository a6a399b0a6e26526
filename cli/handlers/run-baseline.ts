import { plural } from '../../reports/index.ts'
import { type BaselineEntry, baselineEntriesOf, type Ledger, withoutFixed } from '../../spec/index.ts'
import { baselineIn, writeBaseline } from '../inputs/baseline-and-pins.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { print, say } from '../outputs/terminal.ts'
import { exitCodes } from '../process/exit.ts'

export type BaselineFlags = { readonly out: string; readonly grow?: boolean }

export const runBaseline = (file: string, { out, grow = false }: BaselineFlags): number => {
  const ledger = ledgerFrom(file)
  const before = baselineIn(out)
  const found = baselineEntriesOf(ledger)
  const left = withoutFixed(before ?? [], ledger)
  const known = new Map(left.map(one => [one.obligation, one.cause]))
  const fresh = found.filter(({ obligation, cause }) => known.get(obligation) !== cause)
  const takesIn = grow || before === null
  const next = takesIn ? inOrder(ledger, left, fresh) : left
  writeBaseline(out, next)
  const gone = (before?.length ?? 0) - left.length
  print(
    `written: ${out}: ${plural(next.length, 'broken promise')} accepted${gone > 0 ? `, ${gone} left` : ''}${before !== null && takesIn && fresh.length > 0 ? `, ${fresh.length} came in` : ''}`,
  )
  if (takesIn || fresh.length === 0) return exitCodes.conforms
  say(
    `plantstore: not in ${out}: ${plural(fresh.length, 'broken promise')}: mend what is new, or accept it with --grow`,
  )
  for (const { obligation, cause } of fresh) say(`  ${obligation}: ${cause}`)
  return exitCodes.broken
}

/** What was accepted and what is new, in the order of the contract; of one promise the newer counts. */
const inOrder = (
  { entries }: Ledger,
  left: readonly BaselineEntry[],
  fresh: readonly BaselineEntry[],
): readonly BaselineEntry[] => {
  const all = new Map([...left, ...fresh].map(one => [one.obligation, one]))
  return entries.flatMap(({ obligation: { id } }) => all.get(id) ?? [])
}
