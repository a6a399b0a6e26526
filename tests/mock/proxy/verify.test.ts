/** The suite through a proxy comes to the verdicts that it comes to without one. */
import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { brokenServers, lawfulServers, type Running, startServer } from '../../broken-servers/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { startProxy } from './through.ts'

const names = ['checks-no-credentials', 'resets-on-wrong-token', 'rejects-plants-with-500']
const servers = [...lawfulServers.slice(0, 1), ...brokenServers.filter(({ name }) => names.includes(name))]

// The runs differ in their target only.
const planCache = createPlanCache()

const verdictsOf = async (target: string, token: string) => {
  const { entries, end } = await verify({
    target,
    token,
    contract: contracts.plantStore,
    planCache,
    seed: 1,
    cases: 350,
    sustained: 0,
  })
  return {
    conclusion: end?.conclusion,
    verdicts: entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]),
  }
}

test.each(servers.map(server => [server.name, server] as const))('%s', async (_, server) => {
  const direct: Running = await startServer(server)
  const behind: Running = await startServer(server)
  try {
    const proxy = await startProxy(behind.url)
    expect(await verdictsOf(proxy.url, behind.token)).toEqual(await verdictsOf(direct.url, direct.token))
  } finally {
    await direct.close()
    await behind.close()
  }
})
