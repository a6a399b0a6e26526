import { type FormatName, inBatches, reports, terminal } from '../../reports/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { digestOfLedger, ledgerFrom } from '../inputs/ledger.ts'
import { type AnyFormat, minTestedOf, type PartialFlags } from '../options/output-flags.ts'
import { printParts } from '../outputs/document-text.ts'
import { type Paper, recordPdf } from '../outputs/record-pdf.ts'
import { isFolder, writeFolder } from '../outputs/report-files.ts'
import { writeWhole } from '../outputs/whole-file.ts'
import { UsageError } from '../process/exit.ts'
import { exitCodeOf } from '../process/exit-of-run.ts'
import { isColoured, print, say } from '../process/terminal.ts'

export type ReportFlags = PartialFlags & {
  readonly format: AnyFormat
  readonly out?: string
  readonly paper: Paper
  readonly verbose?: boolean
}

export const runReport = async (file: string, flags: ReportFlags): Promise<number> => {
  const ledger = ledgerFrom(file)
  const { format, out } = flags
  if (isFolder(format)) {
    if (out === undefined) throw new UsageError(`${format} is a folder of files: name it with --out`)
    write(out, () => writeFolder(format, out, ledger))
  } else {
    const digest = format === 'record' ? digestOfLedger(file) : undefined
    const parts = partsOf(file, { ...flags, format }, ledger, digest)
    if (out === undefined) await printParts(inBatches(parts))
    else if (digest !== undefined && /\.pdf$/i.test(out))
      await writePdf(out, [...parts].join(''), digest, flags.paper)
    else write(out, () => writeWhole(out, parts))
  }
  return exitCodeOf(ledger, minTestedOf(flags))
}

const partsOf = (
  file: string,
  { format, out, verbose }: ReportFlags & { readonly format: FormatName },
  ledger: Ledger,
  digest: string | undefined,
): Iterable<string> => {
  if (format !== 'terminal') return reports[format].parts(ledger, digest, file)
  return [
    terminal(ledger, {
      colour: out === undefined && isColoured(process.stdout),
      verbosity: verbose === true ? 'verbose' : 'normal',
      ledger: file,
      report: null,
    }),
  ]
}

/** Without a browser it writes the HTML instead, which any browser prints. */
const writePdf = async (out: string, page: string, digest: string, paper: Paper): Promise<void> => {
  const made = await recordPdf(page, digest, paper)
  if (made instanceof Uint8Array) return write(out, () => writeWhole(out, made))
  const html = out.replace(/\.pdf$/i, '.html')
  write(html, () => writeWhole(html, [page]))
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
