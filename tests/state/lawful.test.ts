import { expect, test } from 'vitest'
import { createPlanCache } from '../../conformance/index.ts'
import { startPlants, type Variant } from './plant-server.ts'
import { plantContract, verifyPlants } from './plants.ts'

const withPlant = [
  '"204": { description: Removed }',
  '"200": { $ref: "#/components/responses/Plant" }',
] as const
const empty = ['"200": { $ref: "#/components/responses/Plant" }', '"204": { description: Done }'] as const
const getAgain = [
  'operationId: getPlant\n      responses:\n        "204": { description: Done }',
  'operationId: getPlant\n      responses:\n        "200": { $ref: "#/components/responses/Plant" }',
] as const

type Lawful = readonly [name: string, variant: Variant, edits: readonly (readonly [string, string])[]]

const variants: readonly Lawful[] = [
  ['the plainest one', {}, []],
  ['what is gone is 410', { statusOfAbsent: 410 }, [['"404"', '"410"']]],
  ['DELETE answers with the plant', { deletes: 'with the plant' }, [withPlant]],
  ['updates answer nothing', { updatesEmpty: true }, [empty, getAgain]],
  ['removed plants are marked, and still found', { deletes: 'by a mark' }, []],
  ['removed plants are marked, also in the list', { deletes: 'by a mark in the list as well' }, []],
  ['a wrong id is not found', { wrongIds: 404 }, []],
  ['a list of many pages', { already: 950 }, []],
]

test.each(variants)(
  '%s: no alarm, twice in a row, also with --strict',
  { timeout: 120_000 },
  async (_name, variant, edits) => {
    const contract = await plantContract(...edits)
    const planCache = createPlanCache()
    const server = await startPlants(variant)
    const before = server.plants.size
    try {
      for (const seed of [1, 1]) {
        const { findings, end, entries } = await verifyPlants(server, {
          contract,
          seed,
          planCache,
          strict: true,
        })
        const untested = entries.filter(({ verdict }) => verdict.kind === 'untested')
        expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
        expect(end?.conclusion).toBe('conformant')
        // A declared 400 that the server never sends cannot be tested.
        expect(untested.length / entries.length).toBeLessThan(variant.wrongIds === 404 ? 0.02 : 0.01)
        expect(untested.filter(({ obligation }) => obligation.family === 'state')).toEqual([])
        // What the run created, it removed.
        expect(server.plants.size).toBe(before)
      }
    } finally {
      await server.close()
    }
  },
)
