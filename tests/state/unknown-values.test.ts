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

const token = 'right'
const bearer = {
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
}

/** An operation that finds nothing, and one that shows that the base URL is right. */
const documentOf = (asking: object, rest: object) =>
  documentWith(
    {
      '/status': { get: { operationId: 'getStatus', responses: { 200: ok } } },
      '/events': asking,
    },
    rest,
  )

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

/** `absence`: what the server answers to a value that names nothing. */
const run = async (asking: object, absence = { status: 404, detail: 'no such event' }) => {
  const isSecured = absence.status === 401
  const server = createServer(async (request, response) => {
    const [path, query] = (request.url ?? '').split('?')
    const body = Buffer.concat(await request.toArray())
    if (isSecured && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401, { 'Content-Type': 'application/json' }).end('{"detail":"log in"}')
      return
    }
    const isStatus = path === '/status' && request.method === 'GET'
    const isInvalid =
      request.method === 'POST' &&
      typeof (strictJson(body) as { asset?: unknown } | undefined)?.asset !== 'number'
    const status = isStatus ? 200 : path !== '/events' ? 404 : isInvalid ? 400 : absence.status
    response.writeHead(status, { 'Content-Type': 'application/json' })
    const value = new URLSearchParams(query).get('challenge') ?? ''
    response.end(JSON.stringify(status === 200 ? {} : { detail: absence.detail.replace('{}', () => value) }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({
    from: writeDocument('events.json', documentOf(asking, isSecured ? bearer : {})),
  })
  const { findings, entries } = await verify({
    contract,
    target: url,
    token,
    seed: 1,
    cases: 120,
    sustained: 0,
  })
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

test('a 404 that is not declared and names the value is told as that, and as nothing else', async () => {
  const absence = { status: 404, detail: 'challenge {} not found' }
  const { titles, verdict } = await run(byQuery([400], { type: 'string' }), absence)
  expect(titles[0]).toBe('answered 404 to a valid request, an undeclared status')
  expect(titles.filter(title => !title.endsWith('an undeclared status'))).toEqual([])
  expect(verdict).toMatchObject({ kind: 'untested', reason: expect.stringContaining('--fixture') })
})

const notThere = 'We could not find what you are looking for'

test('a 401 that says that the value names nothing accuses neither the token nor the server', async () => {
  const absence = { status: 401, detail: notThere }
  const { verdict } = await run(byQuery([400, 401], { type: 'string' }), absence)
  const reason = expect.stringMatching(
    /`challenge` may have to name something that exists.*--fixture findEvents\.challenge/,
  )
  expect(verdict).toMatchObject({ kind: 'untested', reason })
})

test('a 401 that speaks of the token is about the token', async () => {
  const absence = { status: 401, detail: 'We could not find this token' }
  const { verdict } = await run(byQuery([400, 401], { type: 'string' }), absence)
  expect(verdict).toMatchObject({ reason: expect.stringContaining('the server rejects the token') })
})

test.each([
  ['that is not declared', byQuery([400], { type: 'string' })],
  ['to a value that the document lists', byQuery([400, 404], { type: 'string', enum: ['open', 'done'] })],
])('a 404 %s is a fault', async (_of, asking) => {
  const { titles } = await run(asking)
  expect(titles.join()).toContain('404')
})
