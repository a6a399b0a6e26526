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
import { folders, type ReportFile, reports } from '../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../spec/index.ts'
import { anyLedger } from './ledgers.ts'
import { runs } from './runs.ts'

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

const told = (events: readonly RunEvent[]): Promise<Read> =>
  read(allure2, folders.allure.write(foldLedger(events)))
const resultOf = async (events: readonly RunEvent[], id: string): Promise<RawTestResult> =>
  (await told(events)).results.find(({ fullName }) => fullName === `createPlant/${id}`) as RawTestResult

test('Allure reads a test of each obligation, with its status', async () => {
  const { results } = await told(runs.inconclusive)
  expect(results).toHaveLength(21)
  const counts = Map.groupBy(results, ({ status }) => status)
  expect(counts.get('broken')).toHaveLength(3)
  expect(counts.get('skipped')).toHaveLength(5)
  expect(counts.get('passed')).toHaveLength(13)
})

test('a broken promise has its answers, and the exchange that shows it attached', async () => {
  const { attachments } = await told(runs.brokenFive)
  const result = await resultOf(runs.brokenFive, 'request/body/id/type')
  expect(result).toMatchObject({
    name: 'NewPlant.id is an integer',
    status: 'failed',
    message: 'MUST · NewPlant.id is an integer',
    titlePath: ['createPlant', 'refuse'],
  })
  expect(result.trace).toContain('wanted    400 application/json with an Error')
  expect(result.labels).toContainEqual({ name: 'severity', value: 'critical' })
  const attached = result.steps?.flatMap(step => (step.type === 'attachment' ? [step.originalFileName] : []))
  expect(attached).toHaveLength(1)
  expect(attached?.filter(name => attachments.includes(name ?? ''))).toEqual(attached)
  const file = folders.allure.write(foldLedger(runs.brokenFive)).find(({ name }) => name === attached?.[0])
  expect(file?.text).toContain('POST /plants')
  expect(file?.text).toContain('{"id":"0","name":""}')
})

test('a waived one is skipped, tells why, and has its exchange as well', async () => {
  const result = await resultOf(runs.waived, 'auth/none')
  expect(result).toMatchObject({
    status: 'skipped',
    message: 'waived by platform until 2027-03-31: the gateway answers 401 until March',
  })
  expect(result.steps?.map(({ type }) => type)).toEqual(['attachment'])
})

test('the next run of the same promise is the same test, in a file of its own', async () => {
  const later = runs.brokenFive.map(event =>
    event.type === 'start' ? { ...event, at: '2026-11-22T09:30:00.000Z' } : event,
  )
  const [first, second] = [await resultOf(runs.brokenFive, 'auth/none'), await resultOf(later, 'auth/none')]
  expect(second.historyId).toBe(first.historyId)
  expect(second.uuid).not.toBe(first.uuid)
})

test('the environment of the run is read as it was written', async () => {
  const { metadata } = await told(runs.conformant)
  expect(JSON.stringify(metadata)).toContain('https://staging.example.test')
  expect(JSON.stringify(metadata)).toContain('contract digest')
})

test('every file is ours by its name, but those that Allure looks for by theirs', () => {
  const names = folders.allure.write(foldLedger(runs.brokenFive)).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter(name => !name.startsWith(folders.allure.prefix))).toEqual([
    'environment.properties',
    'categories.json',
  ])
  for (const name of names) expect(name).toMatch(/^[\w.-]+$/)
})

test('whatever a server says, Allure reads the same verdicts, here and from JUnit', async () => {
  await fc.assert(
    fc.asyncProperty(anyLedger, async ledger => {
      const broken = ledger.entries.map(
        ({ obligation, verdict }) => verdict.kind === 'broken' && obligation.level === 'MUST',
      )
      const own = await read(allure2, folders.allure.write(ledger))
      expect(own.results.map(({ status }) => status === 'failed')).toEqual(broken)
      const xml = await read(junitXml, [{ name: 'junit.xml', text: reports.junit.write(ledger) }])
      expect(xml.results.map(({ status }) => status === 'failed')).toEqual(broken)
    }),
    { numRuns: 40 },
  )
})
