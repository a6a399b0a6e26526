import { casesOf, type Ledger, type Paint, plural, safeText, thousands } from '../../../spec/index.ts'
import { clauseText } from '../../view/finding-text.ts'
import { type MatrixCell, type MatrixRow, matrix } from '../../view/matrix.ts'
import { sensitivities } from '../../view/sensitivity.ts'
import { type Status, statuses, statusStyles } from '../../view/status.ts'
import { exceptionOf } from '../../view/summary.ts'
import { testCases } from '../../view/test-case.ts'

// In a table of more operations than this, one without anything remarkable takes a single line.
const roomy = 12
const familyWidth = 11
const countWidth = 12
const tableWidth = 40
const statusWidth = 12

/** Per operation, a line for each family: the status of its obligations and the number of cases. */
export const tableText = (
  ledger: Ledger,
  verbosity: 'normal' | 'verbose',
  paint: Paint,
): readonly string[] => {
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
export const obligationsText = (ledger: Ledger, paint: Paint): readonly string[] => {
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
