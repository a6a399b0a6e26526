import {
  type Clause,
  type Finding,
  type Ledger,
  plural,
  type Repeat,
  safeLines,
  safeText,
  thousands,
  whereText,
} from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { type Cause, causeTitle, type OtherGroup, otherGroups, recordedObligations } from './causes.ts'
import { againCommand } from './commands.ts'
import { requestLine } from './exchange-text.ts'
import { orderedCauses } from './ordered-causes.ts'
import { summarise } from './summary.ts'

/** Everything that a report says of one finding; all text is safe to print. */
export type FindingText = {
  /** What went wrong: `accepted a request without credentials`. */
  readonly title: string
  readonly requirement: string
  /** `MUST · createPlant/auth/absent · plant-store.openapi.yaml:41 · rule 3` */
  readonly source: string
  readonly obligation: string
  readonly level: string
  readonly clause: string
  readonly expected: string
  readonly actual: string
  readonly request: string
  readonly replay: string
  readonly curl: readonly string[]
  /** Whether the curl command can be copied as it is shown. */
  readonly isCurlExact: boolean
  readonly hint: string
  /** Ids of the other obligations that fail for the same cause. */
  readonly also: readonly string[]
  /** `12 cases; repeating the request failed every time` */
  readonly occurrences: string
  readonly isFlaky: boolean
  /** Whether nothing but one case shows it, which no repetition confirmed. */
  readonly isSeenOnce: boolean
  /** The other findings of the same cause, in one line each. */
  readonly others: readonly string[]
  /** Where its cause does not show: `rejected, as it should be, at 3 other places: createPlant: \`tag\``; empty if that is not known. */
  readonly exceptions: string
}

const repeatText: Readonly<Record<Repeat, string>> = {
  steady: 'repeating the request failed every time',
  flaky: 'repeating the request failed only sometimes',
  unrepeated: 'not confirmed by a repetition',
}

const limit = 400
const listed = 8
const labelWidth = 12

/** `plant-store.openapi.yaml:41 · rule 3` */
export const clauseText = ({ place, rule }: Clause): string =>
  safeText(`${whereText(place)}${rule === null ? '' : ` · ${rule}`}`)

/** Returns the texts of any finding of this ledger. `path` is the ledger file as a reader would type it. */
export const findingTexts = (ledger: Ledger, path: string): ((finding: Finding) => FindingText) => {
  const obligations = recordedObligations(ledger.start)
  return finding => {
    const obligation = obligations.get(finding.obligation)
    const id = safeText(finding.obligation)
    const clause = obligation === undefined ? '' : clauseText(obligation.clause)
    const curl = safeLines(finding.curl)
    const isFlaky = finding.repeat === 'flaky'
    return {
      title: titleText(finding),
      requirement: safeText(obligation?.requirement ?? 'this ledger does not list the obligation'),
      source: [finding.level, id, clause].filter(part => part !== '').join(' · '),
      obligation: id,
      level: finding.level,
      clause,
      expected: cutText(safeText(finding.expected), limit),
      actual: cutText(safeText(finding.actual), limit),
      request: requestLine(finding.request, limit),
      replay: againCommand(path, finding, ledger.start),
      curl,
      isCurlExact: curl.join('\n') === finding.curl,
      hint: safeText(finding.hint),
      also: finding.also.map(safeText),
      occurrences: `${plural(finding.cases, 'case')}; ${repeatText[finding.repeat]}`,
      isFlaky,
      isSeenOnce: finding.repeat === 'unrepeated' && finding.cases === 1,
      others: [],
      exceptions: exceptionsText(finding),
    }
  }
}

/** The same of a cause: its title, the first finding, and where the others are. */
export const causeTexts = (ledger: Ledger, path: string): ((cause: Cause) => FindingText) => {
  const texts = findingTexts(ledger, path)
  return cause => ({
    ...texts(cause.findings[0]),
    title: causeHeading(cause),
    // They say nothing of the other causes that it is joined with.
    ...(cause.isJoined === true ? { exceptions: '' } : {}),
    others: otherGroups(cause, ledger).map(otherLine),
  })
}

/** The title of a cause, safe to print. */
export const causeHeading = (cause: Cause): string =>
  causeTitle(titleText({ ...cause.findings[0], title: cause.title }), cause)

const idsShown = 12
const placeWidth = 60

