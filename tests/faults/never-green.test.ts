/** Whatever a run leaves out, and whatever the network does: a server that breaks a MUST is never called conformant. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeShards, planSlices, readEvidence, verify, verifyShard } from '../../conformance/index.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import { loadContract, obligationsOf, plantStoreDocument } from '../../spec/index.ts'
import { badNetwork, type Weather } from './bad-network.ts'

const contract = await loadContract({ from: plantStoreDocument.pathname })
const token = 'secret'

const musts = obligationsOf(contract, 'declared')
  .filter(({ level }) => level === 'MUST')
  .map(({ id }) => id)

/** One that accepts requests without credentials comes as often as all others together. */
const broken = fc.oneof(fc.constant('createPlant/auth/absent'), fc.constantFrom(...musts))

const weather: fc.Arbitrary<Weather> = fc.record({
  latency: fc.constantFrom(0, 0, 5, 40),
  losesEvery: fc.constantFrom(0, 0, 400, 60, 12),
  diesAfter: fc.option(fc.integer({ min: 1, max: 600 }), { freq: 3 }),
})

const settings = fc.record({
  seed: fc.nat(2 ** 31 - 1),
  cases: fc.integer({ min: 1, max: 500 }),
  concurrency: fc.constantFrom(1, 16, 64),
  maxSeconds: fc.constantFrom(undefined, undefined, 0.05, 0.5),
  sustained: fc.constantFrom(0, 100),
  only: fc.constantFrom([], [], ['createPlant/auth'], ['createPlant/stability'], ['createPlant/response']),
  unauthenticated: fc.constantFrom('declared' as const, 'either' as const),
})

/** Runs with a mock that breaks this obligation; skips what the mock cannot break. */
const withMutant = async (breaks: string, run: (url: string) => Promise<void>): Promise<void> => {
  const mock = await createMock({ contract, tokens: [token], breaks, warn: () => {} }).catch(error => {
    if (error instanceof MutantError) return null
    throw error
  })
  fc.pre(mock !== null)
  try {
    await run(mock.url)
  } finally {
    await mock.close()
  }
}

test('no setting and no network makes a broken server conformant', async () => {
  const conclusions = new Set<string | undefined>()
  await fc.assert(
    fc.asyncProperty(broken, settings, weather, (breaks, options, network) =>
      withMutant(breaks, async url => {
        const proxy = await badNetwork(url, network)
        try {
          const { end } = await verify({ ...options, contract, token, target: proxy.url, timeoutMs: 1000 })
          conclusions.add(end?.conclusion)
          expect(end?.conclusion).not.toBe('conformant')
        } finally {
          await proxy.close()
        }
      }),
    ),
    { numRuns: 30 },
  )
  expect(conclusions).toContain('nonconformant')
  expect(conclusions).toContain('partial')
}, 120_000)

test('no choice of shards makes a broken server conformant', async () => {
  const names = planSlices(contract).map(({ name }) => name)
  await fc.assert(
    fc.asyncProperty(broken, fc.subarray(names, { minLength: 1 }), fc.nat(1000), (breaks, chosen, seed) =>
      withMutant(breaks, async url => {
        const options = { target: url, contract, token, seed, cases: 300, sustained: 0 }
        const shards = []
        for (const name of chosen)
          shards.push(readEvidence(await verifyShard({ ...options, slices: [name] }), contract))
        expect(mergeShards(contract, shards).ledger.end?.conclusion).not.toBe('conformant')
      }),
    ),
    { numRuns: 8 },
  )
}, 120_000)
