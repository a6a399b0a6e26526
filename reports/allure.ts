import { createRequire } from 'node:module'
import type { Entry, Ledger, Level } from '../spec/index.ts'
import type { Standing } from './count.ts'
import { outcomeLines, requestLines } from './exchange-text.ts'
import { nameFrom, uuidFrom } from './name-from.ts'
import type { ReportFile } from './report-file.ts'
import { safeText } from './safe-text.ts'
import { circumstances, resultOf, type Told, toldOf } from './told.ts'

// Loaded when it is first asked for: most runs write no Allure results.
const load = createRequire(import.meta.url)

type Sdk = typeof import('allure-js-commons/sdk/reporter')
type Result = ReturnType<Sdk['createTestResult']>
type Status = NonNullable<Result['status']>
type Severity = 'critical' | 'minor' | 'trivial'

// The package names these in an enum of a module that loads all of its runtime.
const statusOf = (standing: Standing): `${Status}` => {
  const result = resultOf[standing]
  return result === 'unclear' ? 'broken' : result
}

const severities: Readonly<Record<Level, Severity>> = {
  MUST: 'critical',
  SHOULD: 'minor',
  OBSERVE: 'trivial',
}

/** Allure results: a file for each obligation, the exchange of each finding, and what they were made with. */
export const allure = (ledger: Ledger): readonly ReportFile[] => {
  const { createTestResult } = load('allure-js-commons/sdk/reporter') as Sdk
  const told = toldOf(ledger)
  return [
    ...ledger.entries.flatMap(entry => filesOf(createTestResult, ledger, entry, told(entry))),
    { name: 'environment.properties', text: environmentOf(ledger) },
    { name: 'categories.json', text: `${JSON.stringify(categories, null, 2)}\n` },
  ]
}

const filesOf = (
  create: Sdk['createTestResult'],
  ledger: Ledger,
  entry: Entry,
  told: Told,
): readonly ReportFile[] => {
  const { start } = ledger
  const { id } = entry.obligation
  const uuid = uuidFrom(start.at, start.target, ledger.end?.digest ?? '', id)
  const exchange = exchangeOf(uuid, told)
  const began = Date.parse(start.at) || 0
  const lasting = nameFrom(start.contract.title, id).slice(0, 32)
  const result = {
    // The same promise of the same contract in the next run is the same test.
    ...create(uuid, lasting),
    testCaseId: lasting,
    name: safeText(entry.obligation.promise) || safeText(id),
    fullName: safeText(id),
    titlePath: [safeText(entry.obligation.operation), entry.obligation.family],
    status: statusOf(told.standing),
    stage: 'finished',
    statusDetails: {
      message: messageOf(told),
      ...(told.standing === 'kept' || told.detail === '' ? {} : { trace: told.detail }),
      ...(told.finding?.repeat === 'flaky' ? { flaky: true } : {}),
    },
    attachments:
      exchange === null ? [] : [{ name: 'the smallest case', type: 'text/plain', source: exchange.name }],
    labels: labelsOf(ledger, entry, told),
    start: began,
    stop: began + Math.round(told.ms),
  }
  return [
    { name: `${filePrefix}${uuid}-result.json`, text: `${JSON.stringify(result, null, 2)}\n` },
    ...(exchange === null ? [] : [exchange]),
  ]
}

/** Results of several tools may share a folder: these are ours. */
export const filePrefix = 'plantstore-'

const messageOf = ({ standing, promise, detail }: Told): string =>
  standing === 'kept' || standing === 'broken' || standing === 'warning' ? promise : detail

/** What was sent and what came, where something is broken. */
const exchangeOf = (uuid: string, { finding }: Told): ReportFile | null =>
  finding === null
    ? null
    : {
        name: `${filePrefix}${uuid}-attachment.txt`,
        text: [...requestLines(finding.request), '', ...outcomeLines(finding.outcome), ''].join('\n'),
      }

const labelsOf = ({ start }: Ledger, { obligation }: Entry, { standing }: Told) =>
  [
    ['epic', start.contract.title],
    ['feature', obligation.operation],
    ['story', obligation.family],
    ['parentSuite', start.contract.title],
    ['suite', obligation.operation],
    ['subSuite', obligation.family],
    ['severity', severities[obligation.level]],
    ['tag', obligation.level],
    ['tag', standing],
    ['framework', start.product.name],
    ['host', start.target],
  ].map(([name = '', value = '']) => ({ name, value: safeText(value) }))

const categories = [
  { name: 'Broken promises', matchedStatuses: ['failed'] },
  { name: 'Could not be judged', matchedStatuses: ['broken'] },
  { name: 'Accepted for now, or not tested', matchedStatuses: ['skipped'] },
]

/** Java properties: blanks, signs and what is not ASCII are escaped. */
const environmentOf = (ledger: Ledger): string =>
  circumstances(ledger)
    .map(([name, value]) => `${property(name)}=${property(value)}\n`)
    .join('')

const property = (text: string): string =>
  text
    .replace(/[\\=:#! ]/g, '\\$&')
    .replace(/[^\x20-\x7e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
