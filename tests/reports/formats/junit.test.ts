import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

type Text = string | { '#text'?: string; message?: string; type?: string }
type TestCase = {
  name: string
  classname: string
  time: string
  failure?: Text
  error?: Text
  skipped?: Text
  'system-out'?: string
}
type Suite = {
  name: string
  time: string
  tests: string
  failures: string
  errors: string
  skipped: string
  properties: { property: { name: string; value: string }[] }
  testcase: TestCase[]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  trimValues: false,
  isArray: name => ['testsuite', 'testcase', 'property'].includes(name),
})

const read = (xml: string): readonly Suite[] => {
  expect(XMLValidator.validate(xml)).toBe(true)
  return parser.parse(xml).testsuite
}

const suiteOf = (events: readonly RunEvent[]): Suite =>
  read(reports['junit-full'].write(foldLedger(events))).at(-1) as Suite
const caseOf = (suite: Suite, id: string): TestCase =>
  suite.testcase.find(({ name }) => name === `createPlant/${id}`) as TestCase

test.each(['conformant', 'fiveFailures', 'waived', 'baselined', 'inconclusive', 'partial'] as const)(
  'the exact file of the run %s',
  async name => {
    await expect(reports['junit-full'].write(foldLedger(runs[name]))).toMatchFileSnapshot(
      `golden/${name}.junit-full.xml`,
    )
  },
)

test('an obligation is a test case with a unique name', () => {
  const suite = suiteOf(runs.fiveFailures)
  expect(suite).toMatchObject({
    name: 'Plant Store 1.0.0',
    tests: '21',
    failures: '5',
    errors: '0',
    skipped: '0',
  })
  expect(new Set(suite.testcase.map(({ name }) => name)).size).toBe(21)
  expect(caseOf(suite, 'auth/none').classname).toBe('createPlant · auth')
})

test('no two cases share class and name: GitLab drops the second; and a case has one failure: Jenkins keeps one', () => {
  const cases = read(reports['junit-full'].write(foldLedger(many(30)))).flatMap(suite => suite.testcase)
  expect(cases).toHaveLength(30 * 21)
  expect(new Set(cases.map(({ classname, name }) => `${classname} ${name}`)).size).toBe(30 * 21)
  for (const { failure } of cases) expect(Array.isArray(failure)).toBe(false)
})

test('a failed requirement has its evidence in the content of the element', () => {
  const failure = caseOf(suiteOf(runs.fiveFailures), 'request/body/id/type').failure as {
    '#text': string
    message: string
  }
  expect(failure.message).toBe('accepted `id` as a string of digits ("0")')
  for (const part of [
    'accepted `id` as a string of digits ("0")\n',
    'requirement  `id` as a string of digits is rejected',
    'MUST · createPlant/request/body/id/type · plant-store.openapi.yaml:49',
    'expected     400',
    'actual       200',
    'request      POST /plants {"id":"0"',
    'reproduce    plantstore replay ledger.ndjson 7f3',
    'curl -sS',
    'hint         Check the type',
  ])
    expect(failure['#text']).toContain(part)
})

test('an obligation that failed for the same cause names the cause', () => {
  const failure = caseOf(suiteOf(runs.fiveFailures), 'request/body/name/type').failure as { '#text': string }
  expect(failure['#text']).toContain(
    'failed for the same cause as createPlant/request/body/id/type: accepted',
  )
})

test('a failed SHOULD passes with a warning, and fails if the run is strict', () => {
  const relaxed = caseOf(suiteOf(runs.fiveFailures), 'response/200/echo/name')
  expect(relaxed.failure).toBeUndefined()
  expect(relaxed['system-out']).toContain('warning: returned `name` changed')
  expect(caseOf(suiteOf(runs.strictWarning), 'response/200/echo/name').failure).toBeDefined()
})

test('a waived requirement is skipped with its reason, and one that passed again fails', () => {
  const suite = suiteOf(runs.waived)
  expect(suite).toMatchObject({ failures: '1', errors: '0', skipped: '1' })
  expect(caseOf(suite, 'auth/none').skipped).toMatchObject({
    message:
      'answered an undeclared 401 to a request without credentials (waived by platform until 2027-03-31: the gateway answers 401 until March)',
  })
  expect(caseOf(suite, 'request/body/name/type').failure).toBeDefined()
})

