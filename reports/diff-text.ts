import { duration, thousands } from './count.ts'
import { type Change, type Diff, isWorse } from './diff.ts'
import { colourOf, createPaint, type Paint } from './paint.ts'
import { safeText } from './safe-text.ts'

// Of each kind of change so many are named, unless all are asked for.
const named = 40

export type DiffOptions = { readonly colour: boolean; readonly all: boolean }

/** What changed between two runs, for people. */
export const diffText = (diff: Diff, { colour, all }: DiffOptions): string => {
  const paint = createPaint(colour)
  const sections = sectionsOf(diff).map(({ title, rows }) => [
    `  ${paint('bold', `${title}: ${thousands(rows.length)}`)}`,
    ...(all ? rows : rows.slice(0, named)).map(row => `    ${rowText(row, paint)}`),
    ...(!all && rows.length > named ? [`    and ${thousands(rows.length - named)} more (--verbose)`] : []),
  ])
  const observed = diff.observations.map(
    ({ id, before, after }) => `    ${safeText(id)}   ${safeText(before)} → ${safeText(after)}`,
  )
  const blocks = [
    [`${paint('bold', 'old')}  ${sideText(diff.old)}`, `${paint('bold', 'new')}  ${sideText(diff.new)}`],
    diff.apart.map(text => `  ${paint('yellow', 'not alike')}  ${safeText(text)}`),
    ...sections,
    observed.length === 0
      ? []
      : [`  ${paint('bold', `observed otherwise: ${observed.length}`)}`, ...observed],
    figures(diff).map(text => `  ${paint('dim', text)}`),
    [`${paint(['bold', isWorse(diff) ? 'red' : 'green'], verdictOf(diff))}   ${countsOf(diff)}`],
  ]
  return `${blocks
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

/** The same as Markdown, for a pull request. */
export const diffMarkdown = (diff: Diff): string => {
  const sections = sectionsOf(diff).flatMap(({ title, rows }) => [
    `### ${title}: ${thousands(rows.length)}`,
    '',
    '| promise | level | before | now | |',
    '|---|---|---|---|---|',
    ...rows
      .slice(0, named)
      .map(
        ({ id, level, before, after, because }) =>
          `| ${code(id)} | ${level} | ${before ?? '–'} | ${after ?? '–'} | ${plain(because ?? '')} |`,
      ),
    ...(rows.length > named ? ['', `and ${thousands(rows.length - named)} more`] : []),
    '',
  ])
  const observed = diff.observations.map(
    ({ id, before, after }) => `| ${code(id)} | ${plain(before)} | ${plain(after)} |`,
  )
  return [
    `## ${verdictOf(diff)}`,
    '',
    countsOf(diff),
    '',
    ...diff.apart.map(text => `- ⚠ ${plain(text)}`),
    ...(diff.apart.length > 0 ? [''] : []),
    ...sections,
    ...(observed.length === 0
      ? []
      : [
          `### observed otherwise: ${observed.length}`,
          '',
          '| question | before | now |',
          '|---|---|---|',
          ...observed,
          '',
        ]),
    `old: ${plain(sideText(diff.old))}<br>new: ${plain(sideText(diff.new))}<br>${figures(diff).map(plain).join('<br>')}`,
    '',
  ].join('\n')
}

/** The same as one JSON object; `plantstore-diff` version 1. */
export const diffJson = (diff: Diff): string =>
  `${JSON.stringify({ format: 'plantstore-diff', version: 1, worse: isWorse(diff), ...diff }, null, 2)}\n`

const sectionsOf = (diff: Diff): readonly { readonly title: string; readonly rows: readonly Change[] }[] =>
  [
    { title: 'broke', rows: diff.broke },
    { title: 'broken otherwise', rows: diff.otherwise },
    { title: 'mended', rows: diff.mended },
    { title: 'not judged any more', rows: diff.lost },
    { title: 'judged now', rows: diff.gained },
    { title: 'promised now', rows: diff.appeared },
    { title: 'not promised any more', rows: diff.disappeared },
  ].filter(({ rows }) => rows.length > 0)

const rowText = ({ id, level, before, after, because }: Change, paint: Paint): string => {
  const now = after === null ? '–' : paint(colourOf[after], after)
  const why = because === null ? '' : ` · ${safeText(because)}`
  return `${safeText(id)}   ${level} · ${before ?? '–'} → ${now}${why}`
}

const verdictOf = (diff: Diff): string => {
  if (isWorse(diff)) return 'BROKE'
  const plain = diff.broke.length > 0 ? 'NOTHING BROKE THAT IS NOT ACCEPTED' : 'NOTHING BROKE'
  // What was not looked at may be broken as well.
  return diff.lost.length > 0 ? `${plain}, BUT NOT ALL IS JUDGED ANY MORE` : plain
}

const countsOf = ({ broke, mended, otherwise, lost, observations }: Diff): string =>
  [
    `${thousands(broke.length)} broke`,
    `${thousands(mended.length)} mended`,
    ...(otherwise.length > 0 ? [`${thousands(otherwise.length)} broken otherwise`] : []),
    ...(lost.length > 0 ? [`${thousands(lost.length)} not judged any more`] : []),
    ...(observations.length > 0 ? [`${thousands(observations.length)} observed otherwise`] : []),
  ].join(' · ')

const sideText = ({ at, target, verdict }: Diff['old']): string => safeText(`${at}  ${target}  ${verdict}`)

const figures = ({ old, new: next }: Diff): readonly string[] => {
  const told = (value: number | null, text: (value: number) => string): string =>
    value === null ? '–' : text(value)
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  return [
    `cases ${thousands(old.cases)} → ${thousands(next.cases)} · requests ${told(old.requests, thousands)} → ${told(next.requests, thousands)} · ${told(old.ms, duration)} → ${told(next.ms, duration)}`,
    `answers within: half ${told(old.median, ms)} → ${told(next.median, ms)} · 95 % ${told(old.p95, ms)} → ${told(next.p95, ms)}`,
  ]
}

const code = (text: string): string => `\`${safeText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``
const plain = (text: string): string => safeText(text).replace(/[\\`*_[\]<>|#@]/g, '\\$&')
