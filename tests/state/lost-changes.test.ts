import { expect, test } from 'vitest'
import { startPlants } from './plant-server.ts'
import { failedIn, plantContract, verifyPlants } from './plants.ts'

const contract = await plantContract()

test.each([1, 2, 3])(
  'a change that is lost is lost each time, whatever the plant was changed to before (seed %i)',
  { timeout: 60_000 },
  async seed => {
    const server = await startPlants({ fault: 'PATCH ignores chunked bodies' })
    try {
      const ledger = await verifyPlants(server, { contract, seed, only: ['changePlant/*'] })
      expect(failedIn(ledger)).toContain('changePlant/response/200/echo/name')
      expect(ledger.findings.map(({ repeat, hint }) => [repeat, hint])).toEqual([
        ['steady', expect.stringContaining('A chunked body has no Content-Length')],
      ])
    } finally {
      await server.close()
    }
  },
)
