import type { Ledger } from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { nameFrom } from '../text/stable-name.ts'
import { headline } from '../view/conclusion.ts'
import { fileOf, type Problem, problemsOf } from '../view/problem.ts'
import { summarise } from '../view/summary.ts'

const severities = { error: 'critical', warning: 'minor', note: 'info' } as const
const descriptionLimit = 1000

/**
 * GitLab's code quality report: a list of problems, each at its line of the document. GitLab compares it with that of
 * the target branch by fingerprint.
 *
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export const gitlab = (ledger: Ledger): string =>
  `${JSON.stringify([...problemsOf(ledger).map(issueOf), ...partialIssue(ledger)], null, 2)}\n`

const issueOf = ({
  rule,
  severity,
  title,
  requirement,
  waiver,
  file,
  line,
  finding,
  fingerprint,
}: Problem) => {
  const evidence =
    finding === null ? '' : `. Expected: ${finding.text.expected}. Actual: ${finding.text.actual}`
  const excuse = waiver === null ? '' : ` (${waiver})`
  return {
    description: cutText(`${title}${excuse}. Requirement: ${requirement}${evidence}`, descriptionLimit),
    check_name: rule,
    fingerprint,
    // A failure that does not come every time is worth a look, but not worth stopping a merge at once.
    severity: severity === 'error' && finding?.text.isFlaky === true ? 'major' : severities[severity],
    location: { path: file, lines: { begin: line } },
  }
}

/** An empty list would look as if everything had been tested. */
const partialIssue = (ledger: Ledger) => {
  const summary = summarise(ledger)
  if (summary.conclusion !== 'partial') return []
  const { title, source } = ledger.start.contract
  return [
    {
      description: cutText(`${headline(summary)}. The other requirements were not tested.`, descriptionLimit),
      check_name: 'partial-run',
      fingerprint: nameFrom('partial-run', title),
      severity: 'minor',
      location: { path: fileOf(source), lines: { begin: 1 } },
    },
  ]
}
