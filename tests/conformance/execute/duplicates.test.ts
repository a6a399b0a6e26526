import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { brokenServers, lawfulServers, startServer } from '../../broken-servers/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore

const named = <T extends { readonly name: string }>(servers: readonly T[], name: string): T => {
  const server = servers.find(each => each.name === name)
  if (server === undefined) throw new Error(`${name} is not in the table`)
  return server
}

test('a server that coerces ids fails in every run, although it rejects each id that it has seen', async () => {
  const { url, token, close } = await startServer(named(brokenServers, 'coerces-ids-and-rejects-duplicates'))
  try {
    for (const seed of [1, 2, 3, 1]) {
      const ledger = await verify({ target: url, token, contract, seed, sustained: 0 })
      const failed = ledger.findings.flatMap(({ obligation, also }) => [obligation, ...also])
      expect(ledger.end?.conclusion).toBe('nonconformant')
      for (const name of ['type/numeral', 'type/fraction', 'type/array', 'format/above'])
        expect(failed).toContain(`createPlant/request/body/id/${name}`)
    }
  } finally {
    await close()
  }
})

test.each([
  ['a shorter run after a longer one', [1000, 300, 300]],
  ['fifteen runs', Array.from({ length: 15 }, () => 350)],
])(
  'a server that rejects ids that it has seen conforms, whatever ran before with the same seed: %s',
  async (_name, runs) => {
    const { url, token, close } = await startServer(named(lawfulServers, 'rejects-duplicates'))
    const planCaches = new Map(runs.map(cases => [cases, createPlanCache()]))
    try {
      for (const cases of runs) {
        const planCache = planCaches.get(cases)
        const options = { target: url, token, contract, planCache, seed: 1, cases, sustained: 0 }
        const ran = await verify(options)
        expect({ conclusion: conclusionSoFar(ran), findings: ran.findings }).toEqual({
          conclusion: 'conformant',
          findings: [],
        })
      }
    } finally {
      await close()
    }
  },
)
