import type { Entry, Ledger } from '../../spec/index.ts'
import { safeText } from '../text/safe-text.ts'
import { type XmlElement, xmlDocument } from '../text/xml.ts'
import { headline } from '../view/conclusion.ts'
import { matrix } from '../view/matrix.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/run-problem.ts'
import { summarise } from '../view/summary.ts'
import { runProperties, type TestCase, testCases } from '../view/test-case.ts'

/** JUnit XML for CI systems: a suite for each operation, a test case for each obligation. */
export const junit = (ledger: Ledger): string => {
  const { title, version } = ledger.start.contract
  const summary = summarise(ledger)
  const entries = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const caseOf = testCases(ledger)
  const properties = runProperties(ledger).map(([name, value]) => element('property', { name, value }))
  const suites = matrix(ledger).map(({ operation }) => {
    const members = entries.get(operation.id) ?? []
    const milliseconds = members.reduce((sum, entry) => sum + caseOf(entry).ms, 0)
    const cases = members.map(entry => testCaseElement(entry, caseOf(entry)))
    return element(
      'testsuite',
      {
        name: safeText(operation.id),
        timestamp: safeText(ledger.start.at.slice(0, 19)),
        time: seconds(milliseconds),
        ...countsOf(cases),
      },
      [element('properties', {}, properties), ...cases],
    )
  })
  // JUnit knows tests only: a run that is no success is an error of a test of its own.
  const problem = runProblemOf(ledger, summary)
  const ofRun = problem === null ? [] : [runSuite(problem)]
  const suffix = summary.conclusion === 'partial' ? ` (${headline(summary)})` : ''
  const name = `${safeText(`${title} ${version}`)}${suffix}`
  const all = [...ofRun, ...suites].flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(child => child.name === 'testcase'),
  )
  return xmlDocument(element('testsuites', { name, ...countsOf(all) }, [...ofRun, ...suites]))
}

const runSuite = ({ title, lines, isAccepted }: RunProblem): XmlElement => {
  const result = element(
    isAccepted ? 'skipped' : 'error',
    { message: title, ...(isAccepted ? {} : { type: 'run' }) },
    lines.join('\n'),
  )
  const cases = [element('testcase', { classname: runTestName, name: runTestName, time: 0 }, [result])]
  return element('testsuite', { name: runTestName, time: 0, ...countsOf(cases) }, cases)
}

const testCaseElement = ({ obligation, verdict }: Entry, testCase: TestCase): XmlElement =>
  element(
    'testcase',
    {
      classname: safeText(`${obligation.operation} · ${obligation.family}`),
      name: safeText(obligation.id),
      file: safeText(obligation.clause.place.file),
      time: seconds(testCase.ms),
    },
    resultElements(verdict.kind, testCase),
  )

// Some CI systems show the attribute of a result only, others its content only: both say what went wrong.
const resultElements = (
  kind: Entry['verdict']['kind'],
  { status, message, detail }: TestCase,
): readonly XmlElement[] => {
  switch (kind) {
    case 'passed':
      return []
    case 'failed':
      return status === 'warning'
        ? [element('system-out', {}, `warning: ${detail}`)]
        : [element('failure', { message, type: kind }, detail)]
    case 'fixed':
      return [element('failure', { message, type: kind }, detail)]
    case 'inconclusive':
      return [element('error', { message, type: kind }, detail)]
    case 'waived':
    case 'baselined':
    case 'untested':
      return [element('skipped', { message }, detail)]
    case 'observed':
      return [element('system-out', {}, detail)]
    default:
      return kind satisfies never
  }
}

const element = (
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement => ({ name, attributes, content })

const countsOf = (cases: readonly XmlElement[]): XmlElement['attributes'] => {
  const results = cases.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const count = (name: string): number => results.filter(result => result.name === name).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

const seconds = (ms: number): number => Math.round(ms) / 1000
