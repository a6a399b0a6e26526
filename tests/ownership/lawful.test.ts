import { expect, test } from 'vitest'
import { plantContract } from '../state/plants.ts'
import { startGardens, type Variant } from './garden-server.ts'
import { verdictsIn, verifyGardens } from './gardens.ts'

const contract = await plantContract()

const lawful: readonly (readonly [name: string, variant: Variant])[] = [
  ['what is foreign is 404', {}],
  ['what is foreign is 403', { refusal: 403 }],
  ['what is foreign is 401', { refusal: 401 }],
  ['what is foreign is 410', { refusal: 410 }],
  ['what is foreign leads to a login', { refusal: 303 }],
  ['each user has plants 1, 2, 3', { countsForEach: true }],
  ['removed plants are marked', { marksRemoved: true }],
  ['the second user may only read', { otherReads: true }],
]

test.each(lawful)('%s: no alarm, twice in a row, with --strict', { timeout: 60_000 }, async (_, variant) => {
  const server = await startGardens(variant)
  try {
    for (const seed of [1, 2]) {
      const ledger = await verifyGardens(server, { contract, seed })
      expect(ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
      expect(new Set(Object.values(verdictsIn(ledger)))).toEqual(new Set(['passed']))
      if (variant.marksRemoved !== true) expect(server.count()).toBe(0)
    }
  } finally {
    await server.close()
  }
})

test('what the second user has by the same names is not the run’s to change', {
  timeout: 60_000,
}, async () => {
  const server = await startGardens({ countsForEach: true, otherHas: 900 })
  try {
    const ledger = await verifyGardens(server, { contract })
    expect(ledger.findings).toEqual([])
    expect(server.old()).toBe(900)
    expect(server.count()).toBe(900)
    const kinds = verdictsIn(ledger)
    expect([kinds['getPlant/ownership/read'], kinds['listPlants/ownership/list']]).toEqual([
      'passed',
      'passed',
    ])
    const { verdict } =
      ledger.entries.find(({ obligation }) => obligation.id === 'deletePlant/ownership/remove') ?? {}
    expect(verdict).toMatchObject({
      kind: 'untested',
      reason: 'the other user has a plant of its own by the same name, and it would be changed or removed',
    })
  } finally {
    await server.close()
  }
})

test('a whole run of a server that keeps users apart is conformant, and has as much of all else as without a second user', async () => {
  const server = await startGardens()
  try {
    const both = await verifyGardens(server, { contract, only: [] })
    const alone = await verifyGardens(server, { contract, only: [], otherToken: undefined })
    expect(both.findings).toEqual([])
    expect(both.end?.conclusion).toBe('conformant')
    const others = both.start.obligations.filter(({ family }) => family !== 'ownership')
    expect(others).toEqual(alone.start.obligations)
    expect(alone.start.policies['other user']).toBeUndefined()
    expect(server.count()).toBe(0)
  } finally {
    await server.close()
  }
})
