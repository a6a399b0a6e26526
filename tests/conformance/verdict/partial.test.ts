/** A run that left out anything that counts is partial, never conformant. */
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { mergeShards, planSlices, readEvidence, verify, verifyShard } from '../../../conformance/index.ts'
import { createMock, type Mock } from '../../../mock/index.ts'
import { coverageOf, isCounted, isLeftOut, type Ledger, type UntestedCause } from '../../../spec/index.ts'
import { brokenStore } from '../../cli/servers.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore
const token = 'secret'
let mock: Mock

beforeAll(async () => {
  mock = await createMock({ contract, tokens: [token] })
  return mock.close
})

const onMock = (options: Partial<Parameters<typeof verify>[0]> = {}): Promise<Ledger> =>
  verify({ target: mock.url, contract, token, seed: 11, sustained: 0, ...options })

const untestedBy = ({ entries }: Ledger): Readonly<Partial<Record<UntestedCause, number>>> => {
  const counts: Partial<Record<UntestedCause, number>> = {}
  for (const { verdict } of entries)
    if (verdict.kind === 'untested') counts[verdict.cause] = (counts[verdict.cause] ?? 0) + 1
  return counts
}

const patterns = [
  'createPlant/auth',
  'createPlant/request/body/id',
  'createPlant/request/valid',
  'createPlant/stability',
  'createPlant/unspecified',
  'createPlant/response',
  '*/type/*',
]

test('for any selection and budget, a run is conformant only if it left out nothing that counts', async () => {
  const options = fc.record({
    only: fc.subarray(patterns, { maxLength: 3 }),
    skip: fc.subarray(patterns, { maxLength: 2 }),
    cases: fc.constantFrom(1, 20, 120, 206, 300),
    strict: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(options, async ({ strict, ...selection }) => {
      const ledger = await onMock({ ...selection, strict })
      const { end, entries, findings } = ledger
      expect(findings).toEqual([])
      const counted = entries.filter(({ obligation }) => isCounted(obligation.level, strict))
      const isWhole = counted.every(
        ({ verdict }) =>
          verdict.kind === 'passed' ||
          (verdict.kind === 'untested' &&
            (verdict.cause === 'unsupported' || verdict.cause === 'unprovoked')),
      )
      expect(end?.conclusion).toBe(end?.cases === 0 ? 'inconclusive' : isWhole ? 'conformant' : 'partial')
      const { total, tested, leftOut } = coverageOf(ledger)
      expect({ total, isWhole: leftOut === 0 }).toEqual({ total: counted.length, isWhole })
      expect(tested + leftOut).toBeLessThanOrEqual(total)
    }),
    { numRuns: 14, seed: 5 },
  )
})

test('a run that leaves out only what does not count is not partial', async () => {
  const ledger = await onMock({ skip: ['createPlant/unspecified'] })
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(untestedBy(ledger)).toEqual({ selection: 14 })
})

test('a run with too few cases lists what it did not reach', async () => {
  const ledger = await onMock({ cases: 60 })
  const { budget = 0 } = untestedBy(ledger)
  expect(budget).toBeGreaterThan(50)
  expect(ledger.end).toMatchObject({ stopped: 'done', conclusion: 'partial', cases: 60 })
  for (const { verdict } of ledger.entries.filter(entry => isLeftOut(entry.verdict)))
    expect(verdict).toMatchObject({ cause: 'budget', reason: expect.stringContaining('--cases') })
})

test('a run that reaches its time limit before everything was tested is partial', async () => {
  const ledger = await onMock({ maxSeconds: 0.15, concurrency: 1 })
  expect(ledger.end).toMatchObject({ stopped: 'time', conclusion: 'partial' })
  expect(Object.keys(untestedBy(ledger))).toEqual(['time'])
})

test('an interrupted run leaves a complete ledger, and is partial even if everything was tested once', async () => {
  const stop = new AbortController()
  const ledger = await onMock({
    signal: stop.signal,
    onEvent: event => {
      if (event.type === 'exchange' && event.id === '190') stop.abort()
    },
  })
  expect(ledger.end).toMatchObject({ stopped: 'interrupt', conclusion: 'partial' })
  expect(coverageOf(ledger).passed).toBeGreaterThan(20)
  expect(Object.keys(untestedBy(ledger)).filter(cause => cause !== 'interrupt')).toEqual([])
})

test('a run that bails lists the obligations that it did not reach', async () => {
  const { url: target, token: right, close } = await brokenStore('takes-null-id')
  onTestFinished(close)
  const ledger = await verify({ target, contract, token: right, seed: 5, bail: true, concurrency: 2 })
  expect(ledger.end).toMatchObject({ stopped: 'bail', conclusion: 'nonconformant' })
  expect(Object.keys(untestedBy(ledger))).toEqual(['bail'])
})

test('without a token wrong tokens are not tested, which makes the run partial', async () => {
  const open = await createMock({ contract })
  onTestFinished(open.close)
  const ledger = await verify({ target: open.url, contract, seed: 3, strict: true, sustained: 0 })
  expect(ledger.end?.conclusion).toBe('partial')
  const wrong = ledger.entries.find(({ obligation }) => obligation.id === 'createPlant/auth/wrong-token')
  expect(wrong?.verdict).toMatchObject({
    kind: 'untested',
    cause: 'access',
    reason: expect.stringContaining('--token'),
  })
})

test('a run without one of its shards is partial, and with all of them it equals the whole run', async () => {
  const names = planSlices(contract).map(({ name }) => name)
  const options = { target: mock.url, contract, token, seed: 11, cases: 300, sustained: 0 }
  const shards = []
  for (const name of names)
    shards.push(readEvidence(await verifyShard({ ...options, slices: [name] }), contract))
  const whole = await verify(options)
  const merged = mergeShards(contract, shards)
  expect(merged.missing).toEqual([])
  expect(merged.ledger.end?.stopped).toBe('done')
  expect(conclusionSoFar(merged.ledger)).toBe('conformant')
  expect(merged.ledger.end?.digest).toBe(whole.end?.digest)
  expect(merged.ledger.entries).toEqual(whole.entries)

  const { ledger, missing } = mergeShards(contract, shards.slice(1))
  expect(missing.map(({ name }) => name)).toEqual(names.slice(0, 1))
  expect(ledger.end).toMatchObject({ stopped: 'shard', conclusion: 'partial' })
  expect(ledger.end?.reason).toBe(`1 of ${names.length} slices of the plan are missing: ${names[0]}`)
  expect(Object.keys(untestedBy(ledger))).toEqual(['shard'])
})
