import { writeFileSync } from 'node:fs'
import { type FormatName, reports, sha256, terminal } from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { ledgerBytes } from '../inputs/ledger.ts'
import type { AnyFormat } from '../options/formats.ts'
import { minTestedOf, type PartialFlags } from '../options/output-flags.ts'
import { type Paper, recordPdf } from '../outputs/record-pdf.ts'
import { isFolder, writeFolder } from '../outputs/report-files.ts'
import { exitCodeOf, UsageError } from '../process/exit.ts'
import { isColoured, print, say } from '../process/terminal.ts'

export type ReportFlags = PartialFlags & {
  readonly format: AnyFormat
  readonly out?: string
  readonly paper: Paper
  readonly verbose?: boolean
}

export const runReport = async (file: string, flags: ReportFlags): Promise<number> => {
  const { bytes, events } = ledgerBytes(file)
  const ledger = foldLedger(events)
  const { format, out } = flags
  if (isFolder(format)) {
    if (out === undefined) throw new UsageError(`${format} is a folder of files: name it with --out`)
    write(out, () => writeFolder(format, out, ledger))
  } else {
    const text = textOf(file, { ...flags, format }, bytes, ledger)
    if (out === undefined) process.stdout.write(text)
    else if (format === 'record' && /\.pdf$/i.test(out)) await writePdf(out, text, sha256(bytes), flags.paper)
    else write(out, () => writeFileSync(out, text))
  }
  return exitCodeOf(ledger, minTestedOf(flags))
}

const textOf = (
  file: string,
  { format, out, verbose }: ReportFlags & { readonly format: FormatName },
  bytes: Uint8Array,
  ledger: Ledger,
): string => {
  if (format !== 'terminal') return reports[format].write(ledger, sha256(bytes))
  return terminal(ledger, {
    colour: out === undefined && isColoured(process.stdout),
    verbosity: verbose === true ? 'verbose' : 'normal',
    ledger: file,
    report: null,
  })
}

/** Without a browser it writes the HTML instead, which any browser prints. */
const writePdf = async (out: string, page: string, digest: string, paper: Paper): Promise<void> => {
  const made = await recordPdf(page, digest, paper)
  if (made instanceof Uint8Array) return write(out, () => writeFileSync(out, made))
  const html = out.replace(/\.pdf$/i, '.html')
  write(html, () => writeFileSync(html, page))
  say(`this is HTML, not PDF, because ${made.reason}; print it with any browser`)
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
