/** A rule of the server that its document does not have is one finding, and nothing that the cases are about is to blame. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { hasJsonType, strictJson } from '../../strict-json.ts'

const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const fields = { ip: { type: 'string' }, host: { type: 'string' }, account: { type: 'string' } }
const contract = await loadContract({
  from: writeDocument(
    'rules.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Rules', version: '1' },
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            parameters: [
              { name: 'cursor', in: 'query', schema: { type: 'string' } },
              { name: 'limit', in: 'query', schema: { type: 'integer' } },
            ],
            responses: { 200: json({ type: 'array' }), 400: json({ type: 'object' }) },
          },
          post: {
            operationId: 'createThing',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { type: 'object', properties: fields } } },
            },
            responses: { 201: json({ type: 'object' }), 400: json({ type: 'object' }) },
          },
        },
      },
    }),
  ),
})

type Rules = {
  readonly query?: (query: URLSearchParams) => string | null
  readonly body?: (body: Readonly<Record<string, unknown>>) => string | null
}

/** A store that is lawful but for its rules. */
const findingsOf = async ({
  query = () => null,
  body: ofBody = () => null,
}: Rules): Promise<readonly string[]> => {
  const answer = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const url = new URL(request.url ?? '', 'http://test')
    if (url.pathname !== '/things') return [404, {}]
    if (request.method === 'GET') {
      const limit = url.searchParams.getAll('limit')
      const problem = limit.some(text => !/^-?\d+(?:\.0+)?$/.test(text)) ? 'limit' : query(url.searchParams)
      return problem === null ? [200, []] : [400, { problem }]
    }
    if (request.method !== 'POST') return [400, {}]
    if (!hasJsonType(request)) return [400, {}]
    const body = strictJson(bytes) as Record<string, string> | null | undefined
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [400, {}]
    if (Object.keys(fields).some(name => name in body && typeof body[name] !== 'string')) return [400, {}]
    const problem = ofBody(body)
    return problem === null ? [201, {}] : [400, { problem }]
  }
  const server = createServer(async (request, response) => {
    const [status, value] = await answer(request)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(value))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { findings } = await verify({ target, contract, seed: 1, cases: 700, sustained: 0 })
    return findings.map(({ obligation, title }) => `${obligation}: ${title}`)
  } finally {
    server.close()
  }
}

test('a lawful store has none', async () => {
  expect(await findingsOf({})).toEqual([])
})

test.each<readonly [string, Rules, readonly string[]]>([
  [
    'requires an optional property',
    { body: body => ('host' in body ? null : 'host is required') },
    ['createThing/request/valid: requires `host`, which the document calls optional'],
  ],
  [
    'takes only its own cursors',
    { query: query => (query.has('cursor') ? 'invalid cursor' : null) },
    [
      'listThings/request/valid: takes only some texts as the query parameter `cursor`, without the document saying which',
    ],
  ],
])('a store that %s: one finding, that names it', async (_title, rules, expected) => {
  expect(await findingsOf(rules)).toEqual(expected)
})

test('what a case is about is to blame if the request is accepted without that', async () => {
  const found = await findingsOf({
    body: ({ ip }) => (typeof ip === 'string' && ip.includes('%') ? 'no percent' : null),
  })
  expect(found).toEqual([expect.stringContaining('createThing/request/body/ip/percent: ')])
})
