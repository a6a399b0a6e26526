/** A name that is not answered when it is asked for, such as one that ends the connection, is not asked for before each change. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const responses = { 200: { description: 'ok' }, 400: { description: 'no' }, 404: { description: 'none' } }
const named = { name: 'code', in: 'path', required: true, schema: { type: 'string' } }
const operations = ['get', 'put', 'patch', 'delete'].map(method => [
  method,
  { operationId: method, responses },
])

test('a name that ends the connection is not asked for before each change', async () => {
  const gets = new Map<string, number>()
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    if (method === 'GET') gets.set(url, (gets.get(url) ?? 0) + 1)
    if (method === 'GET' && /^\/status\/\d+$/.test(url)) request.socket.destroy()
    else response.writeHead(/^\/status\/[\w.-]+$/.test(url) ? 200 : 400).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const paths = { '/status/{code}': { parameters: [named], ...Object.fromEntries(operations) } }
  const contract = await loadContract({ from: writeDocument('a.json', documentWith(paths)) })
  await verify({ contract, target: url, seed: 1, only: ['put', 'patch', 'delete'], include: ['*'] })
  const lost = [...gets].filter(([path]) => /^\/status\/\d+$/.test(path))
  expect(lost.length).toBeGreaterThan(0)
  expect(Math.max(...lost.map(([, count]) => count))).toBeLessThanOrEqual(10)
})
