import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports, type SummaryContext, summaryLine, summarySchema } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile({
  ...summarySchema,
  additionalProperties: false,
})
const context: SummaryContext = {
  exitCode: 0,
  ledger: 'out/ledger.ndjson',
  reports: { json: 'out/report.json' },
}

const lineOf = (ledger: Ledger) => {
  const text = summaryLine(ledger, context)
  expect(text).toMatch(/^[^\n]+\n$/)
  const line = JSON.parse(text)
  expect(validate(line), JSON.stringify(validate.errors)).toBe(true)
  return line
}

test.each(Object.entries(runs))('the line of the run %s conforms to its schema', (_name, run) => {
  lineOf(foldLedger(run))
})

test('the line of any run has the numbers of report.json', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const report = JSON.parse(reports.json.write(ledger))
      const {
        seconds,
        exitCode: _,
        ledger: __,
        reports: ___,
        findings,
        stopped: ____,
        ...line
      } = lineOf(ledger)
      const { target, seed } = report.run
      expect({ ...report, target, seed }).toMatchObject({ ...line, format: 'plantstore-report' })
      expect(findings.failing + findings.warning + findings.excused).toBe(report.findings.length)
      expect(seconds).toBe(report.ms === null ? null : Math.round(report.ms) / 1000)
    }),
  )
})

test('the HTML report shows the score', () => {
  expect(reports.html.write(foldLedger(runs.fiveFailures))).toContain(
    '<dt>Score</dt><dd><code>68 %: 11 of 16 MUST passed</code>',
  )
})

test('it has what a script decides by', () => {
  expect(lineOf(foldLedger(runs.fiveFailures))).toMatchObject({
    conclusion: 'nonconformant',
    exitCode: 0,
    score: 68,
    must: { total: 16, tested: 16, passed: 11 },
    findings: { failing: 4, warning: 1, excused: 0 },
    seed: 4242,
    ledger: 'out/ledger.ndjson',
    reports: { json: 'out/report.json' },
  })
})