/** `createPlant: 01f, 02a`, with the places if they are known; `01f: accepted null as \`tag\``, if one finding has a line of its own. */
const otherLine = ({ label, findings }: OtherGroup): string => {
  const [first] = findings
  if (label === '' && first !== undefined) return `${safeText(first.finding.id)}: ${labelText(first.place)}`
  const listed = findings.slice(0, idsShown).map(({ finding, place }) => {
    const id = safeText(finding.id)
    return place === '' ? id : `${placeText(place)} (${id})`
  })
  const more = findings.length > idsShown ? ` and ${thousands(findings.length - idsShown)} more` : ''
  return `${labelText(label)}: ${listed.join(', ')}${more}`
}

/** A place or the label of a group, safe to print. */
export const placeText = (place: string): string => cutText(safeText(place), placeWidth)
export const labelText = (label: string): string => cutText(safeText(label), limit)

const exceptionsText = ({ cause }: Finding): string => {
  const { count = 0, places = [] } = cause?.exceptions ?? {}
  if (count === 0) return ''
  const more = count > places.length ? ` and ${thousands(count - places.length)} more` : ''
  return `rejected, as it should be, at ${plural(count, 'other place')}: ${safeText(places.join(', '))}${more}`
}

/** A finding's title, safe to print. */
export const titleText = ({ title, obligation }: Finding): string =>
  cutText(safeText(title), limit) || `failed ${safeText(obligation)}`

/** Shown under a curl command that cannot be copied as it is shown. */
export const inexact = '(invisible characters are escaped here; replay sends them unchanged)'

/** The cause that a finding goes back to, with all its places, as plain text; null if the ledger has no such finding. */
export const causeMessage = (ledger: Ledger, path: string, id: string): string | null => {
  const cause = orderedCauses(summarise(ledger))
    .map(({ cause: each }) => each)
    .find(({ findings }) => findings.some(finding => finding.id === id))
  const finding = cause?.findings.find(each => each.id === id)
  if (cause === undefined || finding === undefined) return null
  const findings = [finding, ...cause.findings.filter(each => each !== finding)] as Cause['findings']
  const text = causeTexts(ledger, path)({ ...cause, findings })
  const places = text.others.map((line, index) => [index === 0 ? 'same cause' : '', line] as const)
  const lines = [...findingLines({ ...text, others: [] }), ...places]
  return [text.title, '', ...inColumns(lines).map(line => `  ${line}`)].join('\n')
}

/** What stands under a finding's title, as lines of label and text, for reports that are plain text. */
export const findingLines = (text: FindingText): readonly (readonly [label: string, text: string])[] => [
  ['requirement', text.requirement],
  ['', text.source],
  ...evidenceLines(text),
]

/** The same without the requirement. */
export const evidenceLines = (text: FindingText): readonly (readonly [label: string, text: string])[] => [
  ['expected', text.expected],
  ['actual', text.actual],
  ['request', text.request],
  ...[text.replay, ...text.curl]
    .filter(command => command !== '')
    .map(shownCommand)
    .map((command, index) => [index === 0 ? 'reproduce' : '', command] as const),
  ...(text.isCurlExact ? [] : [['', inexact] as const]),
  ...(text.isFlaky ? [['flaky', `seen in ${text.occurrences}`] as const] : []),
  ...(text.isSeenOnce ? [['repeated', `no: seen in ${text.occurrences}`] as const] : []),
  ...(text.hint === '' ? [] : [['hint', text.hint] as const]),
  ...listLines('also failed', text.also),
  ...listLines('same cause', text.others),
  ...(text.exceptions === '' ? [] : [['but', text.exceptions] as const]),
]

const longestCommand = 2000

const shownCommand = (command: string): string =>
  command.length <= longestCommand
    ? command
    : `(the curl command has ${plural(command.length, 'character')}: too many to show here)`

/** A finding as plain text, for a reader who has no ledger yet to replay it from. */
export const findingMessage = (ledger: Ledger, finding: Finding): string => {
  const text = { ...findingTexts(ledger, '')(finding), replay: '' }
  return [text.title, ...inColumns(findingLines(text)).map(line => `  ${line}`)].join('\n')
}

/** Lines of label and text as two columns. */
export const inColumns = (
  lines: readonly (readonly [label: string, text: string])[],
  paintLabel: (label: string) => string = label => label,
): readonly string[] =>
  lines.map(([label, text]) => `${paintLabel(label.padEnd(labelWidth))} ${text}`.trimEnd())

const listLines = (
  label: string,
  all: readonly string[],
): readonly (readonly [label: string, text: string])[] => {
  const shown = all.slice(0, listed)
  const more = all.length > shown.length ? [`and ${thousands(all.length - shown.length)} more`] : []
  return [...shown, ...more].map((text, index) => [index === 0 ? label : '', text])
}
