import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { clauses, start } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { poison, runs } from '../runs.ts'

const write = reports.trace.write

type Row = Readonly<Record<string, string>>

// Parsed by an independent library.
const rowsOf = (ledger: Ledger): readonly Row[] => {
  const { data, errors } = Papa.parse<Row>(write(ledger), { header: true, skipEmptyLines: true })
  expect(errors).toEqual([])
  return data
}

test('every clause has a row for every obligation that covers it, with its verdict', () => {
  const rows = rowsOf(foldLedger(runs.fiveFailures))
  expect(rows.map(({ clause, obligation }) => [clause, obligation])).toEqual(
    clauses.flatMap(({ id, obligations }) =>
      obligations.length === 0 ? [[id, '']] : obligations.map(obligation => [id, obligation]),
    ),
  )
  expect(rows.find(({ obligation }) => obligation === 'createPlant/request/body/id/type')).toEqual({
    clause: 'new-plant/id',
    at: 'Resources and their fields, NewPlant',
    text: 'id: integer, int64, required.',
    obligation: 'createPlant/request/body/id/type',
    level: 'MUST',
    verdict: 'failed',
    finding: 'accepted `id` as a string of digits ("0")',
    requirement: '`id` as a string of digits is rejected with a declared failure',
    source: 'plant-store.openapi.yaml:49',
    cases: '120',
    case: '7f3',
    reason: '',
  })
  expect(rows.at(-1)).toMatchObject({
    clause: 'events',
    obligation: '',
    verdict: 'not testable',
    reason: 'the document shows none, and nothing reveals one from outside',
  })
})

test('lines end as RFC 4180 requires, and every field is quoted', () => {
  const text = write(foldLedger(runs.conformant))
  expect(text.endsWith('"\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of text.trimEnd().split('\r\n')) expect(line).toMatch(/^"(?:[^"]|"")*"(,"(?:[^"]|"")*")*$/)
})

const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

test.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\uff1d1', '=HYPERLINK("http://a","b")', poison])(
  'a spreadsheet does not read %j as a formula, and a CSV parser gets it unchanged',
  text => {
    const [row] = rowsOf(
      foldLedger([start({ clauses: [{ id: text, at: text, text, obligations: [], reason: text }] })]),
    )
    for (const field of Object.values(row ?? {})) expect(field).not.toMatch(formula)
    if (text.startsWith('=')) expect(row?.text).toBe(`'${text}`)
  },
)

test('any text of a document stays in its field', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      for (const row of rowsOf(ledger)) {
        expect(Object.keys(row)).toHaveLength(12)
        for (const field of Object.values(row)) expect(field).not.toMatch(formula)
      }
    }),
  )
})

test('a ledger without clauses gives the header alone', () => {
  const { clauses: _, ...before } = start()
  expect(write(foldLedger([before]))).toMatch(/^"clause","at",.*"reason"\r\n$/)
})
