/** A service that takes a key only if its parts belong together, and shows keys of its own. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { objectIn } from '../conformance/judge/answering.ts'
import { listen } from '../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const key = {
  type: 'object',
  required: ['kid', 'kty'],
  properties: { kid: text, kty: text, n: text, e: text, use: text },
}
const said = (schema: object) => ({ description: 'said', content: { 'application/json': { schema } } })
const no = said({ type: 'object' })
const grant = {
  type: 'object',
  required: ['issuer', 'key'],
  properties: { issuer: text, subject: text, key: { $ref: '#/components/schemas/Key' } },
}
const document = documentWith(
  {
    '/keys': {
      get: {
        operationId: 'getKeys',
        responses: {
          200: said({
            type: 'object',
            properties: { keys: { type: 'array', items: { $ref: '#/components/schemas/Key' } } },
          }),
        },
      },
    },
    '/grants': {
      post: {
        operationId: 'grant',
        requestBody: bodyOf(grant),
        responses: { 201: said(grant), 400: no },
      },
    },
  },
  { components: { schemas: { Key: key } } },
)

const shown = [
  { kid: 'first', kty: 'RSA', n: 'n-of-first', e: 'AQAB', use: 'sig' },
  { kid: 'second', kty: 'RSA', n: 'n-of-second', e: 'AQAC', use: 'sig' },
]

test('an object whose parts belong together is sent as the server showed it', async () => {
  const taken: string[] = []
  const server = createServer(async (request, response) => {
    const body = objectIn(Buffer.concat(await request.toArray()).toString()) ?? {}
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.url === '/keys' && request.method === 'GET') return answer(200, { keys: shown })
    if (request.url !== '/grants' || request.method !== 'POST') return answer(404, {})
    const { kid, kty, n, e } = (body.key ?? {}) as Record<string, unknown>
    const isKey = kty === 'RSA' && n === `n-of-${kid}` && e === (kid === 'first' ? 'AQAB' : 'AQAC')
    if (typeof body.issuer !== 'string' || !isKey) return answer(400, { error: 'invalid key' })
    if (typeof body.subject !== 'string') return answer(400, { error: 'the field subject is missing' })
    taken.push(String(kid))
    return answer(201, body)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('keys.json', document) })
  const { entries } = await verify({
    contract,
    target: url,
    seed: 1,
    cases: 200,
    sustained: 0,
    include: ['*'],
  })
  expect(taken.length).toBeGreaterThan(20)
  const valid = entries.find(({ obligation }) => obligation.id === 'grant/request/body/issuer/ascii')
  expect(valid?.verdict.kind).toBe('passed')
})

const handler = {
  type: 'object',
  required: ['actions'],
  properties: { name: text, event: text, condition: text, actions: { type: 'array', items: text } },
}
const body = bodyOf(handler)
const updates = documentWith({
  '/handlers': {
    get: { operationId: 'listHandlers', responses: { 200: said({ type: 'array', items: handler }) } },
    post: { operationId: 'addHandler', requestBody: body, responses: { 200: said({}), 400: no } },
    put: { operationId: 'updateHandler', requestBody: body, responses: { 200: said({}), 400: no, 404: no } },
  },
})

test('an update at the path of the collection is sent for what the run created', async () => {
  const others = Array.from({ length: 8 }, (_, index) => ({
    name: `other-${index}`,
    event: `event-${index}`,
  }))
  const own = new Map<unknown, { readonly event: string }>()
  const changed = new Set<unknown>()
  const server = createServer(async (request, response) => {
    const value = objectIn(Buffer.concat(await request.toArray()).toString()) ?? {}
    const answer = (status: number, shownValue: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(shownValue))
    }
    const { name, event } = value as Record<string, unknown>
    if (request.method === 'GET')
      return answer(
        200,
        [...own.values(), ...others].map(each => ({ actions: [], ...each })),
      )
    if (typeof name !== 'string' || typeof event !== 'string') return answer(400, {})
    if (request.method === 'POST' && !own.has(name)) {
      own.set(name, { ...value, event })
      return answer(200, {})
    }
    if (request.method !== 'PUT' || own.get(name)?.event !== event) return answer(404, {})
    changed.add(name)
    return answer(200, {})
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('handlers.json', updates) })
  const { entries } = await verify({ contract, target: url, seed: 1, sustained: 0, include: ['*'] })
  const valid = entries.find(({ obligation }) => obligation.id === 'updateHandler/request/valid')
  expect(changed.size).toBeGreaterThan(0)
  expect(valid?.verdict.kind).toMatch(/passed|failed/)
})
