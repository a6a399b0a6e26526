import type { ObligationId } from '../../../spec/index.ts'
import type { Kill } from './mutant-run.ts'

/** One mutant of the matrix, by the obligation that it breaks. */
export type Row = { readonly id: ObligationId; readonly kill: Kill }

const outcomeOf = ({ kill }: Row): string => {
  switch (kill.kind) {
    case 'found':
      return kill.others.length === 0 ? 'found' : 'found with others'
    case 'elsewhere':
      return 'found by others'
    case 'missed':
      return 'missed'
    case 'unbreakable':
      return 'unbreakable'
    case 'untested':
      return 'untested'
    case 'unreached':
      return 'too few cases'
  }
}

const detail = ({ kill }: Row): string => ('others' in kill ? kill.others.join(', ') : kill.reason)

/** Whether each mutant was found by its own obligation and no other, or cannot be found from outside. */
export const isWhole = (rows: readonly Row[]): boolean =>
  rows.every(row => ['found', 'unbreakable', 'untested'].includes(outcomeOf(row)))

/** `208 found · 1 missed`: each outcome with its count. */
export const killSummary = (rows: readonly Row[]): string => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(outcomeOf(row), (counts.get(outcomeOf(row)) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} ${name}`).join(' · ')
}

export const killText = (rows: readonly Row[]): string =>
  [
    ...rows.map(
      row => `${outcomeOf(row).padEnd(18)}${row.id}${detail(row) === '' ? '' : `  ${detail(row)}`}`,
    ),
    '',
    `${isWhole(rows) ? 'ALL FOUND' : 'NOT ALL FOUND'}   ${killSummary(rows)}`,
  ].join('\n')

/** The counts, and a table of the mutants that were not simply found. */
export const killMarkdown = (rows: readonly Row[]): string => {
  const exceptions = rows.filter(row => outcomeOf(row) !== 'found')
  return [`${killSummary(rows)}.`, ...(exceptions.length === 0 ? [] : ['', ...table(exceptions)])].join('\n')
}

const table = (rows: readonly Row[]): readonly string[] => [
  '| broken obligation | outcome | details |',
  '|---|---|---|',
  ...rows.map(row => `| \`${row.id}\` | ${outcomeOf(row)} | ${detail(row).replaceAll('|', '\\|')} |`),
]
