import type { Ledger } from '../spec/index.ts'
import { cutText } from './cut-text.ts'
import { type Problem, problemsOf } from './problem.ts'

const severities = { error: 'critical', warning: 'minor', note: 'info' } as const

/**
 * GitLab's code quality report: a list of what is broken, each at its line of the document. GitLab compares it with
 * that of the target branch by fingerprint.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export const gitlab = (ledger: Ledger): string =>
  `${JSON.stringify(problemsOf(ledger).map(issueOf), null, 2)}\n`

const issueOf = ({ rule, level, message, waiver, file, line, finding, fingerprint }: Problem) => ({
  description: cutText(waiver === null ? message : `${message} (${waiver})`, 1000),
  check_name: rule,
  fingerprint,
  // What does not come every time is worth a look, and no reason to stop a merge at once.
  severity: level === 'error' && finding?.answers.flaky === true ? 'major' : severities[level],
  location: { path: file, lines: { begin: line } },
})
