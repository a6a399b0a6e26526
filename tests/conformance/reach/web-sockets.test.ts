/** Routes for WebSockets in a document: no HTTP request is accepted there, which is no fault. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const no = { description: 'no' }
const responses = { 200: { description: 'ok' }, 400: no, 426: no }
const document = documentWith({
  '/events': { get: { operationId: 'listEvents', responses } },
  '/live': { get: { operationId: 'watchEvents', responses } },
})

const verdictsOn = async (status: number, headers: Record<string, string>, text: string) => {
  const server = createServer((request, response) => {
    request.resume()
    if (!['/events', '/live'].includes((request.url ?? '').split('?')[0] ?? '')) response.writeHead(404).end()
    else if (request.method !== 'GET') response.writeHead(405, { Allow: 'GET' }).end()
    else if (request.url?.startsWith('/events')) response.writeHead(200).end()
    else response.writeHead(status, headers).end(text)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('events.json', document) })
  const ledger = await verify({ target: url, contract, seed: 1, cases: 60, sustained: 0 })
  const valid = ledger.entries.find(({ obligation }) => obligation.id === 'watchEvents/request/valid')
  return { verdict: valid?.verdict, findings: ledger.findings.map(({ title }) => title) }
}

// As ws, gorilla/websocket, websockets, Jetty and ASP.NET Core say it.
test.each([
  [426, { Upgrade: 'websocket' }, 'Upgrade Required'],
  [
    400,
    {},
    "Bad Request\nwebsocket: the client is not using the websocket protocol: 'upgrade' token not found",
  ],
  [426, {}, 'Failed to open a WebSocket connection: missing Connection header.'],
  [400, {}, '{"error":"Can \\"Upgrade\\" only to \\"WebSocket\\"."}'],
  [400, {}, 'Expected a WebSocket request'],
] as const)('%i %j %s is no fault', async (status, headers, text) => {
  const { verdict, findings } = await verdictsOn(status, headers, text)
  expect(findings).toEqual([])
  expect(verdict).toMatchObject({ kind: 'untested', reason: expect.stringMatching(/is for WebSockets/) })
})

test.each([
  [400, {}, 'no sockets of this kind are sold on the web'],
  [426, { Upgrade: 'TLS/1.2' }, 'use TLS'],
  [400, {}, '{"error":"websocket_url is required"}'],
  [400, {}, '{"path":"/websocket/1","error":"only numbers are expected"}'],
] as const)('%i %j %s is one', async (status, headers, text) => {
  const { findings } = await verdictsOn(status, headers, text)
  expect(findings.join()).toMatch(`accepted no valid request (${status})`)
})
