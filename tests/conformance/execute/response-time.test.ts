import { expect, test } from 'vitest'
import {
  mergeShards,
  planSlices,
  readEvidence,
  type VerifyOptions,
  verify,
  verifyShard,
} from '../../../conformance/index.ts'
import { measured } from '../../../conformance/judge/response-times.ts'
import type { Finding, Ledger, Verdict } from '../../../spec/index.ts'
import { obligationsOf } from '../../../spec/index.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore

/** Of the accepted requests every tenth takes 60 ms; each invalid one as well. */
const slowNowAndThen = (): Partial<Parts> => {
  let accepted = 0
  return {
    respond: async (response, exchange) => {
      if (response.cause !== 'none' || ++accepted % 10 === 0) await exchange.wait(60)
      return response
    },
  }
}

const run = (
  limits: VerifyOptions['maxResponseTime'],
  parts = slowNowAndThen(),
  cases = 600,
): Promise<Ledger> =>
  during(storeWith(parts), ({ url, token }) =>
    verify({ target: url, contract, token, seed: 1, cases, sustained: 0, maxResponseTime: limits }),
  )

const timesIn = ({ entries }: Ledger): readonly (readonly [string, Verdict])[] =>
  entries
    .filter(({ obligation }) => obligation.id.includes('/response/time/'))
    .map(({ obligation, verdict }) => [obligation.id, verdict])

const slowIn = ({ findings }: Ledger): readonly Finding[] =>
  findings.filter(({ obligation }) => obligation.includes('/response/time/'))

test('without a limit there is no such requirement', async () => {
  const ledger = await run(undefined, {}, 60)
  expect(ledger.entries).toHaveLength(obligationsOf(contract).length)
  expect(timesIn(ledger)).toEqual([])
})

test('slow responses to valid requests are one finding of the operation, with what was expected and measured', async () => {
  const ledger = await run([
    { measure: 'p50', ms: 5000 },
    { measure: 'p98', ms: 40 },
    { measure: 'max', ms: 50 },
  ])
  const [finding, ...others] = slowIn(ledger)
  expect(others).toEqual([])
  expect(finding).toMatchObject({
    obligation: 'createPlant/response/time/p98',
    also: ['createPlant/response/time/max'],
    level: 'MUST',
    expected: 'p98 ≤ 40 ms, max ≤ 50 ms',
    expectation: 'accept',
    repeat: 'unrepeated',
  })
  expect(finding?.title).toMatch(/^responded too slowly: p98 [\d.]+ ms$/)
  expect(finding?.actual).toMatch(/^p98 [\d.]+ ms, max [\d.]+ ms over \d+ responses$/)
  expect(finding?.outcome.ms).toBeGreaterThan(50)
  const verdicts = new Map(timesIn(ledger))
  const { cases } = verdicts.get('createPlant/response/time/p50') as { cases: number }
  expect(cases).toBeGreaterThan(100)
  expect(finding?.cases).toBeGreaterThanOrEqual(Math.floor(cases / 10))
  expect(finding?.cases).toBeLessThan(cases)
  expect([...verdicts]).toEqual([
    ['createPlant/response/time/p50', { kind: 'passed', cases }],
    ['createPlant/response/time/p98', { kind: 'failed', cases, finding: finding?.id }],
    ['createPlant/response/time/max', { kind: 'failed', cases, finding: finding?.id }],
  ])
  expect(ledger.end?.conclusion).toBe('nonconformant')
  expect(ledger.start.policies['max-response-time']).toBe('p50=5000ms, p98=40ms, max=50ms')
})

test('a limit for one operation goes before that for all', async () => {
  const ledger = await run(
    [
      { operation: 'createPlant', measure: 'max', ms: 60_000 },
      { measure: 'max', ms: 0.1 },
    ],
    {},
    300,
  )
  expect(slowIn(ledger)).toEqual([])
  expect(timesIn(ledger).map(([, { kind }]) => kind)).toEqual(['passed'])
})

test('too few responses show nothing, and the run is partial', async () => {
  const ledger = await run([{ measure: 'p99', ms: 0.1 }], {}, 300)
  const [[, verdict] = []] = timesIn(ledger)
  expect(slowIn(ledger)).toEqual([])
  expect(verdict).toMatchObject({ kind: 'untested', cause: 'budget' })
  expect(verdict).toHaveProperty(
    'reason',
    expect.stringMatching(/^\d+ responses were measured, and p99 needs 200: raise --cases$/),
  )
  expect(ledger.end?.conclusion).toBe('partial')
})

test('an unknown operation is an error', async () => {
  await expect(run([{ operation: 'createPlan', measure: 'max', ms: 1 }])).rejects.toThrow(
    'the contract has no operation createPlan for a response time: did you mean createPlant?',
  )
})

test('merged shards measure the responses of all of them together', () =>
  during(storeWith(slowNowAndThen()), async ({ url, token }) => {
    const maxResponseTime = [
      { measure: 'max', ms: 50 },
      { measure: 'p50', ms: 5000 },
    ] as const
    const options = { target: url, contract, token, seed: 1, cases: 300, sustained: 0, maxResponseTime }
    const shards = []
    for (const { name } of planSlices(contract, options))
      shards.push(readEvidence(await verifyShard({ ...options, slices: [name] }), contract))
    const timed = shards.filter(({ results }) => results.stats.times.size > 0)
    expect(timed.length).toBeGreaterThan(1)
    const sum = timed
      .flatMap(({ results }) => [...results.stats.times.values()].flatMap(counts => [...counts.values()]))
      .reduce((total, count) => total + count, 0)
    const { ledger } = mergeShards(contract, shards)
    expect(new Map(timesIn(ledger)).get('createPlant/response/time/p50')).toEqual({
      kind: 'passed',
      cases: sum,
    })
    const [finding] = slowIn(ledger)
    expect(finding?.actual).toMatch(new RegExp(`^max [\\d.]+ ms over ${sum} responses$`))
    const slowest = Math.max(
      ...timed.flatMap(({ results }) => [...results.stats.slowest.values()].map(({ outcome }) => outcome.ms)),
    )
    expect(finding?.outcome.ms).toBe(slowest)
  }))

test('a measure is the time by nearest rank', () => {
  const counts = new Map([
    [30, 1],
    [10, 90],
    [20, 9],
  ])
  const measures = ['p50', 'p90', 'p91', 'p99', 'max'] as const
  expect(measures.map(measure => measured(measure, counts))).toEqual([1, 1, 2, 2, 3])
  expect(measured('p95', new Map())).toBeNull()
})
