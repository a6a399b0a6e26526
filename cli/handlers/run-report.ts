import { writeFileSync } from 'node:fs'
import { type FormatName, reports, sha256, terminal } from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { ledgerBytes } from '../inputs/ledger.ts'
import type { AnyFormat } from '../options/formats.ts'
import { isFolder, writeFolder } from '../outputs/report-files.ts'
import { colourOf, print } from '../outputs/terminal.ts'
import { exitCodeOf, UsageError } from '../process/exit.ts'

export type ReportFlags = { readonly format: AnyFormat; readonly out?: string; readonly verbose?: boolean }

export const runReport = (file: string, flags: ReportFlags): number => {
  const { bytes, events } = ledgerBytes(file)
  const ledger = foldLedger(events)
  const { format, out } = flags
  if (isFolder(format)) {
    if (out === undefined) throw new UsageError(`${format} is a folder of files: name it with --out`)
    write(out, () => writeFolder(format, out, ledger))
  } else {
    const text = textOf(file, { ...flags, format }, bytes, ledger)
    if (out === undefined) process.stdout.write(text)
    else write(out, () => writeFileSync(out, text))
  }
  return exitCodeOf(ledger)
}

const textOf = (
  file: string,
  { format, out, verbose }: ReportFlags & { readonly format: FormatName },
  bytes: Uint8Array,
  ledger: Ledger,
): string => {
  if (format !== 'terminal') return reports[format].write(ledger, sha256(bytes))
  return terminal(ledger, {
    colour: out === undefined && colourOf(process.stdout),
    verbosity: verbose === true ? 'verbose' : 'normal',
    ledger: file,
    report: null,
  })
}

const write = (file: string, writing: () => void): void => {
  try {
    writing()
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --out`,
    )
  }
  print(`written: ${file}`)
}
