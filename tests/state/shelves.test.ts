import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { failedIn } from './plants.ts'
import { shelfFaults, startShelves } from './shelf-server.ts'

const contract = await loadContract({ from: fileURLToPath(new URL('shelves.openapi.yaml', import.meta.url)) })

test('names that the client chooses, and things below others: no alarm, twice in a row', {
  timeout: 60_000,
}, async () => {
  const server = await startShelves()
  const planCache = createPlanCache()
  try {
    for (const seed of [1, 1]) {
      const { findings, end, entries } = await verify({
        target: server.url,
        contract,
        planCache,
        seed,
        strict: true,
        sustained: 0,
      })
      expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
      expect(end?.conclusion).toBe('conformant')
      const untested = entries.filter(({ verdict }) => verdict.kind === 'untested')
      expect(untested.length / entries.length).toBeLessThan(0.01)
      expect(server.size()).toBe(0)
    }
  } finally {
    await server.close()
  }
})

const planCache = createPlanCache()

test.concurrent.each(shelfFaults)('%s: %s', { timeout: 60_000 }, async (fault, obligation) => {
  const server = await startShelves(fault)
  try {
    const only = ['*/state/*']
    const ledger = await verify({
      target: server.url,
      contract,
      planCache,
      seed: 1,
      cases: 120,
      strict: true,
      sustained: 0,
      only,
    })
    expect(failedIn(ledger)).toContain(obligation)
  } finally {
    await server.close()
  }
})
