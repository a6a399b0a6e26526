import { casesOf, type Ledger, type RecordedClause, safeText } from '../../spec/index.ts'
import { clauseText } from '../view/finding-text.ts'
import { reasonOf } from '../view/summary.ts'
import { type TestCase, testCases } from '../view/test-case.ts'
import { type TraceRow, traceRows } from '../view/trace-rows.ts'

const columns = [
  'clause',
  'at',
  'text',
  'obligation',
  'level',
  'verdict',
  'finding',
  'requirement',
  'source',
  'cases',
  'case',
  'reason',
]

/**
 * Every clause with every obligation that covers it, one row each, as CSV (RFC 4180, CRLF, UTF-8, all fields quoted).
 * A text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP recommends.
 */
export function* trace(ledger: Ledger): Generator<string> {
  const caseOf = testCases(ledger)
  yield csv([columns])
  for (const { clause, entries } of traceRows(ledger))
    yield csv(
      entries.length === 0
        ? [untestedRow(clause)]
        : entries.map(entry => obligationRow(clause, entry, caseOf(entry))),
    )
}

const csv = (rows: readonly (readonly string[])[]): string =>
  rows
    .map(row => `${row.map(field => `"${harmless(safeText(field)).replaceAll('"', '""')}"`).join(',')}\r\n`)
    .join('')

// Full-width signs begin formulas too, in spreadsheets of an Asian locale.
const harmless = (field: string): string =>
  /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(field) ? `'${field}` : field

const untestedRow = ({ id, at, text, reason }: RecordedClause): readonly string[] => [
  ...[id, at, text, '', ''],
  'not testable',
  ...['', '', '', '', ''],
  reason ?? 'this run left out the obligations that cover it',
]

const obligationRow = (
  { id, at, text }: RecordedClause,
  { obligation, verdict }: TraceRow['entries'][number],
  { status, title, finding }: TestCase,
): readonly string[] => [
  ...[id, at, text, obligation.id, obligation.level, status],
  finding === null ? '' : title,
  obligation.requirement,
  clauseText(obligation.clause),
  String(casesOf(verdict)),
  'finding' in verdict ? verdict.finding : '',
  verdict.kind === 'observed' ? verdict.observation : (reasonOf(verdict) ?? ''),
]
