import { stringify } from 'csv-stringify/sync'
import { casesOf, type Entry, type Ledger, type RecordedClause } from '../spec/index.ts'
import { clauseText } from './answers.ts'
import { isStrict, standingOf } from './count.ts'
import { safeText } from './safe-text.ts'
import { becauseOf } from './summary.ts'
import { traceRows } from './trace-rows.ts'

const columns = [
  'clause',
  'where',
  'text',
  'obligation',
  'level',
  'promise',
  'place',
  'verdict',
  'cases',
  'finding',
  'reason',
]

/**
 * Every clause with every obligation that covers it, one row each, as CSV (RFC 4180, CRLF, UTF-8, all fields quoted).
 * A text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP asks.
 */
export const trace = (ledger: Ledger): string => {
  const strict = isStrict(ledger)
  const rows = traceRows(ledger).flatMap(({ clause, entries }) =>
    entries.length === 0 ? [bare(clause)] : entries.map(entry => row(clause, entry, strict)),
  )
  const shown = [columns, ...rows].map(fields => fields.map(field => harmless(safeText(field))))
  return stringify(shown, { quoted: true, quoted_empty: true, record_delimiter: '\r\n' })
}

// Full-width signs begin formulas too where the spreadsheet is of an Asian locale.
const harmless = (field: string): string =>
  /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(field) ? `'${field}` : field

const start = ({ id, at, text }: RecordedClause): readonly string[] => [id, at, text]

const bare = (clause: RecordedClause): readonly string[] => [
  ...start(clause),
  ...['', '', '', ''],
  'not testable',
  ...['', ''],
  clause.because ?? 'the obligations that cover it were left out of this run',
]

const row = (clause: RecordedClause, entry: Entry, strict: boolean): readonly string[] => {
  const { obligation, verdict } = entry
  return [
    ...start(clause),
    obligation.id,
    obligation.level,
    obligation.promise,
    clauseText(obligation.clause),
    standingOf(entry, strict),
    String(casesOf(verdict)),
    'finding' in verdict ? verdict.finding : '',
    verdict.kind === 'observed' ? verdict.what : (becauseOf(verdict) ?? ''),
  ]
}
