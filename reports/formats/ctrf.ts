import type { Entry, Ledger } from '../../spec/index.ts'
import { safeText } from '../text/safe-text.ts'
import { uuidFrom } from '../text/stable-name.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/run-problem.ts'
import type { Status } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import { runProperties, type TestCase, testCases, testResults } from '../view/test-case.ts'

const ctrfStatus = (status: Status): 'passed' | 'failed' | 'skipped' | 'other' => {
  const result = testResults[status]
  return result === 'unclear' ? 'other' : result
}

/**
 * The Common Test Report Format: a test for each obligation, its exact status in `rawStatus`, and one for the run itself if it is no
 * success although nothing failed.
 *
 * @see https://ctrf.io
 */
export const ctrf = (ledger: Ledger): string => {
  const { start, end } = ledger
  const caseOf = testCases(ledger)
  const began = Date.parse(start.at) || 0
  const ms = end?.ms ?? 0
  const problem = runProblemOf(ledger, summarise(ledger))
  const tests = [
    ...(problem === null ? [] : [runTest(problem)]),
    ...ledger.entries.map(entry => testOf(entry, caseOf(entry))),
  ]
  const count = (status: string): number => tests.filter(test => test.status === status).length
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    reportId: uuidFrom('report', start.at, start.target, end?.digest ?? ''),
    // The shards of one run share everything that it was started with.
    runId: uuidFrom(
      'run',
      start.contract.digest,
      start.target,
      String(start.seed),
      JSON.stringify(start.budget),
    ),
    timestamp: new Date(began).toISOString(),
    generatedBy: safeText(start.product.name),
    extra: Object.fromEntries(runProperties(ledger)),
    results: {
      tool: { name: safeText(start.product.name) || 'unknown', version: safeText(start.product.version) },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start: began,
        stop: began + ms,
        flaky: tests.filter(({ flaky }) => flaky === true).length,
        suites: new Set(tests.map(({ suite }) => JSON.stringify(suite))).size,
        duration: ms,
      },
      environment: { appName: safeText(start.contract.title), appVersion: safeText(start.contract.version) },
      tests,
    },
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

const runTest = ({ title, lines, isAccepted }: RunProblem) => ({
  name: runTestName,
  status: isAccepted ? ('other' as const) : ('failed' as const),
  duration: 0,
  testId: uuidFrom('run'),
  suite: [runTestName],
  message: title,
  trace: lines.join('\n'),
  rawStatus: 'run',
  type: 'contract',
  flaky: false,
})

const testOf = (
  { obligation, verdict }: Entry,
  { status, message, requirement, detail, ms, finding }: TestCase,
) => {
  const { id, operation, family, level, clause } = obligation
  return {
    name: safeText(id) || 'an obligation without an id',
    status: ctrfStatus(status),
    duration: Math.round(ms),
    testId: uuidFrom('obligation', id),
    suite: [safeText(operation), family],
    message,
    ...(status === 'passed' || status === 'observed' ? {} : { trace: detail }),
    line: Math.floor(clause.place.line),
    rawStatus: status,
    tags: [level, family],
    type: 'contract',
    filePath: safeText(clause.place.file),
    ...(finding === null ? {} : { flaky: finding.repeat === 'flaky' }),
    extra: {
      requirement,
      level,
      pointer: safeText(clause.pointer),
      rule: clause.rule === null ? null : safeText(clause.rule),
      cases: 'cases' in verdict ? verdict.cases : 0,
      ...(finding === null ? {} : { finding: safeText(finding.id) }),
    },
  }
}
