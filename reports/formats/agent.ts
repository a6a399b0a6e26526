import { type Finding, type Ledger, plural, safeLines, safeText, thousands } from '../../spec/index.ts'
import { beginning } from '../text/cut-text.ts'
import type { Cause } from '../view/causes.ts'
import { againCommand, repeatCommand } from '../view/commands.ts'
import { conclusionText, headline } from '../view/conclusion.ts'
import { outcomeLine } from '../view/exchange-text.ts'
import { causeTexts, type FindingText } from '../view/finding-text.ts'
import { orderedCauses } from '../view/ordered-causes.ts'
import { isOfMock, mockText } from '../view/run-record.ts'
import { type Summary, summarise } from '../view/summary.ts'
import { code, codeBlock, prose } from './markdown/page.ts'

/** Bytes of UTF-8 at most: an agent reads it once in each round of a loop. */
const limit = 4000
/** Characters of a line, of a command, and of a list of places. */
const [lineWidth, commandWidth, placesWidth] = [240, 360, 240]
/** Obligations that one command can name. */
const mostNamed = 8
/** Causes that are told at all, so that the first ones can be told in full. */
const mostTold = 10
/** Reasons why something is not known, and lines of the document from the one that counts. */
const [mostReasons, excerptAfter] = [3, 5]

/** The lines of a cause, the longest form first. */
type Forms = readonly (readonly string[])[]

/**
 * A run for a program that mends the server: the causes by weight, each with its line of the document, the smallest request, what was expected,
 * what came, a hint, and the command that checks it again. `path`: the ledger file as a reader would type it.
 */
export const agent = (ledger: Ledger, path: string): string => {
  const summary = summarise(ledger)
  const texts = causeTexts(ledger, path)
  const causes = orderedCauses(summary).filter(({ status }) => status === 'failed' || status === 'warning')
  const blocks = causes.map(({ cause, status }, index) =>
    block(index + 1, status, cause, texts(cause), checkOf(cause, path, ledger)),
  )
  const head = [
    `# ${headline(summary)}`,
    '',
    clipped(prose(conclusionText(summary)), lineWidth),
    ...(isOfMock(ledger.start) ? [mockText] : []),
    ...limitLines(ledger, summary),
  ]
  const foot =
    causes.length === 0 && summary.conclusion === 'conformant' ? [] : ['', ...footLines(ledger, causes)]
  const shown = within(blocks.slice(0, mostTold), limit - bytesOf([...head, ...foot]) - commandWidth)
  const left = causes.slice(shown.length)
  const warnings = left.filter(({ status }) => status === 'warning').length
  const counts = [
    ...(left.length > warnings ? [plural(left.length - warnings, 'more cause')] : []),
    ...(warnings > 0 ? [`${plural(warnings, 'warning')} (SHOULD, without effect on the verdict)`] : []),
  ]
  const more =
    left.length === 0 ? [] : ['', `and ${counts.join(' and ')}: ${code(`plantstore report ${path}`)}`]
  return `${[...head, ...shown.flat(), ...more, ...foot].join('\n')}\n`
}

