import standard from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' }
import Ajv, { type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { finding, obligations, start } from '../fixture.ts'
import { anyLedger, causesIn } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

// The schema of the standard (OASIS, 2.1.0) from a package by Microsoft; none of its formats needs a network.
const ajv = new Ajv.default({ strict: false, validateSchema: false, logger: false, unicodeRegExp: false })
addFormats.default(ajv)
// It is of an older draft that named itself by `id`; no keyword that it uses has changed its meaning.
const { $schema: _draft, id: _id, ...schema } = standard
const validate: ValidateFunction = ajv.compile(schema)

type Result = {
  ruleId: string
  ruleIndex: number
  level: string
  message: { text: string }
  locations: {
    physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } }
  }[]
  relatedLocations?: Result['locations']
  partialFingerprints: Record<string, string>
  suppressions?: { justification: string }[]
}
type Log = {
  runs: {
    tool: { driver: { rules: { id: string; defaultConfiguration: { level: string } }[] } }
    invocations: {
      executionSuccessful: boolean
      toolExecutionNotifications: { message: { text: string } }[]
    }[]
    results: Result[]
  }[]
}

const read = (text: string): Log['runs'][number] => {
  const log = JSON.parse(text) as Log
  expect(validate(log), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
  return log.runs[0] as Log['runs'][number]
}
const runOf = (events: readonly RunEvent[]) => read(reports.sarif.write(foldLedger(events)))
const resultOf = (events: readonly RunEvent[], id: string): Result =>
  runOf(events).results.find(({ ruleId }) => ruleId === `createPlant/${id}`) as Result

test('the schema rejects what is not SARIF', () => {
  const log = JSON.parse(reports.sarif.write(foldLedger(runs.fiveFailures)))
  log.runs[0].results[0].level = 'fatal'
  expect(validate(log)).toBe(false)
})

test.each([...Object.entries(runs), ['many', many(10)] as const])(
  'the run %s conforms to the standard’s schema',
  (_name, run) => {
    runOf(run)
  },
)

test('every obligation that a result is about is a rule, by its level', () => {
  const { results, tool } = runOf(runs.fiveFailures)
  const { rules } = tool.driver
  const broken = new Set(results.map(({ ruleId }) => ruleId))
  expect(rules.map(({ id }) => id)).toEqual(obligations.map(({ id }) => id).filter(id => broken.has(id)))
  expect(rules.find(({ id }) => id.endsWith('echo/name'))?.defaultConfiguration.level).toBe('warning')
})

test('each finding is at its file and line of the document, and names its rule', () => {
  const run = runOf(runs.fiveFailures)
  expect(run.results).toHaveLength(5)
  const result = resultOf(runs.fiveFailures, 'request/body/id/type')
  expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId)
  expect(result.level).toBe('error')
  expect(result.locations[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'plant-store.openapi.yaml' },
    region: { startLine: 49 },
  })
  expect(result.message.text).toMatch(/^accepted `id` as a string of digits \("0"\)\.\nrequirement {2}`id`/)
  for (const part of ['expected     400', 'actual       200', 'reproduce    plantstore replay'])
    expect(result.message.text).toContain(part)
})

test('a failed SHOULD is a warning, and an error if the run is strict', () => {
  expect(resultOf(runs.fiveFailures, 'response/200/echo/name').level).toBe('warning')
  expect(resultOf(runs.strictWarning, 'response/200/echo/name').level).toBe('error')
})

test('a waived finding is suppressed with its reason, and a waiver that has to be removed is an error', () => {
  expect(resultOf(runs.waived, 'auth/none')).toMatchObject({
    level: 'note',
    suppressions: [
      { justification: 'waived by platform until 2027-03-31: the gateway answers 401 until March' },
    ],
  })
  expect(resultOf(runs.waived, 'request/body/name/type')).toMatchObject({ level: 'error' })
})

test('an inconclusive run is no success, and its notifications say why', () => {
  const [invocation] = runOf(runs.inconclusive).invocations
  expect(invocation?.executionSuccessful).toBe(false)
  expect(invocation?.toolExecutionNotifications.map(({ message }) => message.text).join('\n')).toContain(
    'the server answered 503 to 2 of 2 cases',
  )
  expect(runOf(runs.fiveFailures).invocations[0]?.executionSuccessful).toBe(true)
})

describe('fingerprints', () => {
  const prints = (events: readonly RunEvent[]): readonly (string | undefined)[] =>
    runOf(events).results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)
  const moved = obligations.map(({ clause, ...obligation }) => ({
    ...obligation,
    clause: { ...clause, place: { ...clause.place, line: clause.place.line + 7 } },
  }))

  test('each cause has a different one', () => {
    const other = { id: '7ff', title: 'rejected what is right' }
    const twice = [...runs.fiveFailures, finding('request/body/id/type', other)]
    expect(new Set(prints(twice)).size).toBe(6)
  })

  test('they stay the same in another run, even if the lines of the document moved', () => {
    const later = [
      start({ obligations: moved, at: '2027-01-01T00:00:00.000Z', seed: 1 }),
      ...runs.fiveFailures.slice(1),
    ]
    expect(prints(later)).toEqual(prints(runs.fiveFailures))
  })
})

test('a cause of many operations is one result, with the other places beside it', () => {
  const events = many(30).map(event =>
    event.type === 'start'
      ? {
          ...event,
          obligations: event.obligations.map((each, index) => ({
            ...each,
            clause: { ...each.clause, place: { ...each.clause.place, line: index + 1 } },
          })),
        }
      : event,
  )
  const run = runOf(events)
  expect(run.results).toHaveLength(1)
  const [{ locations, relatedLocations = [] } = { locations: [] }] = run.results
  const lines = [...locations, ...relatedLocations].map(
    ({ physicalLocation }) => physicalLocation.region.startLine,
  )
  expect(new Set(lines).size).toBe(3)
})

test('with any text from a server it conforms, and nothing in it is a link', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const { results } = read(reports.sarif.write(ledger))
      expect(results).toHaveLength(causesIn(ledger))
      for (const { message } of results) expect(message.text.replace(/\\./gs, '')).not.toMatch(/[[\]]/)
    }),
  )
})
