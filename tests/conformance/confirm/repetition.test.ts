/** An invalid request that the server carried out: that it rejects the same as a repetition later is another answer. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const pool = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, slots: { type: 'integer' } },
}

test('malformed JSON that creates something is told as accepted, although the second time is a conflict', async () => {
  const names = new Set<string>()
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const answer = (status: number): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}')
    }
    if (request.method !== 'POST' || request.url !== '/pools') return answer(404)
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return answer(415)
    let value: { name?: unknown; slots?: unknown }
    try {
      // As some frameworks do, it reads UTF-16 as well.
      value = JSON.parse(body.includes(0) ? body.toString('utf16le').replace(/^\uFEFF/, '') : body.toString())
    } catch {
      return answer(400)
    }
    const { name, slots } = value ?? {}
    if (typeof name !== 'string' || (slots !== undefined && !Number.isInteger(slots))) return answer(400)
    if (names.has(name)) return answer(409)
    names.add(name)
    answer(201)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({
    from: writeDocument(
      'pools.json',
      documentWith({
        '/pools': {
          post: {
            operationId: 'addPool',
            requestBody: { required: true, content: { 'application/json': { schema: pool } } },
            responses: Object.fromEntries(
              [201, 400, 409, 415].map(status => [
                status,
                { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } },
              ]),
            ),
          },
        },
      }),
    ),
  })
  const { findings } = await verify({
    contract,
    target: url,
    seed: 1,
    cases: 300,
    only: ['addPool/request/body/json', 'addPool/request/valid'],
  })
  const titles = findings.map(({ title }) => title)
  expect(titles.join()).toMatch(/accepted .*UTF-16/)
  expect(titles.filter(title => title.includes('409'))).toEqual([])
})
