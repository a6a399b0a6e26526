import { writeFileSync } from 'node:fs'
import { type FormatName, reports, terminal, writeEvent } from '../reports/index.ts'
import { foldLedger, type Ledger, type RunEvent } from '../spec/index.ts'
import { exitCodeOf, UsageError } from './exit.ts'
import type { AnyFormat } from './formats.ts'
import { eventsFrom } from './ledger.ts'
import { isFolder, writeFolder } from './report-files.ts'
import { colourOf, print } from './terminal.ts'

export type ReportFlags = { readonly format: AnyFormat; readonly out?: string; readonly verbose?: boolean }

export const runReport = (file: string, flags: ReportFlags): number => {
  const events = eventsFrom(file)
  const ledger = foldLedger(events)
  const { format, out } = flags
  if (isFolder(format)) {
    if (out === undefined) throw new UsageError(`${format} is a folder of files: name it with --out`)
    write(out, () => writeFolder(format, out, ledger))
  } else {
    const text = textOf(file, { ...flags, format }, events, ledger)
    if (out === undefined) process.stdout.write(text)
    else write(out, () => writeFileSync(out, text))
  }
  return exitCodeOf(ledger)
}

const textOf = (
  file: string,
  { format, out, verbose }: ReportFlags & { readonly format: FormatName },
  events: readonly RunEvent[],
  ledger: Ledger,
): string => {
  // A ledger has its events sorted; a run wrote them down as they came.
  if (format === 'ndjson') return events.map(writeEvent).join('')
  if (format !== 'terminal') return reports[format].write(ledger)
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
