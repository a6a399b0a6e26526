import { type Ledger, plural, safeLines, safeText, thousands } from '../../spec/index.ts'
import { beginning } from '../text/cut-text.ts'
import type { Cause } from '../view/causes.ts'
import { repeatCommand, replayCommand } from '../view/commands.ts'
import { conclusionText, headline } from '../view/conclusion.ts'
import { causeTexts, type FindingText } from '../view/finding-text.ts'
import { orderedCauses } from '../view/ordered-causes.ts'
import { isOfMock, mockText } from '../view/run-record.ts'
import { summarise } from '../view/summary.ts'
import { code, prose } from './markdown/text.ts'

/** Bytes of UTF-8 at most: an agent reads it once in each round of a loop. */
const limit = 4000
/** Characters of a line, of a command, and of a list of places. */
const [lineWidth, commandWidth, placesWidth] = [240, 360, 160]
/** Obligations that one command can name. */
const mostNamed = 8
/** Causes that are told at all, so that the first ones can be told in full. */
const mostTold = 10

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
    block(index + 1, status, texts(cause), checkOf(cause, path, ledger)),
  )
  const head = [
    `# ${headline(summary)}`,
    '',
    clipped(prose(conclusionText(summary)), lineWidth),
    ...(isOfMock(ledger.start) ? [mockText] : []),
  ]
  const foot = [
    '',
    ...againLines(
      ledger,
      causes.flatMap(({ cause, status }) => (status === 'failed' ? [cause.findings[0].obligation] : [])),
    ),
    'Mend the server, or the document if the server is right. Leave the baseline, waivers and `--skip` as they are.',
  ]
  const shown = within(blocks.slice(0, mostTold), limit - bytesOf([...head, ...foot]) - commandWidth)
  const told = shown.length
  const more =
    causes.length > told
      ? ['', `and ${plural(causes.length - told, 'more cause')}: ${code(`plantstore report ${path}`)}`]
      : []
  return `${[...head, ...shown.flat(), ...more, ...foot].join('\n')}\n`
}

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
  const command = replayCommand(path, findings[0].id, start)
  return findings.length > 1 && findings[0].cause !== undefined ? `${command} --cause` : command
}

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${beginning(text, most - 1)}…`

/** A cause in full, and the same without what one can do without. */
const block = (number: number, status: string, text: FindingText, again: string): Forms => {
  const head = ['', `## ${number}. ${prose(clipped(text.title, lineWidth))}`, '']
  const curl = text.curl.map(line => line.trim().replace(/\\$/, '').trim()).join(' ')
  const request = text.isCurlExact && curl.length <= commandWidth ? curl : text.request
  const evidence = [
    `- ${status}: ${prose(clipped(text.requirement, lineWidth))} · ${code(clipped(text.source, lineWidth))}`,
    `- request: ${code(clipped(request, commandWidth))}`,
    `- expected: ${prose(clipped(text.expected, lineWidth))}`,
    `- actual: ${code(clipped(text.actual, lineWidth))}`,
  ]
  const check = `- check: ${code(safeText(again))}`
  const short = `${code(clipped(text.obligation, placesWidth))} · check: ${code(safeText(again))}`
  const hint = text.hint === '' ? [] : [`- hint: ${prose(clipped(text.hint, lineWidth))}`]
  const places = [
    ...(text.others.length === 0 ? [] : [`- also: ${prose(clipped(text.others.join('; '), placesWidth))}`]),
    ...(text.exceptions === '' ? [] : [`- but ${prose(clipped(text.exceptions, placesWidth))}`]),
  ]
  return [
    [...head, ...evidence, ...hint, ...places, check],
    [...head, ...evidence, check],
    [...head.slice(0, 2), short],
  ]
}

/** The command that tests again what failed, and little else. */
const againLines = ({ start }: Ledger, failed: readonly string[]): readonly string[] => {
  let room = commandWidth
  const named = [...new Set(failed)].slice(0, mostNamed).filter(id => {
    room -= id.length + ' --only '.length
    return room >= 0
  })
  const only = named.length === 0 ? start.selection.only : named
  const [command = ''] = safeLines(repeatCommand({ ...start, selection: { ...start.selection, only } }))
  const what = named.length === 0 ? 'Run it again' : `Check the first ${thousands(named.length)} again`
  return [`${what}: ${code(clipped(command, 3 * commandWidth))}`, '']
}
