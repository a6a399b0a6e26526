import { expect, test } from 'vitest'
import type { Fixtures } from '../../conformance/index.ts'
import { type PlantServer, startPlants } from './plant-server.ts'
import { plantContract, verifyPlants } from './plants.ts'

// Without the operations of the collection nobody creates or lists plants.
const whole = await plantContract()
const contract = { ...whole, operations: whole.operations.filter(({ path }) => path !== '/plants') }

const run = (server: PlantServer, fixtures: Fixtures) =>
  verifyPlants(server, { contract, fixtures, only: ['getPlant', 'replacePlant', 'deletePlant'], cases: 400 })

test('what can only be asked with made-up names is untested, with the fixture to add, and never passed', async () => {
  const server = await startPlants({ already: 0 })
  try {
    const { entries, end, findings } = await run(server, {})
    const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict
    // One flag for all; what is removed is named for the operation that removes it.
    for (const [operation, flag] of [
      ['getPlant', "'*.plantId=VALUE'"],
      ['replacePlant', "'*.plantId=VALUE'"],
      ['deletePlant', 'deletePlant.plantId=VALUE'],
    ] as const)
      expect(verdictOf(`${operation}/request/valid`)).toEqual({
        kind: 'untested',
        cause: 'fixture',
        reason: expect.stringMatching(
          new RegExp(`: name one that exists with --fixture ${RegExp.escape(flag)}$`),
        ),
      })
    // That a name is wrong shows without one that exists.
    expect(verdictOf('getPlant/request/path/plantId/type/string')?.kind).toBe('passed')
    expect(findings).toEqual([])
    expect(end?.conclusion).toBe('partial')
  } finally {
    await server.close()
  }
})

test('with fixtures they are tested; what is removed is used up', async () => {
  const server = await startPlants({ already: 60 })
  try {
    const removable = Array.from({ length: 40 }, (_, index) => String(index + 20))
    const { entries, findings } = await run(server, {
      'getPlant.plantId': ['7'],
      '*.plantId': ['8'],
      'deletePlant.plantId': removable,
    })
    const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict
    expect(findings).toEqual([])
    for (const operation of ['getPlant', 'replacePlant', 'deletePlant'])
      expect(verdictOf(`${operation}/request/valid`)?.kind).toBe('passed')
    expect(server.plants.has(7) && server.plants.has(8)).toBe(true)
    expect(server.plants.has(20)).toBe(false)
  } finally {
    await server.close()
  }
})

test('when all values of a fixture are used up, the rest is untested', async () => {
  const server = await startPlants({ already: 60 })
  try {
    const { entries, findings } = await run(server, {
      '*.plantId': ['7', '8'],
      'deletePlant.plantId': ['20'],
    })
    const reasons = entries.flatMap(({ verdict }) => ('reason' in verdict ? [verdict.reason] : []))
    expect(findings).toEqual([])
    // Nothing is removed but what was named for that, whatever goes before a request.
    const all = Array.from({ length: 60 }, (_, index) => index + 1)
    expect(all.filter(id => !server.plants.has(id))).toEqual([20])
    expect(reasons.join()).toContain('all values of deletePlant.plantId were used up')
  } finally {
    await server.close()
  }
})
