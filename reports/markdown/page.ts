import type { Ledger } from '../../spec/index.ts'
import { answerLines } from '../answers.ts'
import { repeatCommand } from '../commands.ts'
import { type Counts, duration, plural, standings, thousands } from '../count.ts'
import { matrix } from '../matrix.ts'
import { type Problem, problemsOf } from '../problem.ts'
import { safeLines } from '../safe-text.ts'
import { type Reason, type Summary, summarise } from '../summary.ts'
import { code, codeBlock, prose } from './text.ts'

/** GitHub takes comments of 65,536 characters; a step summary may have 1 MiB, and GitLab takes more than both. */
const limit = 60_000
const rowsShown = 50
const namesShown = 3

/** A run as GitHub Flavored Markdown, for a comment on a pull request or a step summary: never too long for either. */
export const markdown = (ledger: Ledger): string => {
  const summary = summarise(ledger)
  const head = [...headOf(ledger, summary), ...tableOf(ledger)]
  const foot = [...openOf(ledger, summary), ...footOf(ledger)]
  const problems = problemsOf(ledger)
  const room = limit - lengthOf(head) - lengthOf(foot) - 200
  const told = within(
    problems.map((problem, index) => problemOf(problem, index + 1)),
    room,
  )
  const left = problems.length - told.length
  const more =
    left > 0 ? ['', `… and ${plural(left, 'more finding')}: see the other reports of this run.`] : []
  return `${[...head, ...told.flat(), ...more, ...foot].join('\n')}\n`
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0)

/** As many of the first blocks as there is room for. */
const within = (blocks: readonly (readonly string[])[], room: number): readonly (readonly string[])[] => {
  let left = room
  const end = blocks.findIndex(block => {
    left -= lengthOf(block)
    return left < 0
  })
  return end === -1 ? blocks : blocks.slice(0, end)
}

const marks = { conformant: '✅', broken: '❌', inconclusive: '⚠️' } as const

const headOf = ({ start }: Ledger, summary: Summary): readonly string[] => {
  const { counts, cases, ms, stopped } = summary
  const counted = standings
    .filter(standing => counts[standing] > 0 || standing === 'kept' || standing === 'broken')
    .map(standing => `${thousands(counts[standing])} ${standing}`)
  return [
    `## ${marks[summary.conclusion]} ${summary.verdict}: ${prose(short(`${start.contract.title} ${start.contract.version}`))}`,
    '',
    `${code(short(start.target))} · **${counted.join(' · ')}** · ${plural(cases, 'case')}${ms === null ? '' : ` in ${duration(ms)}`} · seed ${start.seed}`,
    ...(stopped === null ? [] : ['', `**The run is not whole:** ${prose(short(stopped))}`]),
  ]
}

const short = (text: string): string => Array.from(text).slice(0, 300).join('')

const columns = [
  'kept',
  'broken',
  'mended',
  'warning',
  'waived',
  'accepted',
  'inconclusive',
  'untested',
  'observed',
] as const

const tableOf = (ledger: Ledger): readonly string[] => {
  const rows = matrix(ledger)
  // What needs a look stands first where not all fit.
  const worst = [...rows].sort((a, b) => weight(b.counts) - weight(a.counts))
  const shown = rows.length <= rowsShown ? rows : worst.slice(0, rowsShown)
  const used = columns.filter(column => rows.some(({ counts }) => counts[column] > 0))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    '',
    line(['operation', ...used, 'cases']),
    line(['---', ...used.map(() => '--:'), '--:']),
    ...shown.map(({ operation, counts, cases }) =>
      line([
        // Bars would end the cell, in code as well.
        code(short(operation.id)).replaceAll('|', '\\|'),
        ...used.map(column => thousands(counts[column])),
        thousands(cases),
      ]),
    ),
    ...(rows.length > shown.length
      ? ['', `… and ${plural(rows.length - shown.length, 'more operation')}.`]
      : []),
  ]
}

const weight = ({ broken, mended, inconclusive, warning }: Counts): number =>
  (broken + mended) * 1e8 + inconclusive * 1e4 + warning

const levels = { error: 'broken', warning: 'warning', note: 'excused' } as const

const problemOf = (problem: Problem, number: number): readonly string[] => {
  const { promise, rule, level, file, line, finding, waiver, message } = problem
  const kind = finding === null ? 'mended' : levels[level]
  const flaky = finding?.answers.flaky === true ? ' · flaky' : ''
  return [
    '',
    `### ${number}. ${prose(short(promise))}`,
    '',
    `**${kind}**${flaky} · ${code(short(rule))} · ${code(short(`${file}:${line}`))}`,
    ...(finding === null ? ['', `**Kept again:** ${prose(short(message))}`] : []),
    ...(waiver === null ? [] : ['', `**Accepted for now:** ${prose(short(waiver))}`]),
    ...(finding === null
      ? []
      : [
          '',
          ...codeBlock(
            answerLines(finding.answers).map(([label, text]) => `${label.padEnd(9)} ${text}`.trimEnd()),
          ),
        ]),
  ]
}

/** What was not judged, and why; then what is worth knowing. */
const openOf = (ledger: Ledger, summary: Summary): readonly string[] => {
  const lines = [
    ...summary.inconclusive.map(reason => reasonLine('inconclusive', reason)),
    ...summary.untested.map(reason => reasonLine('not tested', reason)),
    ...ledger.notes.map(({ message }) => `- note: ${prose(short(message))}`),
  ]
  const shown = lines.slice(0, 20)
  if (shown.length === 0) return []
  const more = lines.length > shown.length ? [`- and ${lines.length - shown.length} more`] : []
  return ['', '### What this run does not say', '', ...shown, ...more]
}

const reasonLine = (kind: string, { because, entries }: Reason): string => {
  const names = entries.slice(0, namesShown).map(({ obligation }) => code(short(obligation.id)))
  const more = entries.length > namesShown ? ', …' : ''
  return `- ${thousands(entries.length)} ${kind}: ${prose(short(because))} (${names.join(', ')}${more})`
}

const footOf = ({ start }: Ledger): readonly string[] => [
  '',
  'The same requests again:',
  '',
  ...codeBlock(safeLines(repeatCommand(start)).map(short)),
]
