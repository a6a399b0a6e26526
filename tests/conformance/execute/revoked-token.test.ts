/** A server that takes the token no longer from some time on, as a request of the run has ended it. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const answered = { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } }
const responses = { 200: answered, 400: answered, 401: answered, 404: answered }
const document = documentWith(
  {
    '/notes': { get: { operationId: 'getNotes', responses } },
    '/things/{name}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses,
      },
    },
  },
  { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security: [{ key: [] }] },
)

const said = 'The token is no longer valid: it was switched off for this organization'

const run = async () => {
  let left = 60
  const server = createServer((request, response) => {
    request.resume()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://a')
    const isIn = /^\w{6} +right-token$/.test(request.headers.authorization ?? '')
    const page = searchParams.get('page')
    const status =
      !isIn || left <= 0
        ? 401
        : request.method !== 'GET'
          ? 405
          : page !== null && !/^-?\d+$/.test(page)
            ? 400
            : 200
    if (isIn) left -= 1
    const shown = status === 200 && pathname.startsWith('/things') ? 404 : status
    response.writeHead(shown, {
      'Content-Type': 'application/json',
      ...(shown === 401 ? { 'WWW-Authenticate': 'Bearer realm="a"' } : {}),
    })
    response.end(JSON.stringify(shown === 401 ? { message: isIn ? said : 'no token' } : {}))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('a.json', document) })
  return verify({ contract, target: url, token: 'right-token', seed: 1, cases: 400, sustained: 0 })
}

test('it is told once, of operations that had accepted the token, with a hint at what may have ended it', async () => {
  const { findings } = await run()
  const told = findings.filter(({ actual }) => actual.includes(said))
  expect(told.map(({ title, obligation }) => [title, obligation])).toEqual([
    ['stopped accepting valid requests during the run (401)', 'getNotes/stability/drift'],
  ])
  expect(told[0]?.hint).toContain('leave that operation out with --never')
})
