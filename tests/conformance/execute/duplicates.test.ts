import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { brokenServers, startServer } from '../../broken-servers/index.ts'

const server = brokenServers.find(({ name }) => name === 'coerces-ids-and-rejects-duplicates')

test('a server that coerces ids fails in every run, although it rejects each id that it has seen', async () => {
  if (server === undefined) throw new Error('the server is not in the table')
  const { url, token, close } = await startServer(server)
  try {
    for (const seed of [1, 2, 3, 1]) {
      const ledger = await verify({ target: url, token, seed, sustained: 0 })
      const failed = ledger.findings.flatMap(({ obligation, also }) => [obligation, ...also])
      expect(ledger.end?.conclusion).toBe('nonconformant')
      for (const name of ['type/numeral', 'type/fraction', 'type/array', 'format/above'])
        expect(failed).toContain(`createPlant/request/body/id/${name}`)
    }
  } finally {
    await close()
  }
})
