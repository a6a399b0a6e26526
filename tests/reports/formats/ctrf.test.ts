import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { getSchema, isCTRFReport, validateStrict } from 'ctrf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { start } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

// The schema of the standard.
const ajv = new Ajv.default({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(getSchema('0.0.0'))

type Test = { name: string; status: string; rawStatus: string; trace?: string; flaky?: boolean; line: number }
type Report = {
  runId: string
  reportId: string
  results: { summary: Record<string, number>; tests: readonly Test[] }
}

const read = (text: string): Report => {
  const report: unknown = JSON.parse(text)
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  expect(isCTRFReport(report)).toBe(true)
  return report as unknown as Report
}
const reportOf = (events: readonly RunEvent[]): Report => read(reports.ctrf.write(foldLedger(events)))
const testOf = (events: readonly RunEvent[], id: string): Test =>
  reportOf(events).results.tests.find(({ name }) => name === `createPlant/${id}`) as Test

test.each([...Object.entries(runs), ['many', many(100)] as const])(
  'the run %s conforms to the standard’s schema',
  (_name, run) => {
    reportOf(run)
  },
)

test('the reference implementation accepts it as well', () => {
  validateStrict(reportOf(runs.hostile))
})

test('an obligation is a test, and the summary counts them', () => {
  expect(reportOf(runs.fiveFailures).results.summary).toMatchObject({
    tests: 21,
    passed: 16,
    failed: 5,
    skipped: 0,
    other: 0,
    start: Date.parse('2026-11-21T09:30:00.000Z'),
    stop: Date.parse('2026-11-21T09:30:00.000Z') + 6480,
    duration: 6480,
  })
  expect(reportOf(runs.inconclusive).results.summary).toMatchObject({ failed: 1, skipped: 5, other: 3 })
})

test('a test has its exact status, its line, and the evidence of its failure', () => {
  const failed = testOf(runs.fiveFailures, 'request/body/id/type')
  expect(failed).toMatchObject({ status: 'failed', rawStatus: 'failed', flaky: false, line: 49 })
  expect(failed.trace).toContain('expected     400 application/json with an Error')
  expect(testOf(runs.fiveFailures, 'stability/concurrent').flaky).toBe(true)
  expect(testOf(runs.fiveFailures, 'response/200/echo/name')).toMatchObject({
    status: 'passed',
    rawStatus: 'warning',
  })
  expect(testOf(runs.waived, 'auth/none')).toMatchObject({ status: 'skipped', rawStatus: 'waived' })
  expect(testOf(runs.waived, 'request/body/name/type')).toMatchObject({
    status: 'failed',
    rawStatus: 'fixed',
  })
})

test('its ids follow from the ledger: the same bytes each time, and one run id for shards of a run', () => {
  expect(reports.ctrf.write(foldLedger(runs.fiveFailures))).toBe(
    reports.ctrf.write(foldLedger(runs.fiveFailures)),
  )
  const [first, shard] = [runs.conformant, [start({ at: '2026-11-21T09:31:00.000Z' })]].map(reportOf)
  expect(shard?.runId).toBe(first?.runId)
  expect(shard?.reportId).not.toBe(first?.reportId)
  expect(reportOf([start({ seed: 1 })]).runId).not.toBe(first?.runId)
})

test('with any text from a server it conforms and has the same verdicts', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const { tests } = read(reports.ctrf.write(ledger)).results
      expect(tests.map(({ status }) => status === 'failed')).toEqual(
        ledger.entries.map(
          ({ obligation, verdict }) => verdict.kind === 'failed' && obligation.level === 'MUST',
        ),
      )
    }),
  )
})
