/** JUnit reports are valid against the schemas of Jenkins' xUnit plugin and of Maven Surefire, by libxml2. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { fiveFaults } from '../../broken-servers/five-faults.ts'
import { type Running, startServer } from '../../broken-servers/index.ts'
import { during } from '../../cli/command.ts'
import { deadUrl, storeWith } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'

const formats = ['junit', 'junit-full'] as const
const schemas = ['jenkins-junit-10.xsd', 'surefire-test-report-3.0.2.xsd']

/** Validates files by both schemas, and returns the errors. */
const errorsOf = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const xml = Object.entries(files).map(([name, contents]) => ({ fileName: `${name}.xml`, contents }))
  const results = await Promise.all(
    schemas.map(file =>
      validateXML({ xml, schema: readFileSync(join(import.meta.dirname, 'schemas', file), 'utf8') }),
    ),
  )
  return results.flatMap(({ errors, valid, rawOutput }) =>
    valid ? [] : [...errors.map(({ rawMessage }) => rawMessage), rawOutput].slice(0, 1),
  )
}

test('every run is valid by both', async () => {
  for (const format of formats) {
    const files = Object.entries(runs).map(([name, run]) => [name, reports[format].write(foldLedger(run))])
    expect(await errorsOf(Object.fromEntries(files))).toEqual([])
  }
})

test('with any text from a server it is valid by both', async () => {
  const files = fc
    .sample(anyLedger, { numRuns: 30, seed: 1 })
    .flatMap(ledger => formats.map(format => reports[format].write(ledger)))
  expect(await errorsOf(Object.fromEntries(files.entries()))).toEqual([])
})

test('a run that passes, one that fails, and one that did not happen are valid by both', async () => {
  const run = async (options: Pick<VerifyOptions, 'target' | 'token' | 'cases'>): Promise<Ledger> =>
    verify({ ...options, contract: contracts.plantStore, seed: 7, sustained: 0 })
  const of = async (server: Promise<Running>, cases?: number): Promise<Ledger> =>
    during(server, ({ url: target, token }) => run({ target, token, cases }))
  const passing = await of(storeWith({}))
  const failing = await of(startServer(fiveFaults), 300)
  const none = await run({ target: await deadUrl(), token: 'any' })
  expect([passing, failing, none].map(({ end }) => end?.conclusion)).toEqual([
    'conformant',
    'nonconformant',
    'inconclusive',
  ])
  const files = Object.entries({ passing, failing, none }).map(([name, ledger]) => [
    name,
    reports.junit.write(ledger),
  ])
  expect(await errorsOf(Object.fromEntries(files))).toEqual([])
})

test('the schemas find what they should', async () => {
  const xml = reports.junit.write(foldLedger(runs.fiveFailures))
  const wrong = xml.replace('<testcase ', '<testcase file="openapi.yaml" ')
  expect(await errorsOf({ wrong })).toHaveLength(2)
})
