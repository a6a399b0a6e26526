import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { reports } from '../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../spec/index.ts'
import { anyLedger } from './ledgers.ts'
import { many } from './many.ts'
import { runs } from './runs.ts'

type Text = string | { '#text'?: string; message?: string; type?: string }
type TestCase = {
  name: string
  classname: string
  file: string
  time: string
  failure?: Text
  error?: Text
  skipped?: Text
  'system-out'?: string
}
type Suite = {
  name: string
  timestamp: string
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
  return parser.parse(xml).testsuites.testsuite
}

const suiteOf = (events: readonly RunEvent[]): Suite =>
  read(reports.junit.write(foldLedger(events)))[0] as Suite
const caseOf = (suite: Suite, id: string): TestCase =>
  suite.testcase.find(({ name }) => name === `createPlant/${id}`) as TestCase

test.each(['conformant', 'brokenFive', 'waived', 'adopted', 'inconclusive'] as const)(
  'the exact file of the run %s',
  async name => {
    await expect(reports.junit.write(foldLedger(runs[name]))).toMatchFileSnapshot(`golden/${name}.junit.xml`)
  },
)

test('an obligation is a test case, with a name that no other has', () => {
  const suite = suiteOf(runs.brokenFive)
  expect(suite).toMatchObject({
    name: 'createPlant',
    timestamp: '2026-11-21T09:30:00',
    tests: '21',
    failures: '5',
    errors: '0',
    skipped: '0',
  })
  expect(new Set(suite.testcase.map(({ name }) => name)).size).toBe(21)
  expect(caseOf(suite, 'auth/none')).toMatchObject({
    classname: 'createPlant · bearer',
    file: 'plant-store.openapi.yaml',
  })
})

test('no two cases share class and name: GitLab drops the second; and a case has one failure: Jenkins keeps one', () => {
  const cases = read(reports.junit.write(foldLedger(many(30)))).flatMap(suite => suite.testcase)
  expect(cases).toHaveLength(30 * 21)
  expect(new Set(cases.map(({ classname, name }) => `${classname} ${name}`)).size).toBe(30 * 21)
  for (const { failure } of cases) expect(Array.isArray(failure)).toBe(false)
})

test('a broken promise fails with its five answers in the content of the element', () => {
  const failure = caseOf(suiteOf(runs.brokenFive), 'request/body/id/type').failure as {
    '#text': string
    message: string
  }
  expect(failure.message).toBe('MUST · NewPlant.id is an integer')
  for (const part of [
    'plant-store.openapi.yaml:49',
    'wanted    400',
    'got       200',
    'for       POST /plants {"id":"0"',
    'again     plantstore replay ledger.ndjson 7f3',
    'curl -sS',
    'hint      the text',
  ])
    expect(failure['#text']).toContain(part)
})

test('an obligation broken by the same cause names the cause', () => {
  const failure = caseOf(suiteOf(runs.brokenFive), 'request/body/name/type').failure as { '#text': string }
  expect(failure['#text']).toContain('cause     createPlant/request/body/id/type')
})

test('a broken SHOULD passes with a warning, and fails where the run is strict', () => {
  const relaxed = caseOf(suiteOf(runs.brokenFive), 'response/200/echo/name')
  expect(relaxed.failure).toBeUndefined()
  expect(relaxed['system-out']).toContain('warning: createPlant/response/200/echo/name')
  expect(caseOf(suiteOf(runs.strictWarning), 'response/200/echo/name').failure).toBeDefined()
})

test('a waived promise is skipped with its reason, and one that is kept again fails', () => {
  const suite = suiteOf(runs.waived)
  expect(suite).toMatchObject({ failures: '1', errors: '0', skipped: '1' })
  expect(caseOf(suite, 'auth/none').skipped).toMatchObject({
    message: 'waived by platform until 2027-03-31: the gateway answers 401 until March',
  })
  expect(caseOf(suite, 'request/body/name/type').failure).toBeDefined()
})

test('inconclusive is an error, untested is skipped with its reason, observed passes and tells', () => {
  const suite = suiteOf(runs.inconclusive)
  expect(suite).toMatchObject({ failures: '0', errors: '3', skipped: '5' })
  expect(caseOf(suite, 'request/body/id/int64-max').error).toMatchObject({
    message: 'the server answered 503 to 2 of 2 cases',
  })
  expect(caseOf(suite, 'auth/none').skipped).toMatchObject({
    message: 'no token was given: --token or PLANTSTORE_TOKEN',
    '#text': 'no token was given: --token or PLANTSTORE_TOKEN',
  })
  expect(caseOf(suite, 'open/duplicate-id')['system-out']).toBe('observed in 4 cases: accepted')
})

test('the properties say against what, with what seed and which contract it was run', () => {
  const properties = Object.fromEntries(
    suiteOf(runs.conformant).properties.property.map(({ name, value }) => [name, value]),
  )
  expect(properties).toMatchObject({
    target: 'https://staging.example.test',
    seed: '4242',
    version: 'plantstore-contract 0.1.0',
    'policy strict': 'false',
  })
  expect(properties['contract digest']).toMatch(/^3f9a1c07/)
  expect(properties['request digest']).toMatch(/^a94a8fe5/)
})

test('the time of a test case is what its exchanges took, in seconds', () => {
  expect(caseOf(suiteOf(runs.conformant), 'request/body/valid').time).toBe('0.003')
})

/**
 * What the XSD of Jenkins' xUnit plugin (junit-10.xsd) has, by element: attributes, then children. `file` of a case and
 * `skipped` of the whole are not in it: GitLab reads the one, and the builder writes the other.
 */
const known: Readonly<Record<string, readonly [attributes: string, children: string]>> = {
  testsuites: ['name time tests failures errors skipped', 'testsuite'],
  testsuite: ['name tests failures errors time skipped timestamp hostname', 'properties testcase'],
  properties: ['', 'property'],
  property: ['name value', ''],
  testcase: ['name time classname file', 'skipped error failure system-out'],
  failure: ['type message', ''],
  error: ['type message', ''],
  skipped: ['type message', ''],
  'system-out': ['', ''],
}

type Node = Readonly<Record<string, readonly Node[]>> & { readonly ':@'?: Readonly<Record<string, string>> }

const expectKnown = (nodes: readonly Node[], allowed: string): void => {
  for (const { ':@': attributes = {}, ...rest } of nodes)
    for (const [name, children] of Object.entries(rest) as [string, readonly Node[]][]) {
      if (name === '#text' || name === '?xml') continue
      expect(allowed.split(' ')).toContain(name)
      const [names = '', below = ''] = known[name] ?? []
      for (const attribute of Object.keys(attributes)) expect(names.split(' ')).toContain(attribute)
      if (name === 'testsuite') expect(attributes.time).toMatch(/^\d+(\.\d+)?$/)
      expectKnown(children, below)
    }
}

test.each(Object.entries(runs))('the file of the run %s has what Jenkins’ schema knows', (_name, run) => {
  const ordered = new XMLParser({ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' })
  expectKnown(ordered.parse(reports.junit.write(foldLedger(run))), 'testsuites')
})

// What XML 1.0 forbids.
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

test('whatever a server says, the file is well-formed and tells the same verdicts', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const xml = reports.junit.write(ledger)
      expect(forbidden.test(xml)).toBe(false)
      expect(
        read(xml)
          .flatMap(suite => suite.testcase)
          .map(({ failure }) => failure !== undefined),
      ).toEqual(
        ledger.entries.map(
          ({ obligation, verdict }) => verdict.kind === 'broken' && obligation.level === 'MUST',
        ),
      )
    }),
  )
})
