import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reportSchema, reports } from '../../reports/index.ts'
import { foldLedger } from '../../spec/index.ts'
import { anyLedger } from './ledgers.ts'
import { many } from './many.ts'
import { runs } from './runs.ts'

const validate = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).compile(reportSchema)

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

test('the schema refuses a report that lacks something or has a word of its own', () => {
  const report = JSON.parse(reports.json.write(foldLedger(runs.brokenFive)))
  expect(validate({ ...report, verdict: 'FINE' })).toBe(false)
  expect(validate({ ...report, extra: 1 })).toBe(false)
  const { seed: _seed, ...run } = report.run
  expect(validate({ ...report, run })).toBe(false)
})

test('it says what was broken, by which finding, and what stays possible where nothing was', () => {
  const report = JSON.parse(reports.json.write(foldLedger(runs.brokenFive)))
  expect(report).toMatchObject({
    verdict: 'NOT CONFORMANT',
    strict: false,
    counts: { kept: 13, broken: 5, warning: 1, observed: 2, inconclusive: 0, untested: 0 },
    run: { seed: 4242, stopped: 'done' },
  })
  expect(report.findings.map((each: { obligation: string }) => each.obligation)).toContain(
    'createPlant/auth/none',
  )
  expect(report.obligations[0]).toMatchObject({ standing: 'kept', verdict: { cases: 40 }, upperBound: 0.075 })
})

test('the same ledger gives the same bytes, live or read back', () => {
  const ledger = foldLedger(runs.brokenFive)
  expect(reports.json.write(structuredClone(ledger))).toBe(reports.json.write(ledger))
})
