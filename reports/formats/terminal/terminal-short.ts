import { type Ledger, type Paint, plural, safeText, thousands } from '../../../spec/index.ts'
import { beginning } from '../../text/cut-text.ts'
import { causeTexts, type FindingText } from '../../view/finding-text.ts'
import { type MatrixRow, matrix } from '../../view/matrix.ts'
import { statusStyles } from '../../view/status.ts'
import type { ReasonGroup, Summary } from '../../view/summary.ts'
import { findingBlock, titleLine } from './terminal-findings.ts'
import { createdLine, createdRanges, policyLines } from './terminal-notes.ts'

/** How much of each is shown at most, beside the causes. */
const most = { operations: 5, reasons: 5, notes: 3, ranges: 2, policies: 3 } as const
/** Causes that are told with their request, if there is room, and of others only the title. */
const [withRequest, withTitle] = [10, 8]
const width = 160

/**
 * A run on one page of so many lines, for a reader who has five minutes: the operations with most failures, the weightiest causes, the first of
 * them in full, a line for each of the next ones, and why the rest shows nothing. All else is in the other reports.
 */
export const shortBlocks = (
  ledger: Ledger,
  summary: Summary,
  { path, room }: { readonly path: string; readonly room: number },
  paint: Paint,
): readonly (readonly string[])[] => {
  const [operations, reasons] = [operationLines(ledger, paint), reasonLines(ledger, summary, paint)]
  const gaps = 3
  const left = room - operations.length - reasons.length - gaps
  return [operations, causeLines(ledger, summary, { path, room: left }, paint), reasons]
}

const operationLines = (ledger: Ledger, paint: Paint): readonly string[] => {
  const weightOf = ({ counts }: MatrixRow): number => counts.failed * 1e6 + counts.warning
  const rows = matrix(ledger)
  const failing = rows
    .filter(row => weightOf(row) > 0)
    .toSorted((left, right) => weightOf(right) - weightOf(left))
  const shown = failing.slice(0, most.operations)
  const nameOf = ({ operation: { id } }: MatrixRow): string => beginning(safeText(id), 60)
  const idWidth = Math.max(0, ...shown.map(row => nameOf(row).length))
  return [
    ...shown.map(row => {
      const { method, path } = row.operation
      const { failed, passed, warning } = row.counts
      const counts = [
        ...(failed > 0 ? [paint(statusStyles.failed, `${thousands(failed)} failed`)] : []),
        ...(warning > 0 ? [paint(statusStyles.warning, plural(warning, 'warning'))] : []),
        `${thousands(passed)} passed`,
      ].join(' · ')
      return `  ${paint('bold', nameOf(row).padEnd(idWidth))}  ${counts}  ${paint('dim', beginning(safeText(`${method} ${path}`), 70))}`
    }),
    ...moreLine(failing.length - shown.length, 'operation', 'with failures'),
    ...moreLine(rows.length - failing.length, 'operation', 'without any'),
  ]
}

const causeLines = (
  ledger: Ledger,
  { causes: { failing, warning }, counts }: Summary,
  { path, room }: { readonly path: string; readonly room: number },
  paint: Paint,
): readonly string[] => {
  const texts = causeTexts(ledger, path)
  const all = [
    ...failing.map(cause => ({ text: texts(cause), kind: 'failed' as const })),
    ...warning.map(cause => ({ text: texts(cause), kind: 'warning' as const })),
  ]
  if (all.length === 0) return []
  const heading = [
    ...countLine('failed', counts.failed, failing.length, paint),
    ...countLine('warning', counts.warning, warning.length, paint),
  ].join(' · ')
  // Each gets less until all of it fits, the lightest first; then the weightiest get more as long as there is room.
  const forms = all
    .slice(0, withRequest + withTitle)
    .map(({ text, kind }, index) =>
      index < withRequest ? withTheRequest(text, kind, paint) : [titleLine(text, kind, paint)],
    )
  const size = (): number => forms.reduce((sum, { length }) => sum + length, 0) + 2
  while (size() > room && forms.length > withRequest) forms.pop()
  for (let at = forms.length - 1; at > 0 && size() > room; at--) forms[at] = (forms[at] ?? []).slice(0, 1)
  for (const [at, { text, kind }] of all.slice(0, Math.min(withRequest, forms.length)).entries()) {
    const whole = findingBlock(text, kind, paint)
    if (size() - (forms[at] ?? []).length + whole.length > room) break
    forms[at] = whole
  }
  return [`  ${heading}`, ...forms.flat(), ...moreLine(all.length - forms.length, 'cause', '')]
}

const countLine = (
  kind: 'failed' | 'warning',
  count: number,
  causes: number,
  paint: Paint,
): readonly string[] => {
  const text = kind === 'failed' ? `${thousands(count)} failed` : plural(count, 'warning')
  return causes === 0 ? [] : [paint(['bold', statusStyles[kind]], `${text} (${plural(causes, 'cause')})`)]
}

const withTheRequest = (text: FindingText, kind: 'failed' | 'warning', paint: Paint): readonly string[] => [
  titleLine(text, kind, paint),
  `      ${oneLine(`${text.request} → ${text.actual}`)}`,
  `      ${paint('dim', oneLine(`expected ${text.expected} · ${text.source}`))}`,
]

const reasonLines = (ledger: Ledger, summary: Summary, paint: Paint): readonly string[] => {
  const line = (label: string, text: string): string =>
    `  ${paint('dim', label.padEnd(12))}  ${oneLine(text)}`
  const groups: readonly (readonly [label: string, group: ReasonGroup])[] = (
    ['untested', 'inconclusive', 'fixed', 'waived', 'baselined'] as const
  ).flatMap(label => summary[label].map(group => [label, group] as const))
  const sorted = groups.toSorted(([, left], [, right]) => right.entries.length - left.entries.length)
  const ranges = createdRanges(ledger)
  const notes = ledger.notes.toSorted(
    (left, right) => Number(right.level === 'warning') - Number(left.level === 'warning'),
  )
  return [
    ...sorted
      .slice(0, most.reasons)
      .map(([label, { reason, entries }]) =>
        line(label, `${thousands(entries.length)}: ${safeText(reason)}`),
      ),
    ...moreLine(sorted.length - most.reasons, 'reason', ''),
    ...policyLines(ledger)
      .slice(0, most.policies)
      .map(text => line('policies', text)),
    ...notes.slice(0, most.notes).map(({ message }) => line('note', safeText(message))),
    ...moreLine(notes.length - most.notes, 'note', ''),
    ...ranges.slice(0, most.ranges).map(range => line('test data', createdLine(range))),
    ...moreLine(ranges.length - most.ranges, 'test data range', ''),
  ]
}

/** `and 12 more causes`; none if there are no more. */
const moreLine = (count: number, what: string, which: string): readonly string[] =>
  count <= 0 ? [] : [`  and ${plural(count, `more ${what}`)} ${which}`.trimEnd()]

const oneLine = (text: string): string => (text.length > width ? `${beginning(text, width - 1)}…` : text)
