import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeShards, planSlices, readEvidence, verifyShard } from '../../conformance/index.ts'
import { contract, examples, mutant, neverGreen, startMutant, token } from './never-green-law.ts'

test('no setting and no network makes a broken server conformant', async () => {
  const conclusions = new Set<string | undefined>()
  const law = neverGreen(conclusion => conclusions.add(conclusion))
  // They mostly wait for their network.
  await Promise.all([
    fc.assert(law, { numRuns: 10, examples }),
    fc.assert(law, { numRuns: 10 }),
    fc.assert(law, { numRuns: 10 }),
  ])
  for (const each of ['accepted', 'nonconformant', 'partial']) expect(conclusions).toContain(each)
}, 120_000)

test('no choice of shards makes a broken server conformant', async () => {
  const names = planSlices(contract).map(({ name }) => name)
  await fc.assert(
    fc.asyncProperty(
      mutant,
      fc.subarray(names, { minLength: 1 }),
      fc.nat(1000),
      async (breaks, chosen, seed) => {
        const { url, close } = await startMutant(breaks)
        try {
          const options = { target: url, contract, token, seed, cases: 300, sustained: 0 }
          const shards = []
          for (const name of chosen)
            shards.push(readEvidence(await verifyShard({ ...options, slices: [name] }), contract))
          expect(mergeShards(contract, shards).ledger.end?.conclusion).not.toBe('conformant')
        } finally {
          await close()
        }
      },
    ),
    { numRuns: 8 },
  )
}, 120_000)
