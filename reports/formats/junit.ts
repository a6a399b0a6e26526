import type { Entry, Ledger } from '../../spec/index.ts'
import { safeText } from '../text/safe-text.ts'
import { type XmlElement, xmlDocument } from '../text/xml.ts'
import { headline } from '../view/conclusion.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/run-problem.ts'
import { summarise } from '../view/summary.ts'
import { runProperties, type TestCase, testCases } from '../view/test-case.ts'

/**
 * JUnit XML for CI systems: a test case for each obligation, in one suite. It is valid against the schemas of Jenkins' xUnit
 * plugin and of Maven Surefire, which knows no `testsuites`, no `timestamp`, and no `file` of a test case.
 */
export const junit = (ledger: Ledger): string => {
  const { title, version } = ledger.start.contract
  const summary = summarise(ledger)
  const caseOf = testCases(ledger)
  const properties = [...runProperties(ledger), ['started', ledger.start.at] as const].map(([name, value]) =>
    element('property', { name, value: safeText(value) }),
  )
  // JUnit knows tests only: a run that is no success is an error of a test of its own.
  const problem = runProblemOf(ledger, summary)
  const cases = [
    ...(problem === null ? [] : [runElement(problem)]),
    ...ledger.entries.map(entry => testCaseElement(entry, caseOf(entry))),
  ]
  const suffix = summary.conclusion === 'partial' ? ` (${headline(summary)})` : ''
  const suite = {
    name: `${safeText(`${title} ${version}`)}${suffix}`,
    time: seconds(ledger.entries.reduce((sum, entry) => sum + caseOf(entry).ms, 0)),
    ...countsOf(cases),
  }
  return xmlDocument(element('testsuite', suite, [element('properties', {}, properties), ...cases]))
}

const runElement = ({ title, lines, isAccepted }: RunProblem): XmlElement => {
  const result = element(
    isAccepted ? 'skipped' : 'error',
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
