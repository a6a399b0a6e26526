import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { categories } from '../../../reports/formats/wfc/faults.ts'
import { reports } from '../../../reports/index.ts'
import { type Finding, foldLedger, type Ledger, type RunEvent, safeText } from '../../../spec/index.ts'
import { fiveFaults } from '../../broken-servers/five-faults.ts'
import { startServer } from '../../broken-servers/index.ts'
import { exchange, finding, obligations, request, response, start } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'
import { wfcSchema } from './wfc.schema.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(wfcSchema)

type Category = { id: string; code: number; context: string }
type Report = {
  faults: {
    totalNumber: number
    foundFaults: readonly {
      operationId: string
      testCaseId: string
      faultCategories: readonly Category[]
    }[]
  }
  problemDetails: {
    rest: {
      outputHttpCalls: number
      evaluatedHttpCalls: number
      endpointIds: readonly string[]
      coveredHttpStatus: readonly { endpointId: string; testCaseId: string; httpStatus: readonly number[] }[]
    }
  }
  totalTests: number
  testFilePaths: readonly string[]
  testCases: readonly { id: string; filePath: string; name: string }[]
  warnings: readonly { message: string }[]
}

/** A report is valid, its ids refer to each other, and its counts agree with its lists and with the ledger. */
const read = (ledger: Ledger): Report => {
  const report: Report = JSON.parse(reports.wfc.write(ledger))
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
  const { faults, problemDetails, testCases, totalTests, testFilePaths } = report
  const { endpointIds, coveredHttpStatus, ...calls } = problemDetails.rest
  const ids = new Set(testCases.map(({ id }) => id))
  const ofLedger = [...ledger.exchanges, ...ledger.findings].map(({ id }) => safeText(id))
  expect(testCases).toHaveLength(ids.size)
  expect(ids).toEqual(new Set(ofLedger))
  expect(totalTests).toBe(testCases.length)
  for (const { filePath } of testCases) expect(testFilePaths).toContain(filePath)
  for (const { operationId, testCaseId } of faults.foundFaults) {
    expect(endpointIds).toContain(operationId)
    expect(ids).toContain(testCaseId)
  }
  for (const { endpointId, testCaseId } of coveredHttpStatus) {
    expect(endpointIds).toContain(endpointId)
    expect(ids).toContain(testCaseId)
  }
  const all = faults.foundFaults.flatMap(({ faultCategories }) => faultCategories)
  expect(faults.totalNumber).toBe(new Set(all.map(({ code, context }) => `${code} ${context}`)).size)
  const sent = ledger.exchanges.reduce((sum, { steps = [] }) => sum + steps.length + 1, 0)
  expect(calls).toEqual({
    outputHttpCalls: sent,
    evaluatedHttpCalls: Math.max(sent, ledger.end?.requests ?? 0),
  })
  return report
}

const reportOf = (events: readonly RunEvent[]): Report => read(foldLedger(events))

test.each([...Object.entries(runs), ['many', many(100)] as const])(
  'the run %s conforms to the schema of the format',
  (_name, run) => {
    reportOf(run)
  },
)

test('so does a run with any text from a server', () => {
  fc.assert(fc.property(anyLedger, ledger => void read(ledger)))
})

test('a run with five failures', async () => {
  await expect(reports.wfc.write(foldLedger(runs.fiveFailures))).toMatchFileSnapshot(
    'golden/fiveFailures.wfc.json',
  )
})

test('a server with five faults has them by their codes, at its operation', async () => {
  const server = await startServer(fiveFaults)
  try {
    const report = read(
      await verify({ target: server.url, token: server.token, seed: 7, cases: 600, sustained: 0 }),
    )
    const found = report.faults.foundFaults.flatMap(({ faultCategories }) => faultCategories)
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set([100, 200, 206, 311]))
    expect(report.problemDetails.rest.endpointIds).toEqual(['POST:/plants'])
    const statuses = report.problemDetails.rest.coveredHttpStatus.flatMap(({ httpStatus }) => httpStatus)
    expect(new Set(statuses)).toEqual(new Set([200, 400, 500]))
    expect(report.totalTests).toBe(600)
  } finally {
    await server.close()
  }
})

const names = (id: string) => id.split('/')
const json = 'application/json'
const patch = request('{}', { method: 'PATCH', headers: [['content-type', 'application/merge-patch+json']] })
const failure = (kind: 'timeout' | 'reset'): Pick<Finding, 'outcome'> => ({
  outcome: { kind: 'failure', failure: kind, status: null, detail: '', ms: 1 },
})
const answered = (status: number, expectation: Finding['expectation'] = 'either'): Partial<Finding> => ({
  outcome: response(status, '{}', json),
  expectation,
})

const codesOf = (id: string, method: string, changes: Partial<Finding>): readonly number[] => {
  const [family = ''] = names(id)
  const obligation = {
    ...(obligations[0] as (typeof obligations)[number]),
    id: `createPlant/${id}`,
    names: names(id),
    family: (family === 'request' ? changes.expectation : family) as 'accept',
  }
  const operations = [{ id: 'createPlant', method, path: '/plants', summary: '' }]
  const { faults } = reportOf([
    start({ operations, obligations: [obligation] }),
    exchange('7f3', id),
    finding(id, changes),
  ])
  return faults.foundFaults.flatMap(({ faultCategories }) => faultCategories).map(({ code }) => code)
}

