import { createPaint, duration, type Paint, plural, safeText, thousands } from '../../spec/index.ts'
import { statusSigns, statusStyles } from '../view/status.ts'
import { type Change, type ComparedRun, type Diff, isWorse } from './diff.ts'

// So many changes of each kind are listed, unless all are asked for.
const listed = 40

export type DiffOptions = { readonly colour: boolean; readonly all: boolean }

/** What changed between two runs, for people. */
export const diffText = (diff: Diff, { colour, all }: DiffOptions): string => {
  const paint = createPaint(colour)
  const sections = sectionsOf(diff).map(({ title, rows }) => [
    `  ${paint('bold', `${title}: ${thousands(rows.length)}`)}`,
    ...(all ? rows : rows.slice(0, listed)).flatMap(row => rowLines(row, paint)),
    ...(!all && rows.length > listed ? [`    and ${thousands(rows.length - listed)} more (--verbose)`] : []),
  ])
  const observations = diff.observations.map(
    ({ id, before, after }) => `    ${safeText(id)}   ${safeText(before)} → ${safeText(after)}`,
  )
  const blocks = [
    [`${paint('bold', 'old')}  ${runText(diff.old)}`, `${paint('bold', 'new')}  ${runText(diff.new)}`],
    diff.differences.map(text => `  ${paint('yellow', 'differs')}  ${safeText(text)}`),
    ...sections,
    observations.length === 0
      ? []
      : [`  ${paint('bold', `observed differently: ${observations.length}`)}`, ...observations],
    figures(diff).map(text => `  ${paint('dim', text)}`),
    [
      `${paint(['bold', isWorse(diff) ? 'red' : isWhole(diff) ? 'green' : 'yellow'], verdictOf(diff))}   ${countsOf(diff)}`,
    ],
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
    '| finding or reason | requirement | level | before | now |',
    '|---|---|---|---|---|',
    ...rows
      .slice(0, listed)
      .map(
        ({ id, level, requirement, title: finding, before, after, reason }) =>
          `| ${plain(finding ?? reason ?? '')} | ${plain(requirement)}<br>${code(id)} | ${level} | ${before ?? '–'} | ${after ?? '–'} |`,
      ),
    ...(rows.length > listed ? ['', `and ${thousands(rows.length - listed)} more`] : []),
    '',
  ])
  const observations = diff.observations.map(
    ({ id, before, after }) => `| ${code(id)} | ${plain(before)} | ${plain(after)} |`,
  )
  return [
    `## ${verdictOf(diff)}`,
    '',
    countsOf(diff),
    '',
    ...diff.differences.map(text => `- ⚠ differs: ${plain(text)}`),
    ...(diff.differences.length > 0 ? [''] : []),
    ...sections,
    ...(observations.length === 0
      ? []
      : [
          `### observed differently: ${observations.length}`,
          '',
          '| question | before | now |',
          '|---|---|---|',
          ...observations,
          '',
        ]),
    `old: ${plain(runText(diff.old))}<br>new: ${plain(runText(diff.new))}<br>${figures(diff).map(plain).join('<br>')}`,
    '',
  ].join('\n')
}

/** The same as one JSON object: `plantstore-diff` version 1. */
export const diffJson = (diff: Diff): string =>
  `${JSON.stringify({ format: 'plantstore-diff', version: 1, worse: isWorse(diff), ...diff }, null, 2)}\n`

const sectionsOf = (diff: Diff): readonly { readonly title: string; readonly rows: readonly Change[] }[] =>
  [
    { title: 'new failures', rows: diff.newFailures },
    { title: 'failing for another cause', rows: diff.changedFailures },
    { title: 'fixed', rows: diff.fixed },
    { title: 'no longer judged', rows: diff.noLongerJudged },
    { title: 'newly judged', rows: diff.newlyJudged },
    { title: 'new requirements', rows: diff.added },
    { title: 'removed requirements', rows: diff.removed },
  ].filter(({ rows }) => rows.length > 0)

const rowLines = (change: Change, paint: Paint): readonly string[] => {
  const { id, level, requirement, title, before, after, reason } = change
  const now = after === null ? '–' : paint(statusStyles[after], after)
  const status = `${before ?? '–'} → ${now}`
  if (title === null || after === null)
    return [`    ${safeText(id)}   ${level} · ${status}${reason === null ? '' : ` · ${safeText(reason)}`}`]
  return [
    `    ${paint(statusStyles[after], `${statusSigns[after]} ${title}`)}   ${status}`,
    `      requirement  ${safeText(requirement)}`,
    `                   ${level} · ${safeText(id)}`,
  ]
}

/** Whether the newer run judged everything that the older one did, and is not partial. */
const isWhole = ({ noLongerJudged, new: next }: Diff): boolean =>
  noLongerJudged.length === 0 && !next.isPartial && !next.isInconclusive

const verdictOf = (diff: Diff): string => {
  if (isWorse(diff)) return 'NEW FAILURES'
  const verdict = diff.newFailures.length > 0 ? 'NO NEW FAILURES EXCEPT ACCEPTED ONES' : 'NO NEW FAILURES'
  if (isWhole(diff)) return verdict
  // What was not judged may fail as well.
  return diff.noLongerJudged.length > 0
    ? `${verdict}, BUT ${plural(diff.noLongerJudged.length, 'REQUIREMENT IS', 'REQUIREMENTS ARE')} NO LONGER JUDGED`
    : `${verdict}, BUT THE NEW RUN IS ${diff.new.isPartial ? 'PARTIAL' : 'INCONCLUSIVE'}`
}

const countsOf = (diff: Diff): string =>
  [
    plural(diff.newFailures.length, 'new failure'),
    `${thousands(diff.fixed.length)} fixed`,
    ...(diff.changedFailures.length > 0
      ? [`${thousands(diff.changedFailures.length)} failing for another cause`]
      : []),
    ...(diff.noLongerJudged.length > 0 ? [`${thousands(diff.noLongerJudged.length)} no longer judged`] : []),
    ...(diff.observations.length > 0 ? [`${thousands(diff.observations.length)} observed differently`] : []),
  ].join(' · ')

const runText = ({ at, target, verdict }: ComparedRun): string => safeText(`${at}  ${target}  ${verdict}`)

const figures = ({ old, new: next }: Diff): readonly string[] => {
  const orDash = (value: number | null, text: (value: number) => string): string =>
    value === null ? '–' : text(value)
  const ms = (value: number): string => `${value.toFixed(1)} ms`
  return [
    `cases ${thousands(old.cases)} → ${thousands(next.cases)} · requests ${orDash(old.requests, thousands)} → ${orDash(next.requests, thousands)} · ${orDash(old.ms, duration)} → ${orDash(next.ms, duration)}`,
    `response times: median ${orDash(old.median, ms)} → ${orDash(next.median, ms)} · 95th percentile ${orDash(old.p95, ms)} → ${orDash(next.p95, ms)}`,
  ]
}

const code = (text: string): string => `\`${safeText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``
const plain = (text: string): string => safeText(text).replace(/[\\`*_[\]<>|#@]/g, '\\$&')
