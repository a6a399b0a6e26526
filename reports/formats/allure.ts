import { type Entry, type Ledger, type Level, safeText } from '../../spec/index.ts'
import { nameFrom, uuidFrom } from '../text/stable-name.ts'
import { outcomeLines, requestLines } from '../view/exchange-text.ts'
import { type RunProblem, runProblemOf, runTestName } from '../view/problem.ts'
import type { Status } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import { runProperties, type TestCase, testCases, testResults } from '../view/test-case.ts'

/** One file of a report that is a folder of files. */
export type ReportFile = { readonly name: string; readonly text: string }

// In Allure's words a test that could not judge is broken.
const allureStatus = (status: Status): 'passed' | 'failed' | 'skipped' | 'broken' => {
  const result = testResults[status]
  return result === 'unclear' ? 'broken' : result
}

const severities = { MUST: 'critical', SHOULD: 'minor', OBSERVE: 'trivial' } as const satisfies Readonly<
  Record<Level, string>
>

/** Allure results: a file for each obligation, the exchange of each finding, and what the run was made with. */
export const allure = (ledger: Ledger): readonly ReportFile[] => {
  const caseOf = testCases(ledger)
  const problem = runProblemOf(ledger, summarise(ledger))
  return [
    ...(problem === null ? [] : [runFile(ledger, problem)]),
    ...ledger.entries.flatMap(entry => filesOf(ledger, entry, caseOf(entry))),
    { name: 'environment.properties', text: environmentOf(ledger) },
    { name: 'categories.json', text: `${JSON.stringify(categories, null, 2)}\n` },
  ]
}

const runFile = ({ start }: Ledger, { title, lines, isAccepted }: RunProblem): ReportFile => {
  const uuid = uuidFrom(start.at, start.target, runTestName)
  const began = Date.parse(start.at) || 0
  const result = {
    uuid,
    name: runTestName,
    historyId: nameFrom(start.contract.title, runTestName).slice(0, 32),
    fullName: runTestName,
    status: isAccepted ? 'skipped' : 'broken',
    statusDetails: { message: title, trace: lines.join('\n') },
    stage: 'finished',
    steps: [],
    attachments: [],
    parameters: [],
    labels: [{ name: 'epic', value: safeText(start.contract.title) }],
    links: [],
    start: began,
    stop: began,
  }
  return { name: `${filePrefix}${uuid}-result.json`, text: `${JSON.stringify(result, null, 2)}\n` }
}

const filesOf = (ledger: Ledger, entry: Entry, testCase: TestCase): readonly ReportFile[] => {
  const { start } = ledger
  const { id, operation, family } = entry.obligation
  const { status, title, requirement, message, detail, ms, finding } = testCase
  const uuid = uuidFrom(start.at, start.target, ledger.end?.digest ?? '', id)
  const exchange = exchangeOf(uuid, testCase)
  const began = Date.parse(start.at) || 0
  // The same obligation of the same contract is the same test in the next run.
  const historyId = nameFrom(start.contract.title, id).slice(0, 32)
  const result = {
    uuid,
    name: (status === 'warning' ? `warning: ${title}` : title) || safeText(id),
    historyId,
    testCaseId: historyId,
    fullName: safeText(id),
    titlePath: [safeText(operation), family],
    status: allureStatus(status),
    statusDetails: {
      message,
      ...(status === 'passed' || detail === message ? {} : { trace: detail }),
      ...(finding?.repeat === 'flaky' ? { flaky: true } : {}),
    },
    stage: 'finished',
    description: requirement,
    steps: [],
    attachments:
      exchange === null ? [] : [{ name: 'the smallest case', type: 'text/plain', source: exchange.name }],
    parameters: [],
    labels: labelsOf(ledger, entry, status),
    links: [],
    start: began,
    stop: began + Math.round(ms),
  }
  return [
    { name: `${filePrefix}${uuid}-result.json`, text: `${JSON.stringify(result, null, 2)}\n` },
    ...(exchange === null ? [] : [exchange]),
  ]
}

/** Several tools may share a results folder; our files begin with this. */
export const filePrefix = 'plantstore-'

/** The request and the response of a finding. */
const exchangeOf = (uuid: string, { finding }: TestCase): ReportFile | null =>
  finding === null
    ? null
    : {
        name: `${filePrefix}${uuid}-attachment.txt`,
        text: [...requestLines(finding.request), '', ...outcomeLines(finding.outcome), ''].join('\n'),
      }

const labelsOf = ({ start }: Ledger, { obligation }: Entry, status: Status) =>
  [
    ['epic', start.contract.title],
    ['feature', obligation.operation],
    ['story', obligation.family],
    ['parentSuite', start.contract.title],
    ['suite', obligation.operation],
    ['subSuite', obligation.family],
    ['severity', severities[obligation.level]],
    ['tag', obligation.level],
    ['tag', status],
    ['framework', start.product.name],
    ['host', start.target],
  ].map(([name = '', value = '']) => ({ name, value: safeText(value) }))

const categories = [
  { name: 'Failed requirements', matchedStatuses: ['failed'] },
  { name: 'Inconclusive', matchedStatuses: ['broken'] },
  { name: 'Not tested, waived or in the baseline', matchedStatuses: ['skipped'] },
]

/** Java properties: blanks, separators and everything beyond ASCII are escaped. */
const environmentOf = (ledger: Ledger): string =>
  runProperties(ledger)
    .map(([name, value]) => `${property(name)}=${property(value)}\n`)
    .join('')

const property = (text: string): string =>
  text
    .replace(/[\\=:#! ]/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
