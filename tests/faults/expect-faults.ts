import { expect, test } from 'vitest'
import {
  createPlanCache,
  rejudge,
  type VerifyOptions,
  verify,
  verifyDefaults,
} from '../../conformance/index.ts'
import { contradictionsIn, type Ledger, loadContract, plantStoreDocument } from '../../spec/index.ts'
import {
  type BrokenServer,
  brokenServers,
  type Kind,
  type LawfulServer,
  lawfulServers,
  startServer,
} from '../broken-servers/index.ts'
import { conclusionSoFar } from '../conclusion-so-far.ts'
import { hints } from './hints.ts'

const contract = loadContract({ from: plantStoreDocument.pathname })

type Rules = Pick<VerifyOptions, 'unauthenticated' | 'cases'>

/** Runs with the same number of cases and the same policy share a plan. */
const planCaches = new Map<string, ReturnType<typeof createPlanCache>>()

const planCacheFor = ({ unauthenticated, cases }: Rules): ReturnType<typeof createPlanCache> => {
  const key = `${unauthenticated} ${cases}`
  const planCache = planCaches.get(key) ?? createPlanCache()
  planCaches.set(key, planCache)
  return planCache
}

const run = async (
  { url, token }: Awaited<ReturnType<typeof startServer>>,
  options: Omit<VerifyOptions, 'target'>,
): Promise<Ledger> =>
  verify({
    target: url,
    token,
    contract: await contract,
    seed: 7,
    planCache: planCacheFor(options),
    ...options,
  })

/** Milliseconds that a response may take: enough for a busy machine, but each hang takes this long. */
const patience = { hanging: 500, broken: 3000, lawful: 15_000 } as const

/** Sustained load shows only faults that depend on earlier requests. */
const sustainedFor = (matters: boolean): Pick<VerifyOptions, 'sustained'> => (matters ? {} : { sustained: 0 })

/** Judging costs as much again, so it is done for some servers only. */
const rejudged = 15

/** The recorded responses must not refute the verdicts. */
const expectSound = async (ledger: Ledger, index: number): Promise<void> => {
  expect(contradictionsIn(ledger)).toEqual([])
  if (index % rejudged === 0) expect(rejudge(await contract, ledger)).toEqual([])
}

/** One test for each broken server of a kind: a finding names one of the obligations that it breaks. */
export const expectFaultsOfKind = (kind: Kind): void =>
  expectFaults(brokenServers.filter(row => row.kind === kind))

/** Most faults are found in the first cases of each obligation; all of them in those of a default run. */
const budgets = [300, 700, verifyDefaults.cases] as const

/** The hint of the finding says where to look, if this server is one of the table. */
const expectHint = ({ name }: BrokenServer, { findings }: Ledger): void => {
  const [obligation, words] = hints[name] ?? []
  if (obligation === undefined) return
  expect(findings.map(found => `${found.obligation}: ${found.hint}`)).toContainEqual(
    expect.stringMatching(new RegExp(`^createPlant/${obligation}: .*${words}`)),
  )
}

/** One test for each of these servers: its fault is found under these rules. Servers that hang come first, because their tests mostly wait. */
export const expectFaults = (servers: readonly BrokenServer[], rules: Rules = {}): void => {
  for (const [index, server] of servers.toSorted((a, b) => Number(b.hangs) - Number(a.hangs)).entries())
    test.concurrent(`${server.name}: ${server.about}`, async () => {
      const strict = server.level === 'SHOULD'
      const find = async (cases: number): Promise<Ledger> => {
        const started = await startServer(server)
        try {
          return await run(started, {
            cases,
            strict,
            timeoutMs: server.hangs ? patience.hanging : patience.broken,
            ...sustainedFor(server.kind === 'stability'),
            ...rules,
          })
        } finally {
          await started.close()
        }
      }
      const failed = ({ findings }: Ledger): readonly string[] =>
        findings
          .filter(({ level }) => level === 'MUST' || strict)
          .map(({ obligation }) => obligation)
          .filter(id => server.breaks.test(id))
      const [first, ...others] = server.isRare ? budgets.slice(-1) : budgets
      let ledger = await find(first ?? verifyDefaults.cases)
      for (const cases of others) if (failed(ledger).length === 0) ledger = await find(cases)
      expect(ledger.findings.map(({ obligation }) => obligation)).toContainEqual(
        expect.stringMatching(server.breaks),
      )
      expect(failed(ledger)).not.toEqual([])
      expectHint(server, ledger)
      await expectSound(ledger, index)
      expect(ledger.end?.conclusion).toBe('nonconformant')
    }, 120_000)
}

/** One test for each lawful server: a run reports no failure, nor does a second one on the same process if the server has state. */
export const expectNoFalseAlarms = (
  servers: readonly LawfulServer[] = lawfulServers,
  rules: Rules = {},
): void => {
  const inOrder = servers.toSorted((a, b) => Number(b.sustained) - Number(a.sustained))
  for (const [index, server] of inOrder.entries()) {
    const { strict, sustained, isStateful } = server
    test.concurrent(`${server.name}: ${server.about}`, async () => {
      const started = await startServer(server)
      const expectConformant = async (options: Omit<VerifyOptions, 'target'>): Promise<void> => {
        const ledger = await run(started, { strict, timeoutMs: patience.lawful, ...options, ...rules })
        const counted = ledger.findings.filter(({ level }) => level === 'MUST' || strict)
        expect(counted.map(({ obligation, actual }) => `${obligation}: ${actual}`)).toEqual([])
        expect(conclusionSoFar(ledger)).toBe('conformant')
        await expectSound(ledger, index)
      }
      try {
        await expectConformant({ cases: 600, ...sustainedFor(sustained) })
        // It meets the plants of the first one: a few cases show what that changes.
        if (isStateful) await expectConformant({ cases: 300, sustained: 0 })
      } finally {
        await started.close()
      }
    }, 300_000)
  }
}
