/** A failing chain is told with the fewest steps that still show the fault. */
import { expect, test } from 'vitest'
import { startPlants } from '../../state/plant-server.ts'
import { plantContract, verifyPlants } from '../../state/plants.ts'
import { startSqlitePlants } from '../../state/sqlite-server.ts'

const contract = await plantContract()

const inMemory = (fault: string) => startPlants({ fault })

/** The roles of the steps, the last of which shows the fault. */
test.each([
  ['DELETE does nothing', inMemory, 'deletePlant/state/gone', 'create subject'],
  ['PUT does nothing', inMemory, 'replacePlant/state/stored', 'other subject'],
  // The read before the change has filled the cache.
  ['a cache outlives a change', startSqlitePlants, 'changePlant/state/stored', 'other read subject'],
  ['PUT changes the next plant', inMemory, 'replacePlant/state/apart', 'create other read-other subject'],
  ['PUT removes the plant before', inMemory, 'replacePlant/state/apart', 'other create read-other subject'],
  ['create shares the place', inMemory, 'createPlant/state/apart', 'create read other read-other'],
  // The first read says what was there.
  ['PATCH forgets', inMemory, 'changePlant/state/kept', 'create read subject'],
] as const)('%s', async (fault, start, obligation, roles) => {
  const server = await start(fault)
  try {
    const { findings } = await verifyPlants(server, { contract, only: [obligation], cases: 80 })
    const finding = findings.find(each => each.obligation === obligation)
    expect(finding?.repeat).toBe('steady')
    expect(finding?.steps?.map(({ role }) => role).join(' ')).toBe(roles)
  } finally {
    await server.close()
  }
})
