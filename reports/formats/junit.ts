import { type Entry, type Ledger, safeText } from '../../spec/index.ts'
import { type XmlElement, xmlParts } from '../text/xml.ts'
import { headline } from '../view/conclusion.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/run-problem.ts'
import { isStrict, type Status, statusOf } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import { exchangeTimes, runProperties, type TestCase, testCases } from '../view/test-case.ts'

/**
 * JUnit XML for CI systems: a test case for each obligation, in one suite. It is valid against the schemas of Jenkins' xUnit
 * plugin and of Maven Surefire, which knows no `testsuites`, no `timestamp`, and no `file` of a test case.
 */
export const junit = (ledger: Ledger): Iterable<string> => {
  const { title, version } = ledger.start.contract
  const summary = summarise(ledger)
  const caseOf = testCases(ledger)
  const times = exchangeTimes(ledger)
  const properties = [...runProperties(ledger), ['started', ledger.start.at] as const].map(([name, value]) =>
    element('property', { name, value: safeText(value) }),
  )
  // JUnit knows tests only: a run that is no success is an error of a test of its own.
  const problem = runProblemOf(ledger, summary)
  const run = problem === null ? [] : [runElement(problem)]
  function* children(): Generator<XmlElement> {
    yield element('properties', {}, properties)
    yield* run
    for (const entry of ledger.entries) yield testCaseElement(entry, caseOf(entry))
  }
  const suffix = summary.conclusion === 'partial' ? ` (${headline(summary)})` : ''
  const suite = {
    name: `${safeText(`${title} ${version}`)}${suffix}`,
    time: seconds(ledger.entries.reduce((sum, { obligation }) => sum + (times.get(obligation.id) ?? 0), 0)),
    ...countsOf(ledger, problem),
  }
  return xmlParts({ name: 'testsuite', attributes: suite, content: children() })
}

const runResult = ({ isAccepted }: RunProblem): ResultName => (isAccepted ? 'skipped' : 'error')

const runElement = (problem: RunProblem): XmlElement => {
  const { title, lines, isAccepted } = problem
  const result = element(
    runResult(problem),
    { message: title, ...(isAccepted ? {} : { type: 'run' }) },
    lines.join('\n'),
  )
  return element('testcase', { classname: runTestName, name: runTestName, time: 0 }, [result])
}

const testCaseElement = ({ obligation, verdict }: Entry, testCase: TestCase): XmlElement =>
  element(
    'testcase',
    {
      classname: safeText(`${obligation.operation} · ${obligation.family}`),
      name: safeText(obligation.id),
      time: seconds(testCase.ms),
    },
    resultElements(verdict.kind, testCase),
  )

type ResultName = 'failure' | 'error' | 'skipped' | 'system-out'

/** The element for a result; null if it passed. */
const resultName = (kind: Entry['verdict']['kind'], status: Status): ResultName | null => {
  switch (kind) {
    case 'passed':
      return null
    case 'failed':
      return status === 'warning' ? 'system-out' : 'failure'
    case 'fixed':
      return 'failure'
    case 'inconclusive':
      return 'error'
    case 'waived':
    case 'baselined':
    case 'untested':
      return 'skipped'
    case 'observed':
      return 'system-out'
    default:
      return kind satisfies never
  }
}

// Some CI systems show the attribute of a result only, others its content only: both say what went wrong.
const resultElements = (
  kind: Entry['verdict']['kind'],
  { status, message, detail }: TestCase,
): readonly XmlElement[] => {
  const name = resultName(kind, status)
  switch (name) {
    case null:
      return []
    case 'system-out':
      return [element(name, {}, kind === 'failed' ? `warning: ${detail}` : detail)]
    case 'skipped':
      return [element(name, { message }, detail)]
    default:
      return [element(name, { message, type: kind }, detail)]
  }
}

const element = (
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement => ({ name, attributes, content })

/** What the suite says before its test cases, which are written one by one. */
const countsOf = (ledger: Ledger, problem: RunProblem | null): XmlElement['attributes'] => {
  const strict = isStrict(ledger)
  const counts = { failure: 0, error: 0, skipped: 0, 'system-out': 0 }
  if (problem !== null) counts[runResult(problem)] += 1
  for (const entry of ledger.entries) {
    const name = resultName(entry.verdict.kind, statusOf(entry, strict))
    if (name !== null) counts[name] += 1
  }
  return {
    tests: ledger.entries.length + (problem === null ? 0 : 1),
    failures: counts.failure,
    errors: counts.error,
    skipped: counts.skipped,
  }
}

const seconds = (ms: number): number => Math.round(ms) / 1000
