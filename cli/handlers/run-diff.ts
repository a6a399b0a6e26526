import { diffJson, diffMarkdown, diffOf, diffText, isWorse } from '../../reports/index.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import { colourOf, print } from '../outputs/terminal.ts'
import { exitCodes } from '../process/exit.ts'

export type DiffFlags = { readonly format: 'text' | 'json' | 'markdown'; readonly verbose?: boolean }

export const runDiff = (old: string, next: string, { format, verbose = false }: DiffFlags): number => {
  const diff = diffOf(ledgerFrom(old), ledgerFrom(next))
  const write = {
    text: () => diffText(diff, { colour: colourOf(process.stdout), all: verbose }),
    json: () => diffJson(diff),
    markdown: () => diffMarkdown(diff),
  }[format]
  print(write())
  return isWorse(diff) ? exitCodes.broken : exitCodes.conforms
}
