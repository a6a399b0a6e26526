import { brokenAnswersOf, ownershipAnswers, pinsOf, plural, sharedIn } from '../../spec/index.ts'
import { pinsIn } from '../inputs/gate-files.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { writePins } from '../outputs/report-files.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { print, say } from '../process/terminal.ts'

export type PinFlags = { readonly out: string; readonly overwrite?: boolean }

export const runPin = (file: string, { out, overwrite = false }: PinFlags): number => {
  const ledger = ledgerFrom(file)
  const observed = pinsOf(ledger)
  if (observed.length === 0)
    throw new UsageError(`${file} has no observed answer to an open question: there is nothing to pin`)
  const before = (overwrite ? null : pinsIn(out)) ?? []
  const known = new Set(before.map(({ obligation }) => obligation))
  const added = observed.filter(({ obligation }) => !known.has(obligation))
  writePins(out, [...before, ...added])
  const count = plural(before.length + added.length, 'pinned answer')
  print(`written: ${out}: ${count}${before.length > 0 ? `, ${added.length} of them new` : ''}`)
  for (const { obligation, answers } of brokenAnswersOf(ledger))
    say(`not pinned: ${obligation}: ${answers.join(' or ')}, which breaks a MUST`)
  for (const obligation of sharedIn(ledger))
    say(`not pinned: ${obligation}: ${ownershipAnswers.given}: if all are meant to have it, pin that by hand`)
  return exitCodes.conformant
}
