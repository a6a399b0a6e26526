import { type Entry, type Ledger, plural, safeText, thousands } from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'
import { type XmlElement, xmlParts } from '../text/xml.ts'
import { headline } from '../view/conclusion.ts'
import { familyMeanings } from '../view/matrix.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/problem.ts'
import type { Status } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import { exchangeTimes, runProperties, type TestCase, testCases } from '../view/test-case.ts'

/**
 * JUnit XML for CI systems: a test case for each operation and family, in one suite. It is valid against the schemas of Jenkins' xUnit
 * plugin and of Maven Surefire, which knows no `testsuites`, no `timestamp`, and no `file` of a test case.
 */
export const junit = (ledger: Ledger): Iterable<string> =>
  suiteParts(ledger, groupsOf(ledger), groupResults(ledger), ({ operation, family }) => ({
    classname: operation,
    name: `${family}: ${familyMeanings[family]}`,
  }))

/** The same with a test case for each obligation. */
export const junitFull = (ledger: Ledger): Iterable<string> => {
  const caseOf = testCases(ledger)
  return suiteParts(
    ledger,
    ledger.entries.map(entry => [entry]),
    ([entry]) => resultOf(entry.verdict.kind, caseOf(entry)),
    ({ operation, family, id }) => ({ classname: `${operation} · ${family}`, name: id }),
  )
}

/** The entries that one test case stands for: at least one. */
type Group = readonly [Entry, ...Entry[]]

