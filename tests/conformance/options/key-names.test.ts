/** A security scheme of an API key whose name no header has. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const answered = { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } }

const run = async (name: string, place: string, token: string) => {
  const server = createServer((request, response) => {
    request.resume()
    const { authorization = '' } = request.headers
    const status = request.method !== 'GET' ? 405 : authorization === 'Bearer right-key' ? 200 : 401
    const challenge = status === 401 ? { 'WWW-Authenticate': 'Bearer realm="a"' } : {}
    response.writeHead(status, { 'Content-Type': 'application/json', Allow: 'GET', ...challenge }).end('{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({
    from: writeDocument(
      'keys.json',
      documentWith(
        {
          '/a': {
            get: {
              operationId: 'getA',
              security: [{ key: [] }],
              responses: { 200: answered, 401: answered },
            },
          },
        },
        { components: { securitySchemes: { key: { type: 'apiKey', in: place, name } } } },
      ),
    ),
  })
  const { findings, end, entries } = await verify({ contract, target: url, token, seed: 1, cases: 100 })
  return { warnings: contract.warnings.map(({ message }) => message), findings, end, entries }
}

test('the word before the key stands in the name of the header', async () => {
  const { warnings, findings, entries } = await run('Authorization: Bearer', 'header', 'right-key')
  expect(warnings).toEqual([
    'name must be the name of a header: it is read as the header Authorization with "Bearer" before the key',
  ])
  expect(findings).toEqual([])
  const wrong = entries.find(({ obligation }) => obligation.id === 'getA/auth/wrong-token')
  expect(wrong?.verdict.kind).toBe('passed')
})

test.each([
  ['My Key', 'header'],
  ['my;key', 'cookie'],
])('no request has the %s of the %s', async (name, place) => {
  const { warnings, findings, end } = await run(name, place, 'right-key')
  expect(warnings.join()).toContain(`name must be the name of a ${place}, so the scheme is not supported`)
  expect(findings).toEqual([])
  expect(end?.conclusion).not.toBe('nonconformant')
})
