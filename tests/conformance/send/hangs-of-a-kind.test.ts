/** A server that hangs on one kind of request, whatever that asks for. */
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const names = Array.from({ length: 40 }, (_, index) => `kind-${index}`)
const document = documentWith(
  Object.fromEntries(
    names.map(name => [
      `/${name}`,
      {
        get: {
          operationId: name,
          responses: {
            200: { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } },
            405: { description: 'no' },
          },
        },
      },
    ]),
  ),
)

test('a few are told, and the other operations are not asked for it', { timeout: 60_000 }, async () => {
  const timeoutMs = 800
  let hung = 0
  const server = createServer(({ url: target = '', method }, response) => {
    const isKnown = names.includes(target.slice(1).split('?')[0] ?? '')
    response.writeHead(isKnown ? (method === 'GET' ? 200 : 405) : 404, { 'Content-Type': 'application/json' })
    response.end('1')
  })
  // Node hands what offers an upgrade to this event, if anybody listens to it.
  const upgraded: Duplex[] = []
  server.on('upgrade', (_request, socket) => {
    hung += 1
    upgraded.push(socket)
  })
  const { url, close } = await listen(server)
  onTestFinished(() => {
    for (const socket of upgraded) socket.destroy()
    return close()
  })
  const { findings, entries, notes } = await verify({
    ...{ contract: await loadContract({ from: writeDocument('hangs.json', document) }), target: url },
    ...{ seed: 1, sustained: 0, timeoutMs },
  })
  const ofUpgrades = entries.filter(({ obligation: { id } }) => id.endsWith('/framing/upgrade'))
  expect(ofUpgrades).toHaveLength(names.length)
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.length).toBeLessThanOrEqual(3)
  for (const { title } of findings) expect(title).toContain('a request that offers to change the protocol')
  // Those in flight, and those that confirm what is told.
  expect(hung).toBeLessThan(names.length)
  expect(ofUpgrades.filter(({ verdict }) => verdict.kind === 'untested').length).toBeGreaterThan(5)
  expect(notes.map(({ message }) => message).join('\n')).not.toMatch(/let all requests in flight wait/)
})