test.each<readonly [id: string, method: string, changes: Partial<Finding>, codes: readonly number[]]>([
  ['request/body/id/type', 'POST', answered(200, 'reject'), [206]],
  ['request/body/id/type', 'POST', answered(500, 'reject'), [100]],
  ['request/body/id/type', 'POST', answered(422, 'reject'), []],
  ['request/valid', 'POST', answered(400, 'accept'), [207]],
  ['request/valid', 'POST', answered(404, 'accept'), []],
  ['request/valid', 'POST', answered(406, 'accept'), [204]],
  ['request/valid', 'POST', answered(501, 'accept'), [205]],
  ['request/valid', 'POST', answered(503, 'accept'), [121]],
  ['request/valid', 'POST', answered(700, 'accept'), [101]],
  ['request/valid', 'POST', { ...failure('timeout'), expectation: 'accept' }, [312]],
  ['request/valid', 'POST', { ...failure('reset'), expectation: 'accept' }, []],
  ['response/200/body/name/type', 'GET', answered(200, 'accept'), [200]],
  ['response/declared', 'GET', answered(503, 'accept'), [121, 200]],
  ['response/200/echo/name', 'POST', answered(200, 'accept'), []],
  ['response/401/challenge/present', 'GET', answered(401, 'reject'), [109]],
  ['response/401/challenge/realm', 'GET', answered(401, 'reject'), []],
  ['response/401/headers/www-authenticate', 'GET', answered(401, 'reject'), [109]],
  ['response/time/p95', 'GET', answered(200, 'accept'), [312]],
  ['auth/absent', 'DELETE', answered(204, 'reject'), [308]],
  ['auth/wrong-token', 'DELETE', answered(204, 'reject'), [311]],
  ['auth/absent', 'GET', answered(200, 'reject'), [311]],
  ['auth/absent', 'GET', answered(403, 'reject'), []],
  ['auth/lower-case', 'GET', answered(401, 'accept'), [305]],
  ['state/read-back', 'POST', answered(404), [122]],
  ['state/location', 'POST', answered(200), []],
  ['state/gone', 'DELETE', answered(200), [113]],
  ['state/gone', 'DELETE', answered(500), [100]],
  ['state/rejected', 'PATCH', answered(200), [114]],
  ['state/rejected', 'POST', answered(200), []],
  ['state/stored', 'PUT', answered(200), [117]],
  ['state/repeated', 'PUT', answered(200), [118]],
  [
    'state/kept',
    'PATCH',
    {
      ...answered(200),
      steps: [{ role: 'subject', operation: 'createPlant', request: patch, outcome: response(200, '{}') }],
    },
    [119],
  ],
  ['state/kept', 'PATCH', answered(200), []],
  ['state/contains', 'GET', answered(200), []],
  ['ownership/remove', 'DELETE', answered(404), [306]],
  ['ownership/read', 'GET', answered(200), []],
  ['stability/consistency', 'GET', answered(200), []],
])('%s of a %s: %o', (id, method, changes, codes) => {
  expect(codesOf(id, method, changes)).toEqual(codes)
})

test('an operation that answers 500 to several requests has one fault of that code', () => {
  const [first, second] = ['request/body/valid', 'request/body/id/int64-max'].map((id, index) =>
    finding(id, { id: `7f${index}`, expectation: 'accept', outcome: response(500, '') }),
  ) as [Finding, Finding]
  const { faults } = reportOf([start(), first, second])
  expect(faults).toMatchObject({
    totalNumber: 1,
    foundFaults: [{ testCaseId: '7f0' }, { testCaseId: '7f1' }],
  })
})

test('a server error in a step is a fault of the operation that was called there', () => {
  const operations = [
    ...start().operations,
    { id: 'getPlant', method: 'GET', path: '/plants/{id}', summary: '' },
  ]
  const read = { role: 'read', operation: 'getPlant', request: request(null), outcome: response(500, '') }
  const { faults } = reportOf([
    start({ operations }),
    finding('request/body/valid', { steps: [read], step: 0, outcome: response(200, '{}') }),
  ])
  expect(faults.foundFaults).toMatchObject([
    {
      operationId: 'GET:/plants/{id}',
      faultCategories: [{ code: 100, context: 'GET:/plants/{id} -> status 500' }],
    },
  ])
})

test('a call that the document does not declare covers no operation', () => {
  const { problemDetails } = reportOf([
    start(),
    exchange('0', 'request/body/valid'),
    exchange('1', 'request/body/valid', { request: request(null, { method: 'PUT' }) }),
    exchange('2', 'request/body/valid', failure('timeout')),
    exchange('3', 'request/body/valid', { outcome: response(700, '') }),
  ])
  expect(problemDetails.rest.coveredHttpStatus).toEqual([
    { endpointId: 'POST:/plants', testCaseId: '0', httpStatus: [200] },
    { endpointId: 'POST:/plants', testCaseId: '2', httpStatus: [] },
    // The format has no such status.
    { endpointId: 'POST:/plants', testCaseId: '3', httpStatus: [] },
  ])
})

test('a run that is no success says so in a warning, as the format has no verdict', () => {
  expect(reportOf(runs.partial).warnings[0]?.message).toMatch(/^PARTIAL/)
  expect(reportOf(runs.conformant).warnings).toEqual([])
})

test('no two categories share an id or a code', () => {
  const all = Object.values(categories)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
})
