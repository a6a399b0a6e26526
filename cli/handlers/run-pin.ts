import { plural } from '../../reports/index.ts'
import { pinsOf } from '../../spec/index.ts'
import { pinsIn, writePins } from '../inputs/baseline-and-pins.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { print } from '../outputs/terminal.ts'
import { exitCodes, UsageError } from '../process/exit.ts'

export type PinFlags = { readonly out: string; readonly anew?: boolean }

export const runPin = (file: string, { out, anew = false }: PinFlags): number => {
  const found = pinsOf(ledgerFrom(file))
  if (found.length === 0)
    throw new UsageError(`${file} observed no answer to an open question: there is nothing to pin`)
  const before = (anew ? null : pinsIn(out)) ?? []
  const known = new Set(before.map(({ obligation }) => obligation))
  const added = found.filter(({ obligation }) => !known.has(obligation))
  writePins(out, [...before, ...added])
  print(
    `written: ${out}: ${plural(before.length + added.length, 'open question')} pinned${before.length > 0 ? `, ${added.length} of them new` : ''}`,
  )
  return exitCodes.conforms
}
