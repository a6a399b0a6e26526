import type { Ledger } from '../spec/index.ts'
import { thousands } from './count.ts'
import { cutText } from './cut-text.ts'
import { type Problem, problemsOf } from './problem.ts'
import { safeText } from './safe-text.ts'
import { type Summary, summarise } from './summary.ts'

/** GitHub shows so many annotations of a level for a step, and drops the rest without a word. */
const most = 10
const titleLimit = 200
const messageLimit = 3000

/**
 * Annotations for GitHub Actions, as workflow commands: what is broken at its line of the document, then the verdict.
 * Of more than GitHub shows, the last one of a level says how many there are.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const github = (ledger: Ledger): string => {
  const problems = problemsOf(ledger)
  const summary = summarise(ledger)
  // A step that fails has to have an error that says why: an inconclusive run may have no finding to say it.
  const level = summary.conclusion === 'inconclusive' ? 'error' : 'notice'
  return [
    verdictCommand(level, ledger, summary),
    ...annotations(problems, 'error', level === 'error' ? most - 1 : most),
    ...annotations(problems, 'warning', most),
    '',
  ].join('\n')
}

const annotations = (
  all: readonly Problem[],
  level: 'error' | 'warning',
  limit: number,
): readonly string[] => {
  const problems = all.filter(problem => problem.level === level)
  const shown = problems.length > limit ? problems.slice(0, limit - 1) : problems
  const left = problems.length - shown.length
  return [
    ...shown.map(({ rule, message, file, line, finding }) =>
      command(
        level,
        { title: cutText(rule, titleLimit), file, line: String(line) },
        [message, ...(finding === null ? [] : [`again: ${finding.answers.replay}`])].join('\n'),
      ),
    ),
    ...(left === 0
      ? []
      : [command(level, { title: `${thousands(left)} more` }, 'all of them are in the reports of this run')]),
  ]
}

const verdictCommand = (level: 'error' | 'notice', { start }: Ledger, summary: Summary): string => {
  const { verdict, counts, stopped, inconclusive } = summary
  const why = [
    ...(stopped === null ? [] : [`the run is not whole: ${safeText(stopped)}`]),
    ...inconclusive
      .slice(0, 3)
      .map(({ because, entries }) => `${thousands(entries.length)}: ${safeText(because)}`),
  ]
  const told = `${thousands(counts.kept)} kept, ${thousands(counts.broken)} broken, ${thousands(counts.inconclusive)} inconclusive`
  const title = `${verdict}: ${cutText(safeText(start.contract.title), titleLimit)}`
  return command(level, { title }, [told, ...why].join('\n'))
}

/** A workflow command with everything in it that would end one of its parts escaped. */
const command = (
  name: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string>>,
  message: string,
): string => {
  const given = Object.entries(properties)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${name}${given.length === 0 ? '' : ` ${given.join(',')}`}::${escaped(cutText(message, messageLimit))}`
}

const escaped = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
