import { casesOf, type Ledger } from '../spec/index.ts'
import { clauseText } from './answers.ts'
import {
  isStrict,
  percent,
  plural,
  type Standing,
  standingOf,
  standings,
  thousands,
  upperBound,
} from './count.ts'
import { type Cell, matrix, type Row } from './matrix.ts'
import { colourOf, type Paint } from './paint.ts'
import { safeText } from './safe-text.ts'

// With more operations than this, one that has nothing to tell takes a single line.
const roomy = 12
const partWidth = 12
const tableWidth = 40

/** Per operation, a line for each family: how its obligations stand and on how many cases. */
export const tableText = (
  ledger: Ledger,
  verbosity: 'normal' | 'verbose',
  paint: Paint,
): readonly string[] => {
  const rows = matrix(ledger)
  const short = verbosity === 'normal' && rows.length > roomy
  const name = Math.min(36, Math.max(...rows.map(({ operation }) => safeText(operation.id).length)))
  return rows.flatMap((row, index) => {
    const { id, method, path } = row.operation
    const head =
      `  ${paint('bold', safeText(id).padEnd(name))}  ${safeText(`${method} ${path}`).trim()}`.trimEnd()
    const plain =
      row.counts.kept + row.counts.observed ===
      standings.reduce((sum, standing) => sum + row.counts[standing], 0)
    if (short && plain) return [`${head}   ${line(row, paint).trim()}`]
    const gap = index === 0 || short ? [] : ['']
    return [
      ...gap,
      head,
      ...row.cells.map(cell => `    ${cell.family.padEnd(8)} ${line(cell, paint)}`.trimEnd()),
    ]
  })
}

const line = ({ counts, cases }: Cell | Row, paint: Paint): string => {
  const parts = standings
    .filter(standing => counts[standing] > 0)
    .map(standing => ({ standing, text: partText(counts[standing], standing) }))
  const width = parts.reduce((sum, { text }) => sum + text.length, 0)
  const told = parts.map(({ standing, text }) => paint(colourOf[standing], text)).join('')
  return cases === 0
    ? told
    : `${told}${' '.repeat(Math.max(1, tableWidth - width))}${thousands(cases).padStart(7)} ${cases === 1 ? 'case' : 'cases'}`
}

const partText = (value: number, standing: Standing): string => {
  const word = standing === 'warning' && value > 1 ? 'warnings' : standing
  return `${thousands(value).padStart(4)} ${word}`.padEnd(partWidth)
}

/** Every obligation with its verdict and, where it was kept, how often it can still fail. */
export const obligationsText = (ledger: Ledger, paint: Paint): readonly string[] => {
  const strict = isStrict(ledger)
  return [
    '  every obligation',
    ...ledger.entries.map(entry => {
      const { obligation, verdict } = entry
      const standing = standingOf(entry, strict)
      const bound = verdict.kind === 'kept' ? upperBound(verdict.cases) : null
      const cases = casesOf(verdict) === 0 ? '' : ` · ${plural(casesOf(verdict), 'case')}`
      const rate = bound === null ? '' : ` · fails in less than ${percent(bound)} of such cases (95 % sure)`
      const told = `${obligation.level} · ${safeText(obligation.promise)} · ${clauseText(obligation.clause)}`
      return `    ${paint(colourOf[standing], standing.padEnd(12))} ${safeText(obligation.id)}${cases}${rate}\n${' '.repeat(17)}${paint('dim', told)}`
    }),
  ]
}
