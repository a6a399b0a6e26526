import {
  createPaint,
  duration,
  type Ledger,
  type Paint,
  plural,
  safeText,
  thousands,
} from '../../../spec/index.ts'
import { beginning } from '../../text/cut-text.ts'
import { commandOf, isOfTraffic, repeatCommand } from '../../view/commands.ts'
import { conclusions, headline } from '../../view/conclusion.ts'
import { testedName } from '../../view/run-record.ts'
import { statuses, statusStyles } from '../../view/status.ts'
import { type Summary, summarise } from '../../view/summary.ts'
import { type FindingsOptions, findingsText } from './terminal-findings.ts'
import { notesText } from './terminal-notes.ts'
import { shortBlocks } from './terminal-short.ts'
import { obligationsText, tableText } from './terminal-table.ts'

export type TerminalOptions = Omit<FindingsOptions, 'verbosity'> & {
  /** `page`: as `normal`, but if that is more than a page, a short form of it (see `shortBlocks`). */
  readonly verbosity: FindingsOptions['verbosity'] | 'page'
  readonly colour: boolean
  /** The path of the report to open; null if none was written. */
  readonly report: string | null
}

/** A run as text for people: the table by operation and family, findings, notes, and the verdict last. */
export const terminal = (ledger: Ledger, options: TerminalOptions): string => {
  const paint = createPaint(options.colour)
  const summary = summarise(ledger)
  const verbosity = options.verbosity === 'page' ? 'normal' : options.verbosity
  const findings = findingsText(ledger, summary, { ...options, verbosity }, paint)
  if (verbosity === 'quiet') return textOf([findings, verdictText(ledger, summary, options, paint)])
  const whole = textOf([
    headText(ledger, paint),
    tableText(ledger, verbosity, paint),
    verbosity === 'verbose' ? obligationsText(ledger, paint) : [],
    findings,
    notesText(ledger, summary, verbosity, paint),
    verdictText(ledger, summary, options, paint),
  ])
  if (options.verbosity !== 'page' || linesOf(whole) <= mostLines) return whole
  const head = headText(ledger, paint)
  const verdict = [
    ...verdictText(ledger, summary, options, paint),
    paint('dim', `all of it: plantstore report ${options.ledger}`),
  ]
  const room = mostLines - head.length - verdict.length - 2
  return textOf([head, ...shortBlocks(ledger, summary, { path: options.ledger, room }, paint), verdict])
}

const textOf = (blocks: readonly (readonly string[])[]): string =>
  `${blocks
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`

/** Lines that a reader takes in. */
const mostLines = 60

const linesOf = (text: string): number => text.split('\n').length - 1

const headText = ({ start }: Ledger, paint: Paint): readonly string[] => {
  const { digest } = start.contract
  const command = `${commandOf(start)} ${safeText(start.target)}`
  const seed = isOfTraffic(start) ? '' : ` · seed ${start.seed}`
  const contract = `${safeText(testedName(start))} · ${beginning(safeText(digest), 8)}${seed}`
  return [`${paint('bold', command)}        ${contract}`]
}

const verdictText = (
  ledger: Ledger,
  summary: Summary,
  options: TerminalOptions,
  paint: Paint,
): readonly string[] => {
  const always = new Set(['passed', 'failed', 'inconclusive'])
  const counts = statuses
    .filter(status => summary.counts[status] > 0 || always.has(status))
    .map(status => {
      const value = summary.counts[status]
      const text = status === 'warning' ? plural(value, 'warning') : `${thousands(value)} ${status}`
      return value > 0 && status !== 'passed' ? paint(statusStyles[status], text) : text
    })
  const cases = `${plural(summary.cases, 'case')}${summary.ms === null ? '' : ` in ${duration(summary.ms)}`}`
  const verdict = paint(['bold', conclusions[summary.conclusion].style], headline(summary))
  const lines = [
    [verdict, counts.join(' · '), cases, options.report ?? ''].filter(part => part !== '').join('   '),
  ]
  if (summary.stopped !== null) lines.push(paint('yellow', `incomplete run: ${safeText(summary.stopped)}`))
  if (options.verbosity !== 'quiet' && !isOfTraffic(ledger.start))
    lines.push(paint('dim', `reproduce this run: ${repeatCommand(ledger.start)}`))
  return lines
}
