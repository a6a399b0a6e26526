/** Tests the stores themselves with requests written by hand, without any code of the toolkit. */
import { describe, expect, it } from 'vitest'
import { type BrokenServer, brokenServers, type LawfulServer, lawfulServers, startServer } from './index.ts'
import { type Probe, probes } from './probes/probes.ts'
import { violationIn } from './probes/violation.ts'
import { exchange, type Outcome, openClient } from './store/client.ts'
import type { TestServer, Witness } from './store/model.ts'

const base: TestServer = { name: 'base', about: 'The plant store of the contract.', parts: () => ({}) }

/** Milliseconds to wait for a response: long enough for a busy machine, short for stores that hang. */
const patience = { usual: 60_000, hanging: 300 } as const

/** The outcomes of the lawful base show what the contract expects of the requests. */
const probesOf = async ({ requests, inFlight }: Witness): Promise<readonly Probe[]> => {
  const { url, close } = await startServer(base)
  const outcomes = await Array.fromAsync(exchange(url, { requests, inFlight }, patience.usual))
  await close()
  return requests.map((request, index) => {
    const outcome = outcomes[index]
    const isAccepted = outcome?.kind === 'response' && outcome.status === 200
    return { id: 'witness', expectation: isAccepted ? 'accept' : 'reject', request }
  })
}

/** Whether the fault is in the judgement of a request: then only probes for the obligations that the store breaks count. */
const isAboutRequests = ({ kind, witness }: BrokenServer) =>
  witness === undefined && ['auth', 'reject', 'accept'].includes(kind)

const firstViolation = async (server: BrokenServer): Promise<string | undefined> => {
  const { witness, breaks } = server
  const relevant = witness
    ? await probesOf(witness)
    : probes.filter(({ id }) => !isAboutRequests(server) || breaks.test(id))
  const requests = relevant.map(({ request }) => request)
  const { url, close } = await startServer(server)
  try {
    let index = 0
    const milliseconds = server.hangs ? patience.hanging : patience.usual
    for await (const outcome of exchange(url, { inFlight: 1, ...witness, requests }, milliseconds)) {
      const violation = violationIn(relevant[index] as Probe, outcome)
      if (violation !== undefined) return `${relevant[index]?.id}: ${violation}`
      index += 1
    }
    return undefined
  } finally {
    await close()
  }
}

/** A busy store may answer with Retry-After; one that is not strict may reject what the contract allows, at the price of a warning. */
const isForgiven = (server: LawfulServer, { request }: Probe, outcome: Outcome): boolean => {
  if (outcome.kind !== 'response') return false
  if (server.kind === 'busy') return [429, 503].includes(outcome.status) && outcome.retryAfter === '1'
  if (server.name === 'limits-bodies' && outcome.status === 413) return true
  if (server.strict && server.name !== 'rejects-duplicates') return false
  return violationIn({ expectation: 'either', request }, outcome)?.endsWith('not echoed') !== false
}

describe('the tables', () => {
  it('hold at least 150 broken stores and 20 lawful ones', () => {
    expect(brokenServers.length).toBeGreaterThanOrEqual(150)
    expect(lawfulServers.length).toBeGreaterThanOrEqual(20)
  })

  it('name every store differently', () => {
    const names = [...brokenServers, ...lawfulServers].map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    for (const name of names) expect(name).toMatch(/^[a-z0-9.]+(-[a-z0-9.]+)*$/)
  })
})

describe('the base', () => {
  it('answers 405 to other methods and 404 at other paths', async () => {
    const { url, close } = await startServer(base)
    const get = await fetch(new URL('/plants', url))
    const other = await fetch(new URL('/other', url), { method: 'POST', body: '{}' })
    expect([get.status, get.headers.get('allow'), other.status]).toEqual([405, 'POST', 404])
    await close()
  })

  it('closes while a request is in flight', async () => {
    const hanging = brokenServers.find(({ name }) => name === 'hangs-on-empty-body') as BrokenServer
    const { url, token, close } = await startServer(hanging)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const unanswered = fetch(new URL('/plants', url), { method: 'POST', headers }).catch(() => 'closed')
    setTimeout(close, 100)
    expect(await unanswered).toBe('closed')
  })
})

describe.concurrent('a lawful store', () => {
  for (const server of lawfulServers) {
    it(`conforms to the contract: ${server.name}`, async () => {
      const { url, close } = await startServer(server)
      const client = openClient(url, 8, patience.usual)
      const violationsOf = async (probe: Probe): Promise<readonly string[]> => {
        const first = await client.send(probe.request)
        // A connection may end while it is idle.
        const outcome =
          first.kind === 'failure' && first.code === 'ECONNRESET'
            ? await client.sendAnew(probe.request)
            : first
        const violation = violationIn(probe, outcome)
        return violation === undefined || isForgiven(server, probe, outcome)
          ? []
          : [`${probe.id}: ${violation}`]
      }
      expect((await Promise.all(probes.map(violationsOf))).flat()).toEqual([])
      client.close()
      await close()
    }, 60_000)
  }
})

describe.concurrent('a broken store', () => {
  for (const server of brokenServers) {
    it(`violates the contract: ${server.name}`, async () => {
      expect(await firstViolation(server)).toBeDefined()
    })
  }
})