/** Why the run does not show everything: how it ended, and why most is untested or inconclusive. */
const limitLines = ({ notes }: Ledger, summary: Summary): readonly string[] => {
  const { stopped, untested, inconclusive } = summary
  const groups = [
    ...untested.map(group => ['untested', group] as const),
    ...inconclusive.map(group => ['inconclusive', group] as const),
  ].toSorted(([, left], [, right]) => right.entries.length - left.entries.length)
  const lines = [
    ...(stopped === null ? [] : [`- incomplete: ${prose(clipped(safeText(stopped), commandWidth))}`]),
    ...groups
      .slice(0, mostReasons)
      .map(
        ([kind, { reason, entries }]) =>
          `- ${thousands(entries.length)} ${kind}: ${prose(clipped(safeText(reason), lineWidth))}${entries.length === 1 ? ` (${code(safeText(entries[0]?.obligation.id ?? ''))})` : ''}`,
      ),
    ...notes
      .filter(({ level }) => level === 'warning')
      .slice(0, 1)
      .map(({ message }) => `- note: ${prose(clipped(safeText(message), lineWidth))}`),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

const footLines = (ledger: Ledger, causes: ReturnType<typeof orderedCauses>): readonly string[] => [
  ...againLines(
    ledger,
    causes.flatMap(({ cause, status }) =>
      status === 'failed' ? cause.findings.map(({ obligation }) => obligation) : [],
    ),
  ),
  ...(causes.length === 0
    ? []
    : [
        'Mend the server, or the document if the server is right. Do not get a passing run by a baseline, by waivers, or by leaving requirements out.',
      ]),
]

/** As many of the first causes as there is room for in their shortest form; then the first ones in a longer one. */
const within = (blocks: readonly Forms[], room: number): readonly (readonly string[])[] => {
  const shown: (readonly string[])[] = []
  let left = room
  for (const forms of blocks) {
    const shortest = forms.at(-1) ?? []
    left -= bytesOf(shortest)
    if (left < 0) break
    shown.push(shortest)
  }
  left = room - bytesOf(shown.flat())
  for (const at of shown.keys()) {
    const now = bytesOf(shown[at] ?? [])
    const longer = blocks[at]?.find(lines => bytesOf(lines) - now <= left)
    if (longer === undefined) break
    left -= bytesOf(longer) - now
    shown[at] = longer
  }
  return shown
}

const checkOf = ({ findings }: Cause, path: string, { start }: Ledger): string => {
  const command = againCommand(path, findings[0], start)
  return findings.length > 1 && findings[0].cause !== undefined ? `${command} --cause` : command
}

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most - 1)}…`

/** A cause in full, and the same without what one can do without. */
const block = (
  number: number,
  status: string,
  { findings }: Cause,
  text: FindingText,
  again: string,
): Forms => {
  const [finding] = findings
  const head = ['', `## ${number}. ${prose(clipped(text.title, lineWidth))}`, '']
  const curl = text.curl.map(line => line.trim().replace(/\\$/, '').trim()).join(' ')
  const request = text.isCurlExact && curl.length <= commandWidth ? curl : text.request
  const evidence = [
    `- ${status}: ${prose(clipped(text.requirement, lineWidth))} · ${code(clipped(text.source, lineWidth))}`,
    `- request: ${code(clipped(request, commandWidth))}`,
    // What is expected of a response in itself is the requirement.
    ...(finding.outcome.kind === 'response' && /^\d/.test(text.expected)
      ? [`- expected: ${prose(clipped(text.expected, lineWidth))}`]
      : []),
    `- answer: ${code(clipped(outcomeLine(finding.outcome, lineWidth), lineWidth))}`,
  ]
  const check = `- check: ${code(safeText(again))}`
  const hint = text.hint === '' ? [] : [`- hint: ${prose(clipped(text.hint, lineWidth))}`]
  const places = [
    ...(text.also.length === 0
      ? []
      : [`- failed as well: ${code(clipped(text.also.join(' '), placesWidth))}`]),
    ...(text.others.length === 0 ? [] : [`- also: ${code(clipped(text.others.join('; '), placesWidth))}`]),
    ...(text.exceptions === '' ? [] : [`- but ${code(clipped(text.exceptions, placesWidth))}`]),
  ]
  const short = `${status}: ${code(clipped(text.obligation, placesWidth))} · check: ${code(safeText(again))}`
  return [
    [...head, ...evidence, ...excerptLines(finding), ...hint, ...places, check],
    [...head, ...evidence, ...hint, ...places, check],
    [...head, ...evidence, ...hint, check],
    [...head, ...hint, `- ${short}`],
    [...head.slice(0, 2), short],
  ]
}

/** The lines of the document around the clause: few, and none if it is all in one. */
const excerptLines = ({ excerpt }: Finding): readonly string[] => {
  if (excerpt === undefined || excerpt.lines.length < 2) return []
  const at = excerpt.line - excerpt.from
  const lines = excerpt.lines
    .slice(Math.max(0, at - 1), at + excerptAfter)
    .map(line => clipped(safeText(line), 100))
  return ['- document:', ...codeBlock(lines)]
}

/** The command that tests again what failed, and little else; the whole run if that is too much for one. */
const againLines = ({ start }: Ledger, failed: readonly string[]): readonly string[] => {
  const named = [...new Set(failed)]
  const isShort = named.length <= mostNamed && named.join(' --only ').length <= commandWidth
  const only = named.length === 0 || !isShort ? start.selection.only : named
  const [command = ''] = safeLines(repeatCommand({ ...start, selection: { ...start.selection, only } }))
  return [
    `Check ${isShort && named.length > 0 ? 'what failed' : 'everything'} again: ${code(clipped(command, 3 * commandWidth))}`,
    '',
  ]
}
