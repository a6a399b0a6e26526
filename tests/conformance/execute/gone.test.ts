/** A server that goes away in the middle of a run: what showed on sight until then is reported, and the requests that may have ended it. */
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import type { StoreResponse } from '../../broken-servers/store/model.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

/** Takes any token, rejects empty names, and ends at the first truncated JSON after so many requests. */
const mortalStore = (after: number, mend = (response: StoreResponse): StoreResponse => response) => {
  let server: Server | undefined
  let requests = 0
  return storeWith({
    tune: created => {
      server = created
    },
    authenticate: ({ request }) => request.headers.authorization?.startsWith('Bearer ') === true,
    name: value => lawfulParts.name(value) && value !== '',
    respond: response => {
      requests += 1
      if (requests < after || response.cause !== 'json') return mend(response)
      server?.close()
      server?.closeAllConnections()
      return undefined
    },
  })
}

test('accepted wrong tokens are findings, and what was not confirmed is not', async () => {
  const ledger = await during(mortalStore(250), ({ url, token }) =>
    verify({ target: url, token, seed: 1, cases: 1500, concurrency: 1 }),
  )
  expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'nonconformant' })
  expect(ledger.end?.reason).toMatch(
    /^the server stopped responding: .*ECONNREFUSED.*. The last requests before that, without a response, were POST \/plants .* \(createPlant\/request\/body\/(json|required)\/[^)]*\)$/,
  )
  expect(ledger.findings.length).toBeGreaterThan(0)
  for (const { obligation, expectation, outcome } of ledger.findings)
    expect({ family: obligation.split('/')[1], expectation, status: outcome.status }).toEqual({
      family: 'auth',
      expectation: 'reject',
      status: 200,
    })
  const failed = new Set(ledger.exchanges.flatMap(exchange => exchange.failed))
  for (const { obligation, verdict } of ledger.entries)
    if (failed.has(obligation.id)) expect(verdict.kind).not.toBe('passed')
  expect(
    ledger.entries.find(({ obligation }) => obligation.id.endsWith('/name/empty'))?.verdict,
  ).toMatchObject({ kind: 'inconclusive', reason: expect.stringMatching(/^it failed, but/) })
})

test('what is wrong in a response needs no other one: it is told, though nothing could be sent again', async () => {
  const mend = (response: StoreResponse): StoreResponse =>
    response.status === 200 ? { ...response, body: '{"id":1,"name":7}' } : response
  const { end, findings } = await during(mortalStore(250, mend), ({ url, token }) =>
    verify({ target: url, token, seed: 1, cases: 1500, concurrency: 1 }),
  )
  expect(end).toMatchObject({ stopped: 'unreachable' })
  expect(findings.map(({ obligation }) => obligation)).toContain('createPlant/response/200/body/name/type')
})

// Among the cases, among the requests before them, and at the first one.
test.each([100, 5, 0])(
  'a proxy that closes every connection before a server that is gone after %d requests is no fault of each request',
  async after => {
    const paths = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map(name => [
        `/${name}`,
        { get: operation(name), post: operation(`add-${name}`) },
      ]),
    )
    let requests = 0
    /** The operation whose request ends the server. */
    let culprit = ''
    const sockets = new Set<Socket>()
    const { url, close } = await listen(
      createServer((request, response) => {
        requests += 1
        sockets.add(request.socket)
        if (requests <= after) {
          request.resume().on('end', () => response.writeHead(200).end())
          return
        }
        const name = request.url?.slice(1).split('?')[0] ?? ''
        if (culprit === '') culprit = request.method === 'POST' ? `add-${name}` : name
        for (const socket of sockets) socket.destroy()
      }),
    )
    onTestFinished(close)
    const contract = await loadContract({ from: writeDocument('a.json', documentWith(paths)) })
    const ledger = await verify({ target: url, contract, seed: 1, cases: 800, concurrency: 4 })
    expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'inconclusive' })
    expect(ledger.findings).toEqual([])
    expect(requests).toBeLessThan(400)
    if (after === 0) {
      expect(ledger.end?.reason).toMatch(/^it closes every connection. Is the server running/)
      return
    }
    expect(ledger.end?.reason).toMatch(/^the server stopped responding: it closes every connection. The last/)
    // Only what was in flight when the first was lost may have ended it.
    const suspects = ledger.end?.reason?.match(/\([^()]+\/[^()]+\)/g) ?? []
    expect(suspects.length).toBeGreaterThan(0)
    expect(suspects.length).toBeLessThanOrEqual(8)
    expect(suspects.join()).toContain(`(${culprit}/`)
  },
)

const operation = (operationId: string): object => ({
  operationId,
  parameters: [{ name: 'text', in: 'query', schema: { type: 'string' } }],
  responses: { 200: { description: 'ok' } },
})

test('a server that a request ends before the first case is not told as one that was never there: the request is named', async () => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'end'].map(name => [`/${name}`, { post: operation(name) }]),
  )
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/end') {
      server.close()
      server.closeAllConnections()
      return
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('ending.json', documentWith(paths)) })
  const { end } = await verify({ contract, target: url, seed: 1, cases: 200, sustained: 0 })
  expect(end).toMatchObject({ stopped: 'unreachable' })
  expect(end?.reason).toMatch(/^the server stopped responding: .*POST \/end \(end\/request\/valid\)/)
  expect(end?.reason).not.toContain('Is the server running')
})
