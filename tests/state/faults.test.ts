import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { startPlants } from './plant-server.ts'
import { failedIn, plantContract, verifyPlants } from './plants.ts'

const contract = await plantContract()

test.concurrent.each(faults)('%s: %s', { timeout: 60_000 }, async (fault, obligation) => {
  const server = await startPlants({ fault, already: 12 })
  try {
    const ledger = await verifyPlants(server, {
      contract,
      strict: true,
      cases: 80,
      timeoutMs: 1500,
      only: obligation.includes('/state/')
        ? [obligation]
        : [obligation, `${obligation.split('/')[0]}/request/valid`],
    })
    expect(failedIn(ledger)).toContain(obligation)
    expect(ledger.end?.conclusion).toBe('nonconformant')
  } finally {
    await server.close()
  }
})

test('each fault is listed once', () => {
  expect(new Set(faults.map(([fault]) => fault)).size).toBe(faults.length)
})
