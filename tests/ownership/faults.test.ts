import { expect, test } from 'vitest'
import { createPlanCache } from '../../conformance/index.ts'
import { failedIn, plantContract } from '../state/plants.ts'
import { startGardens } from './garden-server.ts'
import { verifyGardens } from './gardens.ts'

const faults = [
  ['read gives all', 'getPlant/ownership/read', 'getPlant gave the plant of one user to another'],
  ['read hides some of it', 'getPlant/ownership/read', 'getPlant gave the plant of one user to another'],
  ['read has a cache for all', 'getPlant/ownership/read', 'getPlant gave the plant of one user to another'],
  [
    'read crashes on what is foreign',
    'getPlant/ownership/read',
    'getPlant answered 500 for the plant of another user',
  ],
  [
    'read moves what is foreign',
    'getPlant/ownership/read',
    'getPlant answered 404 for the plant after another user had asked getPlant for it',
  ],
  ['list gives all', 'listPlants/ownership/list', 'listPlants listed the plant of one user for another'],
  [
    'list gives all in large pages',
    'listPlants/ownership/list',
    'listPlants listed the plant of one user for another',
  ],
  [
    'PUT changes all',
    'replacePlant/ownership/replace',
    'replacePlant replaced the plant of one user for another',
  ],
  [
    'PUT takes over',
    'replacePlant/ownership/replace',
    'replacePlant replaced the plant of one user for another',
  ],
  [
    'PUT changes and refuses',
    'replacePlant/ownership/refused',
    'replacePlant refused the plant of one user to another (404), and did what was asked all the same',
  ],
  [
    'PATCH changes all',
    'changePlant/ownership/change',
    'changePlant changed the plant of one user for another',
  ],
  [
    'PATCH takes over',
    'changePlant/ownership/change',
    'changePlant changed the plant of one user for another',
  ],
  [
    'PATCH changes and refuses',
    'changePlant/ownership/refused',
    'changePlant refused the plant of one user to another (404), and did what was asked all the same',
  ],
  [
    'DELETE removes all',
    'deletePlant/ownership/remove',
    'deletePlant removed the plant of one user for another',
  ],
  [
    'DELETE removes and refuses',
    'deletePlant/ownership/refused',
    'deletePlant refused the plant of one user to another (404), and did what was asked all the same',
  ],
  [
    'DELETE marks and refuses',
    'deletePlant/ownership/refused',
    'deletePlant refused the plant of one user to another (404), and did what was asked all the same',
  ],
] as const

const contract = await plantContract()
const planCaches = [createPlanCache(), createPlanCache()]

test.concurrent.each(faults)(
  '%s: %s, twice in a row',
  { timeout: 60_000 },
  async (fault, obligation, title) => {
    const server = await startGardens({ fault })
    try {
      for (const planCache of planCaches) {
        const ledger = await verifyGardens(server, { contract, planCache })
        expect(failedIn(ledger)).toEqual([obligation])
        expect(ledger.findings.map(finding => finding.title)).toEqual([title])
        expect(ledger.end?.conclusion).toBe('nonconformant')
        // What is only marked stays.
        if (!fault.includes('marks')) expect(server.count()).toBe(0)
      }
    } finally {
      await server.close()
    }
  },
)

test('without --strict what is shared is a warning, but what is refused in vain is none', async () => {
  const conclusionOf = async (fault: string): Promise<string | undefined> => {
    const server = await startGardens({ fault })
    try {
      const ledger = await verifyGardens(server, { contract, strict: false, only: [] })
      return ledger.end?.conclusion
    } finally {
      await server.close()
    }
  }
  expect(await conclusionOf('read gives all')).toBe('conformant')
  expect(await conclusionOf('DELETE removes and refuses')).toBe('nonconformant')
})
