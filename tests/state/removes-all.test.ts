import { expect, onTestFinished, test } from 'vitest'
import { startPlants } from './plant-server.ts'
import { plantContract, verifyPlants } from './plants.ts'

test.each([1, 2])(
  'what removes all is sent last, and nothing is said of what it took from others (seed %i)',
  async seed => {
    const contract = await plantContract([
      '  /plants/{plantId}:\n',
      `    delete:
      operationId: removePlants
      responses:
        "204": { description: All plants are gone }
        "401": { $ref: "#/components/responses/Failure" }
  /plants/{plantId}:\n`,
    ])
    const server = await startPlants({ removesAll: true })
    onTestFinished(server.close)
    const requests: string[] = []
    const { findings, entries } = await verifyPlants(server, {
      ...{ contract, seed, strict: true, cases: 800 },
      onExchange: ({ request: { method, target } }) => void requests.push(`${method} ${target}`),
    })
    expect(findings.map(({ title, obligation }) => `${title} (${obligation})`)).toEqual([])
    const verdictOf = (name: string) => entries.find(({ obligation }) => obligation.id === name)?.verdict.kind
    expect(verdictOf('removePlants/request/valid')).toBe('passed')
    expect(verdictOf('getPlant/request/valid')).toBe('passed')
    // Once before the plan, to see whether it works, and the rest after all others.
    const at = requests.flatMap((each, index) => (each === 'DELETE /plants' ? [index] : []))
    expect(at.filter(index => index < requests.length / 2).length).toBeLessThan(3)
  },
)
