import { expect, test } from 'vitest'
import { createPlanCache, type PlanCache } from '../../conformance/index.ts'
import { faults } from './faults.ts'
import { startPlants } from './plant-server.ts'
import { failedIn, plantContract, verifyPlants } from './plants.ts'
import { hasPython, pythonFaults, startPythonPlants } from './python-server.ts'
import { sqliteFaults, startSqlitePlants } from './sqlite-server.ts'

const contract = await plantContract()

/** What faults of one obligation have in common. */
const planCaches = new Map<string, PlanCache>()

const servers = [
  { name: 'in memory', start: (fault: string) => startPlants({ fault, already: 12 }), list: faults },
  { name: 'SQLite', start: startSqlitePlants, list: sqliteFaults },
  { name: 'Python', start: startPythonPlants, list: hasPython ? pythonFaults : [] },
]

for (const { name, start, list } of servers) {
  test.concurrent.each(list)(`${name}, %s: %s`, { timeout: 60_000 }, async (fault, obligation) => {
    const planCache = planCaches.get(obligation) ?? createPlanCache()
    planCaches.set(obligation, planCache)
    const server = await start(fault)
    try {
      const ledger = await verifyPlants(server, {
        contract,
        planCache,
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

  test(`${name}: each fault is listed once`, () => {
    expect(new Set(list.map(([fault]) => fault)).size).toBe(list.length)
  })
}
