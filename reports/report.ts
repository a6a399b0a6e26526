import type { Ledger } from '../spec/index.ts'
import { page } from './html/page.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { ndjson } from './ndjson.ts'
import { terminal } from './terminal.ts'
import { trace } from './trace.ts'

/** A run as text: the same ledger gives the same bytes. */
export type Report = (ledger: Ledger) => string

export const formatNames = ['ndjson', 'json', 'junit', 'html', 'terminal', 'trace'] as const
export type FormatName = (typeof formatNames)[number]

export type Format = { readonly file: string; readonly mediaType: string; readonly write: Report }

const plainTerminal: Report = ledger =>
  terminal(ledger, { colour: false, verbosity: 'normal', ledger: 'ledger.ndjson', report: null })

/** Every format by its name, with the file it is written to by default. */
export const reports: Readonly<Record<FormatName, Format>> = {
  ndjson: { file: 'ledger.ndjson', mediaType: 'application/x-ndjson', write: ndjson },
  json: { file: 'report.json', mediaType: 'application/json', write: json },
  junit: { file: 'junit.xml', mediaType: 'application/xml', write: junit },
  html: { file: 'report.html', mediaType: 'text/html; charset=utf-8', write: page },
  terminal: { file: 'report.txt', mediaType: 'text/plain; charset=utf-8', write: plainTerminal },
  trace: { file: 'trace.csv', mediaType: 'text/csv; charset=utf-8; header=present', write: trace },
}