test('inconclusive is an error, untested is skipped with its reason, observed passes with its observation', () => {
  const suite = suiteOf(runs.inconclusive)
  expect(suite).toMatchObject({ failures: '0', errors: '4', skipped: '5' })
  expect(caseOf(suite, 'request/body/id/int64-max').error).toMatchObject({
    message: 'the server answered 503 to 2 of 2 cases',
  })
  expect(caseOf(suite, 'auth/none').skipped).toMatchObject({
    message: 'no token was given: use --token or PLANTSTORE_TOKEN',
    '#text': expect.stringContaining('no token was given: use --token or PLANTSTORE_TOKEN\nrequirement'),
  })
  expect(caseOf(suite, 'unspecified/duplicate-id')['system-out']).toBe('observed in 4 cases: accepted')
})

test('the properties give the target, the seed and the contract', () => {
  const properties = Object.fromEntries(
    suiteOf(runs.conformant).properties.property.map(({ name, value }) => [name, value]),
  )
  expect(properties).toMatchObject({
    conclusion: 'CONFORMANT',
    target: 'https://staging.example.test',
    seed: '4242',
    version: 'plantstore-contract 0.1.0',
    'policy strict': 'false',
    started: '2026-11-21T09:30:00.000Z',
  })
  expect(properties['contract digest']).toMatch(/^3f9a1c07/)
  expect(properties['request digest']).toMatch(/^a94a8fe5/)
})

test('the time of a test case is what its exchanges took, in seconds', () => {
  expect(caseOf(suiteOf(runs.conformant), 'request/body/valid').time).toBe('0.003')
})

// What XML 1.0 forbids.
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

test('with any text from a server the file is well-formed and has the same verdicts', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const xml = reports['junit-full'].write(ledger)
      expect(forbidden.test(xml)).toBe(false)
      expect(
        read(xml)
          .flatMap(suite => suite.testcase)
          .map(({ failure }) => failure !== undefined),
      ).toEqual(
        ledger.entries.map(
          ({ obligation, verdict }) => verdict.kind === 'failed' && obligation.level === 'MUST',
        ),
      )
    }),
  )
})

const groupedOf = (events: readonly RunEvent[]): Suite =>
  read(reports.junit.write(foldLedger(events))).at(-1) as Suite
const familyOf = (suite: Suite, family: string): TestCase =>
  suite.testcase.find(({ name }) => name.startsWith(`${family}: `)) as TestCase

test.each(['conformant', 'fiveFailures', 'waived', 'inconclusive'] as const)(
  'the exact file of the run %s, with a test case for each operation and family',
  async name => {
    await expect(reports.junit.write(foldLedger(runs[name]))).toMatchFileSnapshot(`golden/${name}.junit.xml`)
  },
)

test('an operation and a family is a test case, which fails with all that failed of it', () => {
  const suite = groupedOf(runs.fiveFailures)
  const families = new Set(foldLedger(runs.fiveFailures).entries.map(({ obligation }) => obligation.family))
  expect(suite.testcase.map(({ classname }) => classname)).toEqual([...families].map(() => 'createPlant'))
  const { failure } = familyOf(suite, 'reject')
  const text = (failure as { '#text': string })['#text']
  for (const id of ['request/body/id/type', 'request/body/name/type'])
    expect(text).toContain(`createPlant/${id}`)
})

test('the worst of a family decides, and what is not tested does not hide what passed', () => {
  const waived = groupedOf(runs.waived)
  expect(familyOf(waived, 'reject').failure).toBeDefined()
  const inconclusive = groupedOf(runs.inconclusive)
  expect(familyOf(inconclusive, 'accept').error).toBeDefined()
  expect(familyOf(inconclusive, 'auth').skipped).toBeDefined()
})

test('with any text from a server a group fails if one of its requirements does', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const failed = new Map<string, boolean>()
      for (const { obligation, verdict } of ledger.entries) {
        const key = `${obligation.operation} ${obligation.family}`
        const isFailed = verdict.kind === 'failed' && obligation.level === 'MUST'
        failed.set(key, (failed.get(key) ?? false) || isFailed)
      }
      const suites = read(reports.junit.write(ledger))
      expect(suites.flatMap(suite => suite.testcase).map(({ failure }) => failure !== undefined)).toEqual([
        ...failed.values(),
      ])
    }),
  )
})
