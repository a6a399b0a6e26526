import { diffJson, diffMarkdown, diffOf, diffText, isWorse, showsLess } from '../../reports/index.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { exitCodes } from '../process/exit.ts'
import { isColoured, print } from '../process/terminal.ts'

export type DiffFlags = {
  readonly format: 'text' | 'json' | 'markdown'
  readonly verbose?: boolean
  readonly allowPartial?: boolean
}

export const runDiff = (
  before: string,
  after: string,
  { format, verbose = false, allowPartial = false }: DiffFlags,
): number => {
  const diff = diffOf(ledgerFrom(before), ledgerFrom(after))
  const write = {
    text: () => diffText(diff, { colour: isColoured(process.stdout), all: verbose }),
    json: () => diffJson(diff),
    markdown: () => diffMarkdown(diff),
  }[format]
  print(write())
  if (isWorse(diff)) return exitCodes.nonconformant
  return showsLess(diff) && !allowPartial ? exitCodes.inconclusive : exitCodes.conformant
}
