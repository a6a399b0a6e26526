/** Values beside the path that may have to name something: a declared 404 to made-up ones accuses nobody. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { strictJson } from '../strict-json.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const ok = { description: 'ok', content: json({ type: 'object' }) }
const rejected = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map(status => [status, { description: 'rejected' }]))

/** An operation that finds nothing, and one that shows that the base URL is right. */
const documentOf = (asking: object) =>
  documentWith({
    '/status': { get: { operationId: 'getStatus', responses: { 200: ok } } },
    '/events': asking,
  })

const byQuery = (declared: readonly number[], schema: object) => ({
  get: {
    operationId: 'findEvents',
    parameters: [{ name: 'challenge', in: 'query', required: true, schema }],
    responses: { 200: ok, ...rejected(declared) },
  },
})

const byBody = (declared: readonly number[]) => ({
  post: {
    operationId: 'findEvents',
    requestBody: {
      required: true,
      content: json({ type: 'object', required: ['asset'], properties: { asset: { type: 'integer' } } }),
    },
    responses: { 200: ok, ...rejected(declared) },
  },
})

const run = async (asking: object) => {
  const server = createServer(async (request, response) => {
    const [path] = (request.url ?? '').split('?')
    const body = Buffer.concat(await request.toArray())
    const isStatus = path === '/status' && request.method === 'GET'
    const isInvalid =
      request.method === 'POST' &&
      typeof (strictJson(body) as { asset?: unknown } | undefined)?.asset !== 'number'
    const status = isStatus ? 200 : path === '/events' && isInvalid ? 400 : 404
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? {} : { detail: 'no such event' }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({
    from: writeDocument('events.json', documentOf(asking)),
  })
  const { findings, entries } = await verify({ contract, target: url, seed: 1, cases: 120, sustained: 0 })
  return {
    titles: findings.filter(({ level }) => level === 'MUST').map(({ title }) => title),
    verdict: entries.find(({ obligation }) => obligation.id === 'findEvents/request/valid')?.verdict,
  }
}

test.each([
  ['a query parameter', byQuery([400, 404], { type: 'string' }), '--fixture findEvents.challenge=VALUE'],
  ['a property of the body', byBody([400, 404]), '`asset` may have to name something that exists'],
])(
  'a declared 404 to each made-up value of %s leaves the operation untested',
  async (_of, asking, reason) => {
    const { titles, verdict } = await run(asking)
    expect(titles).toEqual([])
    expect(verdict).toMatchObject({ kind: 'untested', reason: expect.stringContaining(reason) })
    expect(verdict).toMatchObject({ reason: expect.stringContaining('no such event') })
  },
)

test.each([
  ['that is not declared', byQuery([400], { type: 'string' })],
  ['to a value that the document lists', byQuery([400, 404], { type: 'string', enum: ['open', 'done'] })],
])('a 404 %s is a fault', async (_of, asking) => {
  const { titles } = await run(asking)
  expect(titles.join()).toContain('404')
})
