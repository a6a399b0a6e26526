import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ledgerSchema, reportSchema, reports } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

const validate = new Ajv2020({ strict: true, allErrors: true, validateFormats: false })
  .addSchema(ledgerSchema)
  .compile(reportSchema)

const conforms = (text: string): true => {
  expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true)
  return true
}

test.each([...Object.entries(runs), ['many', many(100)]])(
  'the report of the run %s conforms to its published schema',
  (_name, run) => {
    conforms(reports.json.write(foldLedger(run)))
  },
)

test('so does the report of any run', () => {
  fc.assert(fc.property(anyLedger, ledger => conforms(reports.json.write(ledger))))
})

test('the schema rejects a report that lacks a member, has another one, or an unknown verdict', () => {
  const report = JSON.parse(reports.json.write(foldLedger(runs.fiveFailures)))
  expect(validate({ ...report, verdict: 'FINE' })).toBe(false)
  expect(validate({ ...report, extra: 1 })).toBe(false)
  const { seed: _seed, ...run } = report.run
  expect(validate({ ...report, run })).toBe(false)
})

test('it has the counts, the findings and the status of each obligation', () => {
  const report = JSON.parse(reports.json.write(foldLedger(runs.fiveFailures)))
  expect(report).toMatchObject({
    verdict: 'NOT CONFORMANT',
    strict: false,
    counts: { passed: 13, failed: 5, warning: 1, observed: 2, inconclusive: 0, untested: 0 },
    total: 21,
    tested: 21,
    run: { seed: 4242, stopped: 'done' },
  })
  expect(report.findings.map((each: { obligation: string }) => each.obligation)).toContain(
    'createPlant/auth/none',
  )
  expect(report.obligations[0]).toMatchObject({
    status: 'passed',
    verdict: { cases: 40 },
  })
})

test('the same ledger gives the same bytes, live or read back', () => {
  const ledger = foldLedger(runs.fiveFailures)
  expect(reports.json.write(structuredClone(ledger))).toBe(reports.json.write(ledger))
})
