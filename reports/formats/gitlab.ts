import type { Ledger } from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { type Problem, problemsOf, runRule } from '../view/problem.ts'

const severities = { error: 'critical', warning: 'minor', note: 'info' } as const
const descriptionLimit = 1000

/**
 * GitLab's code quality report: a list of problems, each at its line of the document. GitLab compares it with that of
 * the target branch by fingerprint.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export const gitlab = (ledger: Ledger): string =>
  `${JSON.stringify(problemsOf(ledger).map(issueOf), null, 2)}\n`

const issueOf = (problem: Problem) => {
  const { rule, title, requirement, waiver, file, line, finding, fingerprint } = problem
  const evidence =
    finding === null ? '' : `. Expected: ${finding.text.expected}. Actual: ${finding.text.actual}`
  const excuse = waiver === null ? '' : ` (${waiver})`
  return {
    description: cutText(`${title}${excuse}. Requirement: ${requirement}${evidence}`, descriptionLimit),
    check_name: rule,
    fingerprint,
    severity: severityOf(problem),
    location: { path: file, lines: { begin: line } },
  }
}

const severityOf = ({ rule, severity, finding }: Problem) => {
  if (severity !== 'error') return severities[severity]
  if (rule === runRule) return 'blocker'
  // A failure that does not come every time is worth a look, but not worth stopping a merge at once.
  return finding?.text.isFlaky === true ? 'major' : severities.error
}
