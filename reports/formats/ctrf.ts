import { type Entry, type Ledger, safeText } from '../../spec/index.ts'
import { jsonParts } from '../text/json-parts.ts'
import { uuidFrom } from '../text/stable-name.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/problem.ts'
import { countStatuses, isStrict, type Status } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import { runProperties, type TestCase, testCases, testResults } from '../view/test-case.ts'

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'other'

const ctrfStatus = (status: Status): CtrfStatus => {
  const result = testResults[status]
  return result === 'unclear' ? 'other' : result
}

/**
 * The Common Test Report Format: a test for each obligation, its exact status in `rawStatus`, and one for the run itself if it is no
 * success although nothing failed.
 *
 * @see https://ctrf.io
 */
export function* ctrf(ledger: Ledger): Generator<string> {
  const { start, end } = ledger
  const caseOf = testCases(ledger)
  const began = Date.parse(start.at) || 0
  const ms = end?.ms ?? 0
  const problem = runProblemOf(ledger, summarise(ledger))
  const run = problem === null ? [] : [runTest(problem)]
  function* tests() {
    yield* run
    for (const entry of ledger.entries) yield testOf(entry, caseOf(entry))
  }
  const statuses = countStatuses(ledger.entries, isStrict(ledger))
  const count = (result: CtrfStatus): number =>
    run.filter(({ status }) => status === result).length +
    (Object.keys(statuses) as Status[]).reduce(
      (sum, status) => sum + (ctrfStatus(status) === result ? statuses[status] : 0),
      0,
    )
  const suites = new Set(run.map(({ suite }) => JSON.stringify(suite)))
  let flaky = 0
  for (const entry of ledger.entries) {
    suites.add(JSON.stringify(suiteOf(entry.obligation)))
    if ('finding' in entry.verdict && caseOf(entry).finding?.repeat === 'flaky') flaky += 1
  }
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
        tests: run.length + ledger.entries.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start: began,
        stop: began + ms,
        flaky,
        suites: suites.size,
        duration: ms,
      },
      environment: { appName: safeText(start.contract.title), appVersion: safeText(start.contract.version) },
      tests: tests(),
    },
  }
  yield* jsonParts(report, 2)
  yield '\n'
}

const suiteOf = ({ operation, family }: Entry['obligation']): readonly string[] => [
  safeText(operation),
  family,
]

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
  const { id, family, level, clause } = obligation
  return {
    name: safeText(id) || 'an obligation without an id',
    status: ctrfStatus(status),
    duration: Math.round(ms),
    testId: uuidFrom('obligation', id),
    suite: suiteOf(obligation),
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
