/** A server that closes the connection on an offer of another protocol is told of that, at its level, whatever there is time to ask. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const content = { 'application/json': { schema: { type: 'object' } } }
const get = (operationId: string) => ({
  get: { operationId, responses: { 200: { description: 'ok', content } } },
})

test('an offer of another protocol that costs the connection is one warning for the service', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  const { url, close } = await listen(server)
  onTestFinished(close)
  const document = documentWith({ '/pads': get('listPads'), '/authors': get('listAuthors') })
  const contract = await loadContract({ from: writeDocument('pads.json', document) })
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 300 })
  expect(findings.map(({ obligation, level, also }) => [obligation, level, also])).toEqual([
    ['listPads/request/framing/upgrade', 'SHOULD', []],
    ['listAuthors/request/framing/upgrade', 'SHOULD', []],
  ])
  expect(new Set(findings.map(({ cause }) => cause?.key)).size).toBe(1)
})
