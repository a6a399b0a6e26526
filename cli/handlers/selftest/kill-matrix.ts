import type { Kill } from './broken-run.ts'

/** One obligation of the matrix. */
export type Row = { readonly id: string; readonly kill: Kill }

/** What became of a broken obligation, in a word or two. */
const word = ({ kill }: Row): string => {
  switch (kill.kind) {
    case 'found':
      return kill.others.length === 0 ? 'found' : 'found, and others'
    case 'elsewhere':
      return 'found by others'
    case 'missed':
      return 'missed'
    case 'unbreakable':
      return 'not to be broken'
    case 'untested':
      return 'untested'
    case 'unreached':
      return 'too few cases'
  }
}

const detail = ({ kill }: Row): string => ('others' in kill ? kill.others.join(', ') : kill.reason)

/** Whether nothing speaks against the suite: each was found by its own name and no other, or cannot be told. */
export const isWhole = (rows: readonly Row[]): boolean =>
  rows.every(row => ['found', 'not to be broken', 'untested'].includes(word(row)))

/** `208 found · 1 missed`: each outcome with its count. */
export const killSummary = (rows: readonly Row[]): string => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(word(row), (counts.get(word(row)) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} ${name}`).join(' · ')
}

export const killText = (rows: readonly Row[]): string =>
  [
    ...rows.map(row => `${word(row).padEnd(18)}${row.id}${detail(row) === '' ? '' : `  ${detail(row)}`}`),
    '',
    `${isWhole(rows) ? 'WHOLE' : 'NOT WHOLE'}   ${killSummary(rows)}`,
  ].join('\n')

/** Those that tell of no find: what cannot be broken or tested, and what went wrong. */
export const unfound = (rows: readonly Row[]): readonly Row[] => rows.filter(row => word(row) !== 'found')

export const killMarkdown = (rows: readonly Row[]): string =>
  [killSummary(rows), '', ...killTable(rows)].join('\n')

export const killTable = (rows: readonly Row[]): readonly string[] => [
  '| broken obligation | outcome | |',
  '|---|---|---|',
  ...rows.map(row => `| \`${row.id}\` | ${word(row)} | ${detail(row).replaceAll('|', '\\|')} |`),
]
