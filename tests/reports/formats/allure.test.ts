import { allure2, junitXml } from '@allurereport/reader'
import {
  BufferResultFile,
  type RawMetadata,
  type RawTestResult,
  type ResultsReader,
  type ResultsVisitor,
} from '@allurereport/reader-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folders, type ReportFile, reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'

type Read = { results: RawTestResult[]; attachments: string[]; metadata: RawMetadata }

/** Reads a folder as Allure does. */
const read = async (reader: ResultsReader, files: readonly ReportFile[]): Promise<Read> => {
  const found: Read = { results: [], attachments: [], metadata: {} }
  const nothing = async (): Promise<void> => {}
  const visitor: ResultsVisitor = {
    visitTestResult: async result => void found.results.push(result),
    visitAttachmentFile: async file => void found.attachments.push(file.getOriginalFileName()),
    visitMetadata: async metadata => void Object.assign(found.metadata, metadata),
    visitCheckResult: nothing,
    visitMetrics: nothing,
    visitTestFixtureResult: nothing,
    visitGlobals: nothing,
  }
  for (const { name, text } of files)
    expect(await reader.read(visitor, new BufferResultFile(Buffer.from(text), name)), name).toBe(true)
  return found
}

const readRun = (events: readonly RunEvent[]): Promise<Read> =>
  read(allure2, folders.allure.write(foldLedger(events)))
const resultOf = async (events: readonly RunEvent[], id: string): Promise<RawTestResult> =>
  (await readRun(events)).results.find(({ fullName }) => fullName === `createPlant/${id}`) as RawTestResult

test('Allure reads a test of each obligation, with its status', async () => {
  const all = (await readRun(runs.inconclusive)).results
  const results = all.filter(({ name }) => name !== 'the run')
  expect(results).toHaveLength(21)
  const counts = Map.groupBy(results, ({ status }) => status)
  expect(counts.get('broken')).toHaveLength(3)
  expect(counts.get('skipped')).toHaveLength(5)
  expect(counts.get('passed')).toHaveLength(13)
})

test('a failed requirement has its evidence, and the exchange that shows it attached', async () => {
  const { attachments } = await readRun(runs.fiveFailures)
  const result = await resultOf(runs.fiveFailures, 'request/body/id/type')
  expect(result).toMatchObject({
    name: 'accepted `id` as a string of digits ("0")',
    status: 'failed',
    message: 'accepted `id` as a string of digits ("0")',
    titlePath: ['createPlant', 'reject'],
  })
  expect(result.trace).toContain('expected     400 application/json with an Error')
  expect(result.labels).toContainEqual({ name: 'severity', value: 'critical' })
  const attached = result.steps?.flatMap(step => (step.type === 'attachment' ? [step.originalFileName] : []))
  expect(attached).toHaveLength(1)
  expect(attached?.filter(name => attachments.includes(name ?? ''))).toEqual(attached)
  const file = folders.allure.write(foldLedger(runs.fiveFailures)).find(({ name }) => name === attached?.[0])
  expect(file?.text).toContain('POST /plants')
  expect(file?.text).toContain('{"id":"0","name":""}')
})

test('a waived one is skipped with its reason, and has its exchange as well', async () => {
  const result = await resultOf(runs.waived, 'auth/none')
  expect(result).toMatchObject({
    status: 'skipped',
    message:
      'answered an undeclared 401 to a request without credentials (waived by platform until 2027-03-31: the gateway answers 401 until March)',
  })
  expect(result.steps?.map(({ type }) => type)).toEqual(['attachment'])
})

test('the same obligation is the same test in the next run, in another file', async () => {
  const later = runs.fiveFailures.map(event =>
    event.type === 'start' ? { ...event, at: '2026-11-22T09:30:00.000Z' } : event,
  )
  const [first, second] = [await resultOf(runs.fiveFailures, 'auth/none'), await resultOf(later, 'auth/none')]
  expect(second.historyId).toBe(first.historyId)
  expect(second.uuid).not.toBe(first.uuid)
})

test('the environment of the run is read as it was written', async () => {
  const { metadata } = await readRun(runs.conformant)
  expect(JSON.stringify(metadata)).toContain('https://staging.example.test')
  expect(JSON.stringify(metadata)).toContain('contract digest')
})

test('every file has our prefix, except those that Allure expects under their own names', () => {
  const names = folders.allure.write(foldLedger(runs.fiveFailures)).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter(name => !name.startsWith(folders.allure.prefix))).toEqual([
    'environment.properties',
    'categories.json',
  ])
  for (const name of names) expect(name).toMatch(/^[\w.-]+$/)
})

test('with any text from a server Allure reads the same verdicts, here and from JUnit', async () => {
  await fc.assert(
    fc.asyncProperty(anyLedger, async ledger => {
      const failed = ledger.entries.map(
        ({ obligation, verdict }) => verdict.kind === 'failed' && obligation.level === 'MUST',
      )
      const results = await read(allure2, folders.allure.write(ledger))
      expect(results.results.map(({ status }) => status === 'failed')).toEqual(failed)
      const xml = await read(junitXml, [{ name: 'junit.xml', text: reports['junit-full'].write(ledger) }])
      expect(xml.results.map(({ status }) => status === 'failed')).toEqual(failed)
    }),
    { numRuns: 40 },
  )
})
