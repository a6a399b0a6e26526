import {
  cut,
  type Entry,
  type IdentityRange,
  type Ledger,
  type Paint,
  plural,
  safeText,
  thousands,
} from '../../../spec/index.ts'
import { cutText } from '../../text/cut-text.ts'
import { titleText } from '../../view/finding-text.ts'
import type { ReasonGroup, Summary } from '../../view/summary.ts'

const width = 110
const namesShown = 3
const questionsShown = 40

/** What a run does not show, and what else its reader should know. */
export const notesText = (
  ledger: Ledger,
  summary: Summary,
  verbosity: 'normal' | 'verbose',
  paint: Paint,
): readonly string[] => {
  const isFull = verbosity === 'verbose'
  const block = (label: string, lines: readonly string[]): readonly string[] =>
    lines.map((text, index) => `  ${paint('dim', (index === 0 ? label : '').padEnd(16))}  ${text}`)
  const titles = new Map(ledger.findings.map(finding => [finding.obligation, titleText(finding)]))
  const nameOf = ({ obligation: { id } }: Entry): string => {
    const title = titles.get(id)
    return title === undefined ? safeText(id) : `${title} (${safeText(id)})`
  }
  const reasonBlock = (label: string, groups: readonly ReasonGroup[]): readonly string[] =>
    block(
      label,
      groups.flatMap(({ reason, entries }) => reasonLines(reason, entries.map(nameOf), isFull)),
    )
  return [
    ...reasonBlock('fixed', summary.fixed),
    ...reasonBlock('waived', summary.waived),
    ...reasonBlock('baselined', summary.baselined),
    ...reasonBlock('inconclusive', summary.inconclusive),
    ...reasonBlock('untested', summary.untested),
    ...block('open questions', questionLines(ledger, summary.observed, isFull)),
    ...block('policies', policyLines(ledger)),
    ...block('test data', createdRanges(ledger).map(createdLine)),
    ...block(
      'note',
      ledger.notes.map(({ level, message }) =>
        level === 'warning' ? paint('yellow', safeText(message)) : safeText(message),
      ),
    ),
  ]
}

/** By which rules the run judged, several on a line. */
export const policyLines = ({ start }: Ledger): readonly string[] =>
  joined(
    Object.entries(start.policies).map(([name, value]) => `${safeText(name)}: ${safeText(value)}`),
    ' · ',
  )

const reasonLines = (reason: string, names: readonly string[], isFull: boolean): readonly string[] => {
  const shown = isFull ? names : names.slice(0, namesShown)
  const more = names.length - shown.length
  return [
    `${thousands(names.length)}: ${safeText(reason)}`,
    ...shown.map(name => `  ${name}`),
    ...(more > 0 ? [`  and ${thousands(more)} more`] : []),
  ]
}

/** `createPlant/unspecified/duplicate-id` → `duplicate id`; with several operations, the operation comes first. */
const questionName = ({ obligation }: Entry, hasSeveral: boolean): string => {
  const { id, operation, question } = obligation
  // Ledgers of earlier versions do not name the question.
  if (question === undefined) return safeText(id)
  const name = question.replaceAll('-', ' ')
  return safeText(hasSeveral ? `${operation} ${name}` : name)
}

const questionLines = (ledger: Ledger, observed: readonly Entry[], isFull: boolean): readonly string[] => {
  const hasSeveral = ledger.start.operations.length > 1
  const questions = observed.map(entry => {
    const observation = entry.verdict.kind === 'observed' ? entry.verdict.observation : ''
    return `${questionName(entry, hasSeveral)}: ${cutText(safeText(observation), 120)}`
  })
  const shown = isFull ? questions : questions.slice(0, questionsShown)
  const more = questions.length - shown.length
  return [...joined(shown, '; '), ...(more > 0 ? [`and ${plural(more, 'more observation')}`] : [])]
}

// Puts several short texts on a line without breaking any of them.
const joined = (texts: readonly string[], separator: string): readonly string[] => {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + separator.length + text.length <= width)
      lines[lines.length - 1] = `${last}${separator}${text}`
    else lines.push(text)
  }
  return lines
}

/** The ranges of ids that a run may have created; none if nothing was sent. */
export const createdRanges = ({ start, end }: Ledger): readonly IdentityRange[] =>
  end?.cases === 0 ? [] : start.identities

/** `createPlant id 4711…5710, and 0, 1, -1`: what to look for when the run's test data is to be removed. */
export const createdLine = ({ operation, place, from, to, also }: IdentityRange): string => {
  const range = from === to ? from : `${from}…${to}`
  const others = also.length === 0 ? '' : `, and ${also.map(cut).join(', ')}`
  return safeText(`${operation} ${place} ${range}${others}`)
}
