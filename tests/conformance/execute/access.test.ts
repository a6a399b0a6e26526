/** A wrong token, URL or gateway says nothing about the server: such a run accuses nobody, and says what to change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { contracts, documentWith, writeDocument } from '../../spec/contracts.ts'

const contract = contracts.plantStore

/** A server that answers every request with this status, and a page. */
const answering = async (
  status: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>No</h1>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const expectNoAccess = (ledger: Ledger, reason: string): void => {
  const { findings, exchanges, end, entries } = ledger
  expect({
    findings,
    exchanges,
    stopped: end?.stopped,
    conclusion: end?.conclusion,
    reason: end?.reason,
  }).toEqual({
    findings: [],
    exchanges: [],
    stopped: 'access',
    conclusion: 'inconclusive',
    reason,
  })
  for (const { verdict } of entries) expect(verdict).toEqual({ kind: 'untested', cause: 'access', reason })
}

test('a token that the server does not know', () =>
  during(storeWith({}), async ({ url }) =>
    expectNoAccess(
      await verify({ target: url, contract, token: 'not-the-secret', seed: 1 }),
      'the server answers as it does without credentials (400 error 1): is the token right?',
    ),
  ))

test('no token', () =>
  during(storeWith({}), async ({ url }) =>
    expectNoAccess(
      await verify({ target: url, contract, seed: 1 }),
      'no token was given, and the server rejects a made-up one (400 error 1): give the right one with --token or PLANTSTORE_TOKEN',
    ),
  ))

test('a base path that the server does not have', () =>
  during(storeWith({}), async ({ url, token }) =>
    expectNoAccess(
      await verify({ target: `${url}/api`, contract, token, seed: 1 }),
      'the server does not find the operation (404 error 404): is the base URL right?',
    ),
  ))

test.each([
  [301, 'the server redirects every request (301): is the base URL right?'],
  [
    401,
    'the server rejects the token (401 text/html): is it right, and has it the rights for this operation?',
  ],
  [405, 'the server does not find the operation (405 text/html): is the base URL right?'],
  [502, 'a gateway answers that no server is behind it (502 text/html): is the server running?'],
])('a server that answers everything with %d', (status, reason) =>
  during(answering(status), async ({ url }) =>
    expectNoAccess(await verify({ target: url, contract, token: 'a-token', seed: 1 }), reason),
  ),
)

test('a server that answers everything with 500 fails: neither token nor URL explains that', () =>
  during(answering(500), async ({ url }) => {
    const { findings, end } = await verify({ target: url, contract, token: 'a-token', seed: 1 })
    expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([
      ['createPlant/request/valid', 'accepted no valid request'],
    ])
    expect(end?.conclusion).toBe('nonconformant')
  }))

test('operations that need no token are tested without one; the others are not, and the run is partial', async () => {
  const library = contracts.library
  const mock = await createMock({ contract: library, tokens: ['right-token'] })
  try {
    const { entries, findings, end } = await verify({
      target: mock.url,
      contract: library,
      seed: 1,
      cases: 300,
    })
    expect(findings).toEqual([])
    expect(end).toMatchObject({ stopped: 'done', conclusion: 'partial' })
    const closed = entries.filter(({ verdict }) => verdict.kind === 'untested' && verdict.cause === 'access')
    const tested = entries.filter(({ verdict }) => verdict.kind === 'passed')
    const operations = (of: typeof entries) => [...new Set(of.map(({ obligation }) => obligation.operation))]
    expect(operations(closed).length).toBeGreaterThan(0)
    expect(operations(tested).length).toBeGreaterThan(0)
    expect(operations(closed).filter(id => operations(tested).includes(id))).toEqual([])
  } finally {
    await mock.close()
  }
})

test('a 404 for a value in a path does not show that the base URL is right', async () => {
  const ok = { responses: { 200: { description: 'ok' }, 422: { description: 'invalid' } } }
  const what = { name: 'what', in: 'path', required: true, schema: { type: 'string', enum: ['day', 'time'] } }
  const document = documentWith({
    '/health': { get: { operationId: 'health', ...ok } },
    '/count-by/{what}': { post: { operationId: 'countBy', parameters: [what], ...ok } },
  })
  const server = await answering(404)
  try {
    const { end, findings } = await verify({
      target: server.url,
      contract: writeDocument('base.json', document),
      seed: 1,
    })
    expect(findings).toEqual([])
    expect(end).toMatchObject({ conclusion: 'inconclusive', stopped: 'access' })
    expect(end?.reason).toContain('is the base URL right?')
  } finally {
    await server.close()
  }
})
