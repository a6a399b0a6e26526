/** Servers, or networks, that lose connections now and then: requests that are lost come again, and only many of them are a finding. */
import type { Server } from 'node:http'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

const run = (parts: Partial<Parts>) =>
  during(storeWith(parts), ({ url, token }) =>
    verify({
      target: url,
      token,
      contract: contracts.plantStore,
      seed: 3,
      cases: 1500,
      sustained: 0,
      strict: true,
    }),
  )

/** A store that resets the connection of every nth request, before or after it has created the plant. */
const losing = (every: number): Partial<Parts> => {
  let requests = 0
  return {
    respond: (response, { request }) => {
      requests += 1
      if (requests % every !== 0) return response
      request.socket.resetAndDestroy()
      return undefined
    },
  }
}

test('fewer than 1 % lost connections are a note, and nothing fails for them', async () => {
  const ledger = await run(losing(150))
  expect(ledger.findings).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(ledger.notes.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^createPlant: \d+ of 1\d{3} requests \(0\.\d %\) lost their connection, by the server or the network/,
    ),
  ])
})

test('more of them are one finding, which blames no request', async () => {
  const ledger = await run(losing(30))
  expect(
    ledger.findings.map(({ obligation, title, repeat, hint }) => ({ obligation, title, repeat, hint })),
  ).toEqual([
    {
      obligation: 'createPlant/stability/connection',
      title: expect.stringMatching(/^lost \d\d connections before the response was complete$/),
      repeat: 'flaky',
      hint: expect.stringContaining('a proxy or the network'),
    },
  ])
  const failed = ledger.entries.filter(
    ({ verdict }) => verdict.kind !== 'passed' && verdict.kind !== 'observed',
  )
  expect(failed.map(({ obligation }) => obligation.id)).toEqual(['createPlant/stability/connection'])
})

test('a server that ends the connection without a word after an error is not told to lose any', async () => {
  let requests = 0
  const ledger = await run({
    respond: (response, { request }) => {
      requests += 1
      if (requests % 5 !== 0) return response
      // Later than with the response, and sooner than a connection is idle for long.
      setTimeout(() => request.socket.destroy(), 20)
      return { ...response, status: 500 }
    },
  })
  const said = [...ledger.findings.map(({ title }) => title), ...ledger.notes.map(({ message }) => message)]
  expect(said.filter(text => text.includes('500'))).not.toEqual([])
  expect(said.filter(text => /lost/.test(text))).toEqual([])
})

test('a server that restarts in the middle of a run is tested to the end', async () => {
  let server: Server | undefined
  let requests = 0
  const ledger = await run({
    tune: created => {
      server = created
    },
    respond: response => {
      requests += 1
      if (requests !== 400 || server === undefined) return response
      const { port } = server.address() as { readonly port: number }
      server.close(() => server?.listen(port, '127.0.0.1'))
      server.closeAllConnections()
      return undefined
    },
  })
  expect(requests).toBeGreaterThan(1500)
  expect(ledger.findings).toEqual([])
  expect(ledger.end).toMatchObject({ stopped: 'done', conclusion: 'conformant' })
})
