import { type Ledger, safeText, thousands } from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { headline } from '../view/conclusion.ts'
import { type Problem, problemsOf, runProblemOf, runRule } from '../view/problem.ts'
import { type Summary, summarise } from '../view/summary.ts'

/** GitHub shows at most this many annotations of a level for a step, and drops the rest without a word. */
const most = 10
const reasonsShown = 3
const titleLimit = 200
const messageLimit = 3000

type Level = 'notice' | 'warning' | 'error'

/** A step that fails needs an error that says why: a run that is no success may have no finding that does. */
const levelOf = (ledger: Ledger, summary: Summary): Level => {
  const problem = runProblemOf(ledger, summary)
  if (problem === null) return 'notice'
  return problem.isAccepted ? 'warning' : 'error'
}

/**
 * Annotations for GitHub Actions, as workflow commands: the verdict, then each finding at its line of the document. If
 * there are more than GitHub shows, the last one of a level says how many.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const github = (ledger: Ledger): string => {
  // The verdict says what is wrong with the run itself.
  const problems = problemsOf(ledger).filter(({ rule }) => rule !== runRule)
  const summary = summarise(ledger)
  const verdictLevel = levelOf(ledger, summary)
  const room = (level: Level): number => (verdictLevel === level ? most - 1 : most)
  return [
    workflowCommand(verdictLevel, ...verdictText(ledger, summary)),
    ...annotations(problems, 'error', room('error')),
    ...annotations(problems, 'warning', room('warning')),
    '',
  ].join('\n')
}

const annotations = (all: readonly Problem[], level: Level, limit: number): readonly string[] => {
  const problems = all.filter(({ severity }) => severity === level)
  const shown = problems.length > limit ? problems.slice(0, limit - 1) : problems
  const left = problems.length - shown.length
  return [
    ...shown.map(({ title, lines, file, line }) =>
      workflowCommand(
        level,
        { title: cutText(title, titleLimit), file, line: String(line) },
        lines.join('\n'),
      ),
    ),
    ...(left === 0
      ? []
      : [
          workflowCommand(
            level,
            { title: `${thousands(left)} more` },
            'the reports of this run list all of them',
          ),
        ]),
  ]
}

const verdictText = (ledger: Ledger, summary: Summary): [{ title: string }, string] => {
  const { start } = ledger
  const { counts, stopped, inconclusive, untested, conclusion } = summary
  const reasons = [...inconclusive, ...(conclusion === 'partial' ? untested : [])].slice(0, reasonsShown)
  const lines = [
    `${thousands(counts.passed)} passed, ${thousands(counts.failed)} failed, ${thousands(counts.inconclusive)} inconclusive, ${thousands(counts.untested)} not tested`,
    ...(stopped === null ? [] : [`incomplete run: ${safeText(stopped)}`]),
    ...reasons.map(({ reason, entries }) => `${thousands(entries.length)}: ${safeText(reason)}`),
  ]
  const title = `${headline(summary)}: ${cutText(safeText(start.contract.title), titleLimit)}`
  return [{ title }, lines.join('\n')]
}

/** A workflow command; whatever would end one of its parts is escaped. */
export const workflowCommand = (
  name: Level,
  properties: Readonly<Record<string, string>>,
  message: string,
): string => {
  const written = Object.entries(properties)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${name}${written.length === 0 ? '' : ` ${written.join(',')}`}::${escaped(cutText(message, messageLimit))}`
}

const escaped = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
