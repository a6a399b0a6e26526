import type { Entry, IdentityRange, Ledger } from '../spec/index.ts'
import { plural, thousands } from './count.ts'
import { cutText } from './cut-text.ts'
import type { Paint } from './paint.ts'
import { safeText } from './safe-text.ts'
import type { Reason, Summary } from './summary.ts'

const width = 110
const named = 3
const questions = 40

/** What a run cannot say, and what else its reader should know. */
export const notesText = (
  ledger: Ledger,
  summary: Summary,
  verbosity: 'normal' | 'verbose',
  paint: Paint,
): readonly string[] => {
  const all = verbosity === 'verbose'
  const block = (label: string, lines: readonly string[]): readonly string[] =>
    lines.map((text, index) => `  ${paint('dim', (index === 0 ? label : '').padEnd(16))}  ${text}`)
  const reasonBlock = (label: string, reasons: readonly Reason[]): readonly string[] =>
    block(
      label,
      reasons.flatMap(reason => reasonLines(reason, all)),
    )
  const policies = Object.entries(ledger.start.policies).map(
    ([name, value]) => `${safeText(name)}: ${safeText(value)}`,
  )
  return [
    ...reasonBlock('mended', summary.mended),
    ...reasonBlock('waived', summary.waived),
    ...reasonBlock('baseline', summary.accepted),
    ...reasonBlock('inconclusive', summary.inconclusive),
    ...reasonBlock('not tested', summary.untested),
    ...block('open questions', questionLines(ledger, summary.observed, all)),
    ...block('judged with', joined(policies)),
    ...block('created', createdRanges(ledger).map(createdLine)),
    ...block(
      'note',
      ledger.notes.map(({ level, message }) =>
        level === 'warning' ? paint('yellow', safeText(message)) : safeText(message),
      ),
    ),
  ]
}

const reasonLines = ({ because, entries }: Reason, all: boolean): readonly string[] => {
  const ids = entries.map(({ obligation }) => safeText(obligation.id))
  const shown = all ? ids : ids.slice(0, named)
  const more = ids.length - shown.length
  return [
    `${thousands(ids.length)}: ${safeText(because)}`,
    ...shown.map(id => `  ${id}`),
    ...(more > 0 ? [`  and ${thousands(more)} more`] : []),
  ]
}

/** `createPlant/open/duplicate-id` → `duplicate id`: the operation is named where there are several. */
const questionName = ({ obligation }: Entry, several: boolean): string => {
  const name = obligation.id
    .replace(`${obligation.operation}/`, '')
    .replace(/^open\//, '')
    .replaceAll('-', ' ')
  return safeText(several ? `${obligation.operation} ${name}` : name)
}

const questionLines = (ledger: Ledger, observed: readonly Entry[], all: boolean): readonly string[] => {
  const several = ledger.start.operations.length > 1
  const told = observed.map(entry => {
    const what = entry.verdict.kind === 'observed' ? entry.verdict.what : ''
    return `${questionName(entry, several)}: ${cutText(safeText(what), 120)}`
  })
  const shown = all ? told : told.slice(0, questions)
  return [
    ...joined(shown),
    ...(shown.length < told.length ? [`and ${plural(told.length - shown.length, 'more observation')}`] : []),
  ]
}

// Several short texts on a line, never one broken in two.
const joined = (texts: readonly string[]): readonly string[] => {
  const lines: string[] = []
  for (const text of texts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + text.length + 3 <= width)
      lines[lines.length - 1] = `${last} · ${text}`
    else lines.push(text)
  }
  return lines
}

/** The ranges of what a run may have created: none where nothing was sent. */
export const createdRanges = ({ start, end }: Ledger): readonly IdentityRange[] =>
  end?.cases === 0 ? [] : start.identities

/** `createPlant id 4711…5710, and 0, 1, -1`: what to look for when the run's traces are to be removed. */
export const createdLine = ({ operation, place, from, to, also }: IdentityRange): string => {
  const range = from === to ? from : `${from}…${to}`
  return safeText(`${operation} ${place} ${range}${also.length === 0 ? '' : `, and ${also.join(', ')}`}`)
}
