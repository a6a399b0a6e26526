import type { Clause, Finding, Ledger } from '../spec/index.ts'
import { replayCommand } from './commands.ts'
import { plural, thousands } from './count.ts'
import { cutText } from './cut-text.ts'
import { requestLine } from './message.ts'
import { safeLines, safeText } from './safe-text.ts'

/** The five answers that every finding gives, in order, and its hint: all text is safe to print. */
export type Answers = {
  readonly id: string
  readonly level: string
  readonly promise: string
  readonly clause: string
  readonly wanted: string
  readonly got: string
  readonly case: string
  readonly replay: string
  readonly curl: readonly string[]
  /** Whether the curl command can be copied as it is shown. */
  readonly curlExact: boolean
  readonly hint: string
  readonly also: readonly string[]
  /** How often it came: `12 cases, every time`. */
  readonly seen: string
  readonly flaky: boolean
}

const limit = 400
const alsoShown = 8

/** `plant-store.openapi.yaml:41 · rule 3` */
export const clauseText = ({ place, rule }: Clause): string =>
  safeText(`${place.file}:${place.line}${rule === null ? '' : ` · ${rule}`}`)

/** Looks up promises once for all findings of a ledger. `path` is the ledger file as a reader would type it. */
export const answersOf = (ledger: Ledger, path: string): ((finding: Finding) => Answers) => {
  const obligations = new Map(ledger.start.obligations.map(obligation => [obligation.id, obligation]))
  return finding => {
    const obligation = obligations.get(finding.obligation)
    const curl = safeLines(finding.curl)
    const flaky = finding.repeat === 'flaky'
    return {
      id: safeText(finding.obligation),
      level: finding.level,
      promise: safeText(obligation?.promise ?? 'an obligation that this ledger does not list'),
      clause: obligation === undefined ? '' : clauseText(obligation.clause),
      wanted: cutText(safeText(finding.wanted), limit),
      got: cutText(safeText(finding.got), limit),
      case: requestLine(finding.request, limit),
      replay: replayCommand(path, finding.id, ledger.start),
      curl,
      curlExact: curl.join('\n') === finding.curl,
      hint: safeText(finding.hint),
      also: finding.also.map(safeText),
      seen: `${plural(finding.cases, 'case')}, ${flaky ? 'but not every time the same was sent again' : 'each time the same was sent again'}`,
      flaky,
    }
  }
}

/** Said under a curl command that is not what it looks like. */
export const inexact =
  '(characters that cannot be seen are shown escaped here: replay sends them as they were)'

/** The answers as lines of `label` and text, for reports that are plain text. */
export const answerLines = (answers: Answers): readonly (readonly [label: string, text: string])[] => [
  ['wanted', answers.wanted],
  ['got', answers.got],
  ['for', answers.case],
  ['again', answers.replay],
  ...answers.curl.map(line => ['', line] as const),
  ...(answers.curlExact ? [] : [['', inexact] as const]),
  ...(answers.flaky ? [['flaky', `seen in ${answers.seen}`] as const] : []),
  ...(answers.hint === '' ? [] : [['hint', answers.hint] as const]),
  ...alsoLines(answers.also),
]

const alsoLines = (also: readonly string[]): readonly (readonly [label: string, text: string])[] => {
  const shown = also.slice(0, alsoShown)
  const more = also.length > shown.length ? [`and ${thousands(also.length - shown.length)} more`] : []
  return [...shown, ...more].map((id, index) => [index === 0 ? 'also' : '', id])
}
