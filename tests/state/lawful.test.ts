import { expect, test } from 'vitest'
import { createPlanCache, type PlanCache } from '../../conformance/index.ts'
import type { Contract } from '../../spec/index.ts'
import { type PlantServer, startPlants, type Variant } from './plant-server.ts'
import { plantContract, verifyPlants } from './plants.ts'
import { hasPython, startPythonPlants } from './python-server.ts'
import { startSqlitePlants } from './sqlite-server.ts'

const withPlant = [
  '"204": { description: Removed }',
  '"200": { $ref: "#/components/responses/Plant" }',
] as const
const empty = ['"200": { $ref: "#/components/responses/Plant" }', '"204": { description: Done }'] as const
const getAgain = [
  'operationId: getPlant\n      responses:\n        "204": { description: Done }',
  'operationId: getPlant\n      responses:\n        "200": { $ref: "#/components/responses/Plant" }',
] as const

type Server = Pick<PlantServer, 'url' | 'close'> & Partial<Pick<PlantServer, 'plants'>>
type Edits = readonly (readonly [from: string, to: string])[]

const variant = (name: string, given: Variant, ...edits: Edits) => ({
  name,
  start: (): Promise<Server> => startPlants(given),
  edits,
  // A declared 400 that the server never sends cannot be tested.
  mostUntested: given.wrongIds === 404 ? 0.02 : 0.01,
})

const servers = [
  variant('the plainest one', {}),
  variant('what is gone is 410', { statusOfAbsent: 410 }, ['"404"', '"410"']),
  variant('DELETE answers with the plant', { deletes: 'with the plant' }, withPlant),
  variant('updates answer nothing', { updatesEmpty: true }, empty, getAgain),
  variant('removed plants are marked, and still found', { deletes: 'by a mark' }),
  variant('removed plants are marked, also in the list', { deletes: 'by a mark in the list as well' }),
  variant('a wrong id is not found', { wrongIds: 404 }),
  variant('a list of many pages', { already: 950 }),
  { ...variant('SQLite', {}), start: (): Promise<Server> => startSqlitePlants() },
  {
    ...variant('SQLite that gives ids again', {}),
    start: (): Promise<Server> => startSqlitePlants('', true),
  },
  ...(hasPython ? [{ ...variant('Python', {}), start: (): Promise<Server> => startPythonPlants() }] : []),
]

/** A whole run, and a short one that finds what the first one left. Runs with the same document have the plans in common. */
const runs = [{}, { cases: 300 }] as const
const plans = new Map<string, { readonly contract: Contract; readonly planCaches: readonly PlanCache[] }>()

const planFor = async (edits: Edits) => {
  const key = JSON.stringify(edits)
  const plan = plans.get(key) ?? {
    contract: await plantContract(...edits),
    planCaches: runs.map(createPlanCache),
  }
  plans.set(key, plan)
  return plan
}

test.each(servers)(
  '$name: no alarm, twice in a row, also with --strict',
  { timeout: 120_000 },
  async ({ start, edits, mostUntested }) => {
    const { contract, planCaches } = await planFor(edits)
    const server = await start()
    const before = server.plants?.size
    try {
      for (const [index, run] of runs.entries()) {
        const { findings, end, entries, notes } = await verifyPlants(server, {
          contract,
          planCache: planCaches[index],
          strict: true,
          ...run,
        })
        expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
        // What the run created, it removed, but for what a busy machine did not answer in time: then it says so.
        const lost = notes.flatMap(({ message }) => /gave no response to (\d+)/.exec(message)?.[1] ?? [])
        if (lost.length === 0) expect(server.plants?.size).toBe(before)
        else expect((server.plants?.size ?? 0) - (before ?? 0)).toBeLessThanOrEqual(Number(lost[0]))
        if (index > 0) continue
        const untested = entries.filter(({ verdict }) => verdict.kind === 'untested')
        expect(end?.conclusion).toBe('conformant')
        expect(untested.length / entries.length).toBeLessThan(mostUntested)
        expect(untested.filter(({ obligation }) => obligation.family === 'state')).toEqual([])
      }
    } finally {
      await server.close()
    }
  },
)
