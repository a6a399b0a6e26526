import { duration, type Ledger, plural, safeLines, safeText, thousands } from '../../../spec/index.ts'
import { repeatCommand } from '../../view/commands.ts'
import { conclusions, conclusionText, headline } from '../../view/conclusion.ts'
import { evidenceLines, inColumns } from '../../view/finding-text.ts'
import { matrix } from '../../view/matrix.ts'
import { type Problem, problemsOf } from '../../view/problem.ts'
import { type StatusCounts, statuses } from '../../view/status.ts'
import { type ReasonGroup, type Summary, summarise } from '../../view/summary.ts'

/** GitHub takes comments of 65,536 characters; a step summary may have 1 MiB, and GitLab takes more than both. */
const limit = 60_000
const rowsShown = 50
const notesShown = 20
const idsShown = 3

/** A run as GitHub Flavored Markdown, for a comment on a pull request or a step summary: never too long for either. */
export const markdown = (ledger: Ledger): string => {
  const summary = summarise(ledger)
  const head = [...headOf(ledger, summary), ...tableOf(ledger)]
  const foot = [...notesOf(ledger, summary), ...footOf(ledger)]
  const problems = problemsOf(ledger)
  const room = limit - lengthOf(head) - lengthOf(foot) - 200
  const shown = within(
    problems.map((problem, index) => problemBlock(problem, index + 1)),
    room,
  )
  const left = problems.length - shown.length
  const more = left > 0 ? ['', `… and ${plural(left, 'more cause')}: see the other reports of this run.`] : []
  return `${[...head, ...shown.flat(), ...more, ...foot].join('\n')}\n`
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

const headOf = ({ start }: Ledger, summary: Summary): readonly string[] => {
  const { counts, cases, ms, stopped, conclusion } = summary
  const counted = statuses
    .filter(status => counts[status] > 0 || status === 'passed' || status === 'failed')
    .map(status => `${thousands(counts[status])} ${status}`)
  const contract = prose(short(`${start.contract.title} ${start.contract.version}`))
  return [
    `## ${conclusions[conclusion].emoji} ${headline(summary)}: ${contract}`,
    '',
    `${code(short(start.target))} · **${counted.join(' · ')}** · ${plural(cases, 'case')}${ms === null ? '' : ` in ${duration(ms)}`} · seed ${start.seed}`,
    ...(conclusion === 'partial' ? ['', `**Partial run:** ${prose(conclusionText(summary))}`] : []),
    ...(stopped === null ? [] : ['', `**Incomplete run:** ${prose(short(stopped))}`]),
  ]
}

const short = (text: string): string => Array.from(text).slice(0, 300).join('')

const tableOf = (ledger: Ledger): readonly string[] => {
  const rows = matrix(ledger)
  // If not all rows fit, those that need a look come first.
  const worst = [...rows].sort((a, b) => weight(b.counts) - weight(a.counts))
  const shown = rows.length <= rowsShown ? rows : worst.slice(0, rowsShown)
  const used = statuses.filter(status => rows.some(({ counts }) => counts[status] > 0))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    '',
    line(['operation', ...used, 'cases']),
    line(['---', ...used.map(() => '--:'), '--:']),
    ...shown.map(({ operation, counts, cases }) =>
      line([
        // A bar ends the cell, even in code.
        code(short(operation.id)).replaceAll('|', '\\|'),
        ...used.map(status => thousands(counts[status])),
        thousands(cases),
      ]),
    ),
    ...(rows.length > shown.length
      ? ['', `… and ${plural(rows.length - shown.length, 'more operation')}.`]
      : []),
  ]
}

const weight = ({ failed, fixed, inconclusive, warning }: StatusCounts): number =>
  (failed + fixed) * 1e8 + inconclusive * 1e4 + warning

const kinds = { error: 'failed', warning: 'warning', note: 'accepted for now' } as const

const problemBlock = (problem: Problem, number: number): readonly string[] => {
  const { title, requirement, rule, severity, level, where, finding, waiver } = problem
  const kind = finding === null ? 'fixed' : kinds[severity]
  const flaky = finding?.text.isFlaky === true ? ' · flaky' : ''
  return [
    '',
    `### ${number}. ${prose(short(title))}`,
    '',
    `**${kind}**${flaky}${waiver === null ? '' : `: ${prose(short(waiver))}`}`,
    '',
    `Requirement: ${prose(short(requirement))} · ${level} · ${code(short(rule))} · ${code(short(where))}`,
    ...(finding === null ? [] : ['', ...codeBlock(inColumns(evidenceLines(finding.text)))]),
  ]
}

/** What has no result, and why; then the notes of the run. */
const notesOf = (ledger: Ledger, summary: Summary): readonly string[] => {
  const lines = [
    ...summary.inconclusive.map(group => reasonLine('inconclusive', group)),
    ...summary.untested.map(group => reasonLine('untested', group)),
    // Outside text at the beginning of an item could be Markdown.
    ...ledger.notes.map(({ level, message }) => `- ${level}: ${prose(short(message))}`),
  ]
  const shown = lines.slice(0, notesShown)
  if (shown.length === 0) return []
  const more = lines.length > shown.length ? [`- and ${lines.length - shown.length} more`] : []
  return ['', '### Notes', '', ...shown, ...more]
}

const reasonLine = (kind: string, { reason, entries }: ReasonGroup): string => {
  const ids = entries.slice(0, idsShown).map(({ obligation }) => code(short(obligation.id)))
  const more = entries.length > idsShown ? ', …' : ''
  return `- ${thousands(entries.length)} ${kind}: ${prose(short(reason))} (${ids.join(', ')}${more})`
}

const footOf = ({ start }: Ledger): readonly string[] => [
  '',
  'Reproduce this run:',
  '',
  ...codeBlock(safeLines(repeatCommand(start)).map(short)),
]

/** A code span of any text: its fence is longer than any run of backticks in it. */
export const code = (text: string): string => {
  const safe = safeText(text)
  if (safe.trim() === '') return ''
  const fence = '`'.repeat(longestRun(safe) + 1)
  const pad = /^[` ]|[` ]$/.test(safe) ? ' ' : ''
  return `${fence}${pad}${safe}${pad}${fence}`
}

/** A code block of these lines. */
export const codeBlock = (lines: readonly string[]): readonly string[] => {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return [`${fence}text`, ...lines, fence]
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/**
 * Text that is no Markdown except for code in backticks: it mentions nobody, refers to no issue and contains no link,
 * since whatever could begin one becomes code.
 */
export const prose = (text: string): string => {
  const parts = safeText(text).split('`')
  // Unpaired backticks are text like any other.
  if (parts.length % 2 === 0) return plain(parts.join('`'))
  return parts.map((part, index) => (index % 2 === 0 ? plain(part) : code(part))).join('')
}

const plain = (text: string): string =>
  text
    .split(/(\S+)/)
    .map(part => (/[@#]|:\/\/|www\.|GH-/i.test(part) ? code(part) : part.replace(/[!-/:-@[-`{-~]/g, escaped)))
    .join('')

// These have a meaning only at the beginning of a line, where no outside text stands.
const escaped = (char: string): string => (/[.,:;'"?/%()+={}-]/.test(char) ? char : `\\${char}`)