const groupsOf = ({ entries }: Ledger): readonly Group[] => {
  const groups = new Map<string, [Entry, ...Entry[]]>()
  for (const entry of entries) {
    const { operation, family } = entry.obligation
    const group = groups.get(`${operation} ${family}`)
    if (group === undefined) groups.set(`${operation} ${family}`, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}

type ResultName = 'failure' | 'error' | 'skipped' | 'system-out'

type Result = {
  /** Null if it passed. */
  readonly name: ResultName | null
  readonly type: string
  readonly message: string
  readonly detail: string
}

/** The result of one requirement; `cause`: equal for what goes back to one cause. */
type RequirementResult = Result & { readonly cause: string }

const suiteParts = (
  ledger: Ledger,
  groups: readonly Group[],
  resultOfGroup: (group: Group) => Result,
  nameOf: (obligation: Entry['obligation']) => { readonly classname: string; readonly name: string },
): Iterable<string> => {
  const { title, version } = ledger.start.contract
  const summary = summarise(ledger)
  const times = exchangeTimes(ledger)
  const timeOf = (group: readonly Entry[]): number =>
    seconds(group.reduce((sum, { obligation }) => sum + (times.get(obligation.id) ?? 0), 0))
  const properties = [...runProperties(ledger), ['started', ledger.start.at] as const].map(([name, value]) =>
    element('property', { name, value: safeText(value) }),
  )
  // JUnit knows tests only: a run that is no success is an error of a test of its own.
  const problem = runProblemOf(ledger, summary)
  const results = groups.map(resultOfGroup)
  function* children(): Generator<XmlElement> {
    yield element('properties', {}, properties)
    if (problem !== null) yield runElement(problem)
    for (const [index, group] of groups.entries()) {
      const { classname, name } = nameOf(group[0].obligation)
      yield element(
        'testcase',
        { classname: safeText(classname), name: safeText(name), time: timeOf(group) },
        resultElements(results[index] as Result),
      )
    }
  }
  const suffix = summary.conclusion === 'partial' ? ` (${headline(summary)})` : ''
  const suite = {
    name: `${safeText(`${title} ${version}`)}${suffix}`,
    time: timeOf(ledger.entries),
    ...countsOf(results, problem),
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

const resultOf = (
  kind: Entry['verdict']['kind'],
  { status, message, detail, finding }: TestCase,
): RequirementResult => {
  const name = resultName(kind, status)
  return {
    name,
    type: kind,
    message,
    detail: name === 'system-out' && kind === 'failed' ? `warning: ${detail}` : detail,
    cause: finding?.cause?.key ?? message,
  }
}

/** Evidence is given in full for the first finding of a cause, of so many in a test case, and of so many in all. */
const withEvidence = { inCase: 5, inAll: 200 } as const
const mostLines = 20
/** Characters of a reason, for what a server or a document says may be long. */
const longestMessage = 500

/** What became of all requirements of an operation and family: the worst decides. */
const groupResults = (ledger: Ledger): ((group: Group) => Result) => {
  const caseOf = testCases(ledger)
  const told = new Set<string>()
  const linesOf = (results: readonly RequirementResult[]): readonly string[] => {
    let left = Math.min(withEvidence.inCase, withEvidence.inAll - told.size)
    const shown = results.slice(0, mostLines).map(({ message, detail, cause }) => {
      if (left === 0 || told.has(cause)) return message
      told.add(cause)
      left -= 1
      return detail === '' ? message : detail
    })
    return results.length > mostLines
      ? [...shown, `and ${thousands(results.length - mostLines)} more`]
      : shown
  }
  return group => {
    const results = group.map(entry => {
      const result = resultOf(entry.verdict.kind, caseOf(entry))
      return { ...result, message: cutText(result.message, longestMessage) }
    })
    const of = (name: ResultName): readonly RequirementResult[] => results.filter(each => each.name === name)
    const passed = results.filter(({ name }) => name === null).length
    const [main = 'system-out'] = (['failure', 'error'] as const).filter(name => of(name).length > 0)
    const isSkipped = main === 'system-out' && of('skipped').length === results.length
    const name = isSkipped ? 'skipped' : main
    const [first, ...others] = of(name)
    const isAccepted = ({ type }: Result): boolean => type === 'waived' || type === 'baselined'
    const untested = Map.groupBy(
      of('skipped').filter(each => !isAccepted(each)),
      ({ message }) => message,
    )
    const detail = [
      `${thousands(passed)} of ${plural(results.length, 'requirement')} passed`,
      ...(isSkipped ? [] : linesOf(of(name))),
      ...linesOf(of('skipped').filter(isAccepted)),
      ...[...untested]
        .slice(0, mostLines)
        .map(([message, alike]) => `${plural(alike.length, 'requirement')} untested: ${message}`),
      ...(name === 'system-out' ? [] : linesOf(of('system-out'))),
    ]
    const more = others.length === 0 ? '' : `, and ${plural(others.length, `more ${nouns[name]}`)}`
    // What is skipped beside what passed is told as well.
    const isSilent = first === undefined && detail.length === 1
    return {
      name: isSilent ? null : name,
      type: first?.type ?? '',
      message: `${first?.message ?? ''}${more}`,
      detail: detail.join('\n\n'),
    }
  }
}

const nouns: Readonly<Record<ResultName, string>> = {
  failure: 'failure',
  error: 'inconclusive requirement',
  skipped: 'skipped requirement',
  'system-out': 'answer',
}

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
const resultElements = ({ name, type, message, detail }: Result): readonly XmlElement[] => {
  switch (name) {
    case null:
      return []
    case 'system-out':
      return [element(name, {}, detail)]
    case 'skipped':
      return [element(name, { message }, detail)]
    default:
      return [element(name, { message, type }, detail)]
  }
}

const element = (
  name: string,
  attributes: XmlElement['attributes'],
  content: XmlElement['content'] = [],
): XmlElement => ({ name, attributes, content })

/** What the suite says before its test cases, which are written one by one. */
const countsOf = (results: readonly Result[], problem: RunProblem | null): XmlElement['attributes'] => {
  const counts = { failure: 0, error: 0, skipped: 0, 'system-out': 0 }
  if (problem !== null) counts[runResult(problem)] += 1
  for (const { name } of results) if (name !== null) counts[name] += 1
  return {
    tests: results.length + (problem === null ? 0 : 1),
    failures: counts.failure,
    errors: counts.error,
    skipped: counts.skipped,
  }
}

const seconds = (ms: number): number => Math.round(ms) / 1000
