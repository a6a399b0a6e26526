import {
  type BaselineEntry,
  baselineEntriesOf,
  isCovered,
  type Ledger,
  plural,
  withoutFixed,
} from '../../spec/index.ts'
import { baselineIn } from '../inputs/gate-files.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { writeBaseline } from '../outputs/report-files.ts'
import { exitCodes } from '../process/exit.ts'
import { print, say } from '../process/terminal.ts'

export type BaselineFlags = { readonly out: string; readonly acceptNew?: boolean }

export const runBaseline = (file: string, { out, acceptNew = false }: BaselineFlags): number => {
  const ledger = ledgerFrom(file)
  const before = baselineIn(out)
  const remaining = withoutFixed(before ?? [], ledger)
  const known = new Map(remaining.map(entry => [entry.obligation, entry]))
  const added = baselineEntriesOf(ledger).filter(entry => !isCovered(entry, known.get(entry.obligation)))
  const isAdding = acceptNew || before === null
  const after = isAdding ? inOrder(ledger, remaining, added) : remaining
  writeBaseline(out, after)
  const fixed = (before?.length ?? 0) - remaining.length
  const changes = [
    ...(fixed > 0 ? [`${fixed} fixed and removed`] : []),
    ...(before !== null && isAdding && added.length > 0 ? [`${added.length} new`] : []),
  ]
  print(`written: ${[`${out}: ${plural(after.length, 'accepted failure')}`, ...changes].join(', ')}`)
  if (isAdding || added.length === 0) return exitCodes.conformant
  const them = added.length === 1 ? 'it' : 'them'
  say(
    `plantstore: ${out} does not include ${plural(added.length, 'new failure')}: fix ${them}, or accept ${them} with --accept-new`,
  )
  for (const { obligation, cause } of added) say(`  ${obligation}: ${cause}`)
  return exitCodes.nonconformant
}

/** Old and new entries in the order of the contract; a new entry replaces an old one of the same obligation. */
const inOrder = (
  { entries }: Ledger,
  remaining: readonly BaselineEntry[],
  added: readonly BaselineEntry[],
): readonly BaselineEntry[] => {
  const byObligation = new Map([...remaining, ...added].map(entry => [entry.obligation, entry]))
  return entries.flatMap(({ obligation: { id } }) => byObligation.get(id) ?? [])
}
