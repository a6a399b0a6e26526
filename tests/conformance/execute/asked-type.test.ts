/** A server that knows no more of a request than its URL gives everybody the media type that the first client asked for. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const number = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
const contract = await loadContract({
  from: writeDocument(
    'two.json',
    documentWith({
      '/two': {
        get: {
          operationId: 'two',
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: number }, 'text/csv': { schema: { type: 'string' } } },
            },
          },
        },
      },
    }),
  ),
})

const bodies = { 'application/json': '{"a":1}', 'text/csv': 'a,b' }
type Type = keyof typeof bodies

/** What a server gives who asks for a type at a URL. */
type Choose = (asked: Type, url: string) => Type

const idOf = 'two/request/header/accept-one-type'

const failedWith = async (choose: Choose): Promise<readonly string[]> => {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (path !== '/two') return response.writeHead(404).end()
    if (request.method !== 'GET') return response.writeHead(405, { Allow: 'GET' }).end()
    const asked = /^text\/csv/.test(request.headers.accept ?? '') ? 'text/csv' : 'application/json'
    const type = choose(asked, request.url ?? '')
    return response.writeHead(200, { 'Content-Type': type, Vary: 'Accept' }).end(bodies[type])
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { findings } = await verify({
    contract,
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    only: ['two/request/header/*'],
    cases: 60,
    seed: 3,
    sustained: 0,
    strict: true,
  })
  return findings.flatMap(({ obligation, also }) => [obligation, ...also])
}

test('a cache whose key is the URL is found', async () => {
  const first = new Map<string, Type>()
  const found = await failedWith((asked, url) => {
    const type = first.get(url) ?? asked
    first.set(url, type)
    return type
  })
  expect(found).toEqual([idOf])
})

test('a server that gives each what it asks for is right', async () => {
  expect(await failedWith(asked => asked)).toEqual([])
})

test('that a server always gives the same is no more than a SHOULD', async () => {
  expect(await failedWith(() => 'application/json')).toEqual([idOf])
})
