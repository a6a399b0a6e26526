import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import {
  type Contract,
  type Ledger,
  loadContract,
  plantStoreDocument,
  type Unauthenticated,
} from '../../spec/index.ts'
import {
  type Broken,
  brokenServers,
  type Kind,
  type Lawful,
  lawfulServers,
  startServer,
} from '../broken-servers/index.ts'

/** What a run is told besides the server. */
type Rules = {
  readonly unauthenticated?: Unauthenticated
  readonly cases?: number
  readonly timeoutMs?: number
}

const contract: Promise<Contract> = loadContract({ from: plantStoreDocument.pathname })

const judge = async (
  server: { readonly url: string; readonly token: string },
  strict: boolean,
  rules: Rules,
): Promise<Ledger> =>
  verify({
    target: server.url,
    token: server.token,
    contract: await contract,
    seed: 7,
    timeoutMs: 1500,
    strict,
    ...rules,
  })

/** One test for each faulty server of a kind: the fault is found, by an obligation of its kind. */
export const huntFaults = (kind: Kind): void => hunt(brokenServers.filter(row => row.kind === kind))

/** One test for each of these servers: its fault is found under these rules. */
export const hunt = (servers: readonly Broken[], rules: Rules = {}): void => {
  for (const server of servers)
    test.concurrent(`${server.name}: ${server.about}`, async () => {
      const started = await startServer(server)
      try {
        const ledger = await judge(started, server.level === 'SHOULD', rules)
        const counted = ledger.findings.filter(({ level }) => level === 'MUST' || server.level === 'SHOULD')
        expect(ledger.end?.conclusion).toBe('broken')
        expect(counted.map(({ obligation }) => obligation)).toContainEqual(
          expect.stringMatching(server.breaks),
        )
      } finally {
        await started.close()
      }
    })
}

/** One test for each lawful server: no alarm, twice in a row on the same process. */
export const huntAlarms = (servers: readonly Lawful[] = lawfulServers, rules: Rules = {}): void => {
  for (const server of servers)
    test.concurrent(`${server.name}: ${server.about}`, async () => {
      const started = await startServer(server)
      try {
        for (const _time of ['first', 'second']) {
          // A busy machine is no fault of the server.
          const ledger = await judge(started, server.strict, { timeoutMs: 5000, ...rules })
          const counted = ledger.findings.filter(({ level }) => level === 'MUST' || server.strict)
          expect(counted.map(({ obligation, got }) => `${obligation}: ${got}`)).toEqual([])
          expect(ledger.end?.conclusion).toBe('conformant')
        }
      } finally {
        await started.close()
      }
    })
}
