import { describe, expect, it } from 'vitest'
import { exchange, openClient, type Received } from './client.ts'
import { type Broken, brokenServers, type Lawful, lawfulServers, startServer } from './index.ts'
import { departure } from './law.ts'
import type { Served, Witness } from './model.ts'
import { type Probe, probes } from './probes.ts'

const base: Served = { name: 'base', about: 'The plant store as the contract has it.', parts: () => ({}) }
const ordinary: Witness = { sends: probes.map(({ sent }) => sent), together: 1 }

/** What the base answers is what the contract wants; the probes say so themselves. */
const wanted = async (witness: Witness | undefined): Promise<readonly Probe[]> => {
  if (!witness) return probes
  const { url, close } = await startServer(base)
  const answers = await Array.fromAsync(exchange(url, witness, 3000))
  await close()
  return witness.sends.map((sent, index) => {
    const answer = answers[index]
    const accepted = answer?.kind === 'answer' && answer.status === 200
    return { id: 'witness', wants: accepted ? 'accept' : 'refuse', sent }
  })
}

/** The first answer that departs from the contract, and counts. */
const firstDeparture = async (
  server: Broken,
  counts: (id: string) => boolean,
): Promise<string | undefined> => {
  const asked = await wanted(server.witness)
  const { url, close } = await startServer(server)
  try {
    let index = 0
    for await (const received of exchange(url, server.witness ?? ordinary, 300)) {
      const { id, ...probe } = asked[index] as Probe
      const why = departure(probe, received)
      if (why !== undefined && counts(id)) return `${id}: ${why}`
      index += 1
    }
    return undefined
  } finally {
    await close()
  }
}

/** A busy store may ask for patience, a wilful one may refuse at the price of a warning. */
const isForgiven = (server: Lawful, { sent }: Probe, answer: Received): boolean => {
  if (answer.kind !== 'answer') return false
  if (server.kind === 'busy') return [429, 503].includes(answer.status) && answer.retryAfter === '1'
  if (server.strict && server.name !== 'refuses-duplicates') return false
  return departure({ wants: 'either', sent }, answer)?.endsWith('not echoed') !== false
}

describe('the tables', () => {
  it('hold at least 150 broken stores and 20 lawful ones', () => {
    expect(brokenServers.length).toBeGreaterThanOrEqual(150)
    expect(lawfulServers.length).toBeGreaterThanOrEqual(20)
  })

  it('give every store a name of its own', () => {
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

  it('closes with a request in the air', async () => {
    const hanging = brokenServers.find(({ name }) => name === 'hangs-on-empty-body') as Broken
    const { url, token, close } = await startServer(hanging)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const unanswered = fetch(new URL('/plants', url), { method: 'POST', headers }).catch(() => 'closed')
    setTimeout(close, 100)
    expect(await unanswered).toBe('closed')
  })
})

describe.concurrent('a lawful store', () => {
  for (const server of lawfulServers) {
    it(`keeps the contract: ${server.name}`, async () => {
      const { url, close } = await startServer(server)
      const client = openClient(url, 8, 3000)
      const ask = async (probe: Probe) => {
        const first = await client.send(probe.sent)
        // A connection may end while it idles; the request is then sent on another one.
        const answer =
          first.kind === 'failure' && first.code === 'ECONNRESET' ? await client.send(probe.sent) : first
        const why = departure(probe, answer)
        return why === undefined || isForgiven(server, probe, answer) ? [] : [`${probe.id}: ${why}`]
      }
      expect((await Promise.all(probes.map(ask))).flat()).toEqual([])
      client.close()
      await close()
    })
  }
})

/** What a probe shows of these is wrong about the request that it sends, not about answers in general. */
const isOfRequests = ({ kind, witness }: Broken) =>
  witness === undefined && ['bearer', 'refuse', 'accept'].includes(kind)

describe.concurrent('a broken store', () => {
  for (const server of brokenServers) {
    it(`breaks the contract: ${server.name}`, async () => {
      const counts = (id: string) => !isOfRequests(server) || server.breaks.test(id)
      expect(await firstDeparture(server, counts)).toBeDefined()
    })
  }
})
