import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const names = Array.from({ length: 12 }, (_, index) => `p${index}`)
const properties = Object.fromEntries(names.map(name => [name, { type: 'string', example: `of ${name}` }]))

test('a valid request is not searched for at an operation that is too busy to say what is wrong', async () => {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.url !== '/busy') return response.writeHead(200).end()
    asked += 1
    // The first answer is one that a search could follow.
    response.writeHead(asked === 1 ? 422 : 503, { 'Content-Type': 'text/plain' })
    return response.end(asked === 1 ? 'p1 must be one of "a", "b"' : '')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const document = documentWith({
    '/calm': { get: { operationId: 'calm', responses: { 200: { description: 'ok' } } } },
    '/busy': {
      post: {
        operationId: 'busy',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties } } },
        },
        responses: { 200: { description: 'ok' }, 422: { description: 'invalid' } },
      },
    },
  })
  const contract = await loadContract({ from: writeDocument('busy.json', document) })
  await verify({ contract, target: url, seed: 1, sustained: 0, cases: 1 })
  // A search that goes on would send each of its requests five times.
  expect(asked).toBeLessThan(40)
})
