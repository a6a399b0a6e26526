import {
  casesOf,
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
import { clauseText } from '../../view/finding-text.ts'
import { type MatrixCell, type MatrixRow, matrix } from '../../view/matrix.ts'
import { testedName } from '../../view/run-record.ts'
import { sensitivities } from '../../view/sensitivity.ts'
import { type Status, statuses, statusStyles } from '../../view/status.ts'
import { exceptionOf, type Summary, summarise } from '../../view/summary.ts'
import { testCases } from '../../view/test-case.ts'
import { type FindingsOptions, findingsText } from './terminal-findings.ts'
import { notesText } from './terminal-notes.ts'
import { shortBlocks } from './terminal-short.ts'

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

// In a table of more operations than this, one without anything remarkable takes a single line.
const roomy = 12
const familyWidth = 11
const countWidth = 12
const tableWidth = 40
const statusWidth = 12

/** Per operation, a line for each family: the status of its obligations and the number of cases. */
const tableText = (ledger: Ledger, verbosity: 'normal' | 'verbose', paint: Paint): readonly string[] => {
  const rows = matrix(ledger)
  const isDense = verbosity === 'normal' && rows.length > roomy
  const idWidth = Math.min(36, Math.max(...rows.map(({ operation }) => safeText(operation.id).length)))
  return rows.flatMap((row, index) => {
    const { id, method, path } = row.operation
    const head =
      `  ${paint('bold', safeText(id).padEnd(idWidth))}  ${safeText(`${method} ${path}`).trim()}`.trimEnd()
    const isPlain =
      row.counts.passed + row.counts.observed ===
      statuses.reduce((sum, status) => sum + row.counts[status], 0)
    if (isDense && isPlain) return [`${head}   ${countsLine(row, paint).trim()}`]
    const gap = index === 0 || isDense ? [] : ['']
    return [
      ...gap,
      head,
      ...row.cells.map(cell => `    ${cell.family.padEnd(familyWidth)} ${countsLine(cell, paint)}`.trimEnd()),
    ]
  })
}

const countsLine = ({ counts, cases }: MatrixCell | MatrixRow, paint: Paint): string => {
  const parts = statuses
    .filter(status => counts[status] > 0)
    .map(status => ({ status, text: countText(counts[status], status) }))
  const width = parts.reduce((sum, { text }) => sum + text.length, 0)
  const painted = parts.map(({ status, text }) => paint(statusStyles[status], text)).join('')
  return cases === 0
    ? painted
    : `${painted}${' '.repeat(Math.max(1, tableWidth - width))}${thousands(cases).padStart(7)} ${cases === 1 ? 'case' : 'cases'}`
}

const countText = (value: number, status: Status): string => {
  const word = status === 'warning' && value > 1 ? 'warnings' : status
  return `${thousands(value).padStart(4)} ${word}`.padEnd(countWidth)
}

/** Every obligation with its status and requirement; then how rare a fault can be and still be seen. */
const obligationsText = (ledger: Ledger, paint: Paint): readonly string[] => {
  const caseOf = testCases(ledger)
  const sentences = sensitivities(ledger)
  return [
    '  requirements',
    ...ledger.entries.flatMap(entry => {
      const { obligation, verdict } = entry
      const { status, title, finding } = caseOf(entry)
      const exception = exceptionOf(verdict)
      const cases = [
        ...(casesOf(verdict) === 0 ? [] : [` · ${plural(casesOf(verdict), 'case')}`]),
        ...(exception === null ? [] : [` · ${safeText(exception)}`]),
      ].join('')
      const requirement = `${obligation.level} · ${safeText(obligation.requirement)} · ${clauseText(obligation.clause)}`
      return [
        `    ${paint(statusStyles[status], status.padEnd(statusWidth))} ${safeText(obligation.id)}${cases}`,
        // A red word beside the requirement alone would say the opposite of what happened.
        ...(finding === null ? [requirement] : [title, `requirement: ${requirement}`]).map(
          text => `${' '.repeat(statusWidth + 5)}${paint('dim', text)}`,
        ),
      ]
    }),
    ...(sentences.length === 0 ? [] : ['', '  what the cases can have missed']),
    ...sentences.map(({ about, sentence }) => `    ${about.padEnd(statusWidth)} ${sentence}`),
  ]
}
