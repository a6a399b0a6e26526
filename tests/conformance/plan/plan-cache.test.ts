import { expect, test } from 'vitest'
import { createPlanCache, type PlanCache, verify } from '../../../conformance/index.ts'
import { brokenServers, startServer } from '../../broken-servers/index.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore

/** What a run says of a server: its verdicts, and its findings without the times of the exchange. */
const saidOf = async (name: string, planCache?: PlanCache): Promise<unknown> => {
  const server = brokenServers.find(row => row.name === name)
  if (server === undefined) throw new Error(`there is no server ${name}`)
  const { url: target, token, close } = await startServer(server)
  try {
    // One at a time: a server that remembers ids answers by the order in which they arrive.
    const options = { target, token, contract, seed: 7, cases: 300, sustained: 0, concurrency: 1, planCache }
    const { entries, findings } = await verify(options)
    return {
      verdicts: entries.map(({ obligation, verdict }) => [obligation.id, verdict]),
      findings: findings.map(({ id, title, obligation, also, cases, hint }) => ({
        id,
        title,
        obligation,
        also,
        cases,
        hint,
      })),
    }
  } finally {
    await close()
  }
}

/** A server of each sort, and one whose finding is chosen among a hundred requirements that failed. */
const names = brokenServers
  .filter(({ name, hangs }, index) => !hangs && (index % 80 === 0 || name === 'fails-without-user-agent'))
  .map(({ name }) => name)

test('a run by a plan that another run made says what it says by its own', async () => {
  const planCache = createPlanCache()
  await saidOf('rejects-percent', planCache)
  for (const name of names) expect(await saidOf(name, planCache), name).toEqual(await saidOf(name))
}, 120_000)
